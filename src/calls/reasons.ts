import { commandIn } from './reading/index.ts';

/** Words with which callers begin, in eight languages: they do not say what a call is about. */
const idle = new Set(
  `should wanna gonna kindly whoever possible mind down does maybe perhaps dear love mate cheers hiya hello good morning afternoon evening please thanks thank would could like want wanted need calling call called phone name number
  from with about something something's anything wrong problem question questions issue speak speaking just office really can't later talk leave take message talking machine robot human real computer person record recording recorded recorder agree actual automated emergency urgent hurry mister that's right sure okay alright fine yes tell back ring it's i'd i'm i've we'd we're like them their there this that have your yours just some somebody someone
  guten morgen abend bitte danke möchte würde gerne anrufen anruf name nummer nachricht hinterlassen sprechen zurückrufen
  bonjour bonsoir merci voudrais appelle appel numéro message laisser parler rappeler
  hola buenos buenas gracias quiero quería llamo llamada nombre número mensaje dejar hablar
  buongiorno buonasera grazie vorrei chiamo chiamata nome numero messaggio lasciare parlare
  goedemorgen goedemiddag dank graag bel bellen naam nummer bericht achterlaten spreken
  olá boa tarde obrigado obrigada gostaria queria ligar ligo nome número mensagem deixar falar
  dzień dobry dziękuję chciałbym chciałabym dzwonię nazywam numer wiadomość zostawić rozmawiać`.split(/\s+/),
);
const shortestWord = 4;
/** Words that say something, without which a turn is no reason. */
const fewestWords = 2;

/** The first turn that says what the call is about; undefined if none does. */
export function reasonIn(turns: string): string | undefined {
  return turns
    .split('\n')
    .find(
      (turn) =>
        !isCommand(turn) &&
        wordsOf(withoutNames(withoutAnnouncement(turn))).filter((word) => !idle.has(word)).length >=
          fewestWords,
    )
    ?.trim();
}

/** "I'd like to leave word for one of your architects" says that a message follows, not which. */
function withoutAnnouncement(turn: string): string {
  return turn.replaceAll(announcement, ' ');
}

const announcement =
  /(?<!\p{L})(?:(?:leave|pass|take|give|drop|send)(?:\s+\p{L}+){0,3}?\s+(?:message|word|note)|message\s+(?:is\s+)?(?:there\s+)?(?=for\s))(?:\s+(?:down|there))?(?:,?\s+(?:um|uh|er|like))*(?:,?\s+(?:for|to|with)\s+(?:(?!that\b|saying\b|about\b|regarding\b|because\b)[\p{L}'’.-]+\s*){1,6})?/giu;

const inPassing = (['human', 'repeat', 'swearing'] as const).map((kind) => ({
  id: kind,
  kind,
  description: '',
}));
/** Words of a turn that only swears: "The damn thing won't load" says more. */
const longestOath = 5;

/** "Before I agree to anything, is this one of those bots?" says nothing of a reason, and swearing alone does not. */
function isCommand(turn: string): boolean {
  const sentences = turn.match(/[^.?!]+[.?!]*/g) ?? [];
  const command = sentences.length === 1 ? commandIn(turn, inPassing) : null;
  return command !== null && (command !== 'swearing' || turn.trim().split(/\s+/).length <= longestOath);
}

/** Without words that have a capital within a sentence. */
function withoutNames(turn: string): string {
  return turn.replaceAll(/(?<=(?:[\p{L}\p{N},]|\b(?:Mr|Mrs|Ms|Dr)\.)\s)\p{Lu}[\p{L}'’-]*/gu, '');
}

/** Words of something that can be had: "Check-up", "Fillings and crowns". */
const mostWordsOffered = 3;

/** The first thing in a list such as "One of: Check-up, 30 minutes. Cleaning, 45 minutes." that a turn names. */
export function offeredIn(turns: string, description: string): string | undefined {
  const [, list] = /:\s*(.+)/s.exec(description) ?? [];
  if (list === undefined) return undefined;
  const said = new Set(wordsOf(turns).map(stemOf));
  return list
    .split(/[.;\n]/)
    .map((entry) => entry.split(',', 1)[0]?.trim() ?? '')
    .filter((entry) => entry !== '' && entry.split(/\s+/).length <= mostWordsOffered)
    .find((entry) => wordsOf(entry).some((word) => said.has(stemOf(word))));
}

function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu) ?? []).filter(
    (word) => word.length >= shortestWord && !/\d/.test(word),
  );
}

/** "cleaned" and "cleaning", "crown" and "crowns", "checkup" and "check-up" begin alike. */
function stemOf(word: string): string {
  return word.replaceAll(/[-'’]/g, '').slice(0, 5);
}
