import { breaksClause, phrases, type Span, type Token, wordSet } from './words.ts';

/** Said before or after what matters. */
const fillers =
  phrases(`uh|um|er|hmm|hm|well|so|okay|ok|yeah|yes|hi|hello|oh|oh yeah|sure|please|thanks|thank you|good morning|good afternoon|like|you know|right|yes please|and|it's nothing urgent|nothing urgent|it's not urgent|no nothing urgent|no rush|my|the
  äh|ähm|also|ja|hallo|guten tag|guten morgen|naja|na ja|hm|bitte|danke|ach so|ach|genau|nichts dringendes|nein nichts dringendes|nee nichts dringendes|nicht dringend|es ist nicht dringend|und|nein|nee|es ist kein notfall|kein notfall|nichts eiliges|ist nichts dringendes
  euh|alors|ben|bah|oui|bonjour|bonsoir|voilà|merci|s'il vous plaît|donc|hum|ah oui|ah|non|rien d'urgent|c'est pas urgent|ce n'est pas urgent|et
  eh|pues|bueno|sí|hola|buenos días|buenas tardes|buenas|por favor|gracias|este|a ver|ah|nada urgente|no es urgente|no es nada urgente|y|no|mire
  allora|ehm|sì|buongiorno|buonasera|salve|ecco|grazie|per favore|dunque|ah|niente di urgente|nulla di urgente|non è urgente|e|guardi|senta|no
  eh|nou|ja|hallo|goedemorgen|goedemiddag|goedendag|dag|dus|hm|graag|dank u|o ja|o|niks dringends|niets dringends|het is niet dringend|het is niks dringends|geen haast|en|nee|nee hoor|geen spoed
  hum|então|sim|olá|oi|bom dia|boa tarde|boa noite|olhe|olha|por favor|obrigado|obrigada|ah|é|não é urgente|não é nada urgente|nada urgente|nada de urgente|e|não|bem|bom|pois
  yyy|eee|no|tak|dzień dobry|halo|więc|no więc|proszę|dziękuję|hm|a|nic pilnego|to nic pilnego|to nie jest pilne|nie pilne|i|nie|aha|znaczy|nie to nic pilnego`);

/** The turn gives no value. */
const unknown =
  phrases(`i don't know|i dont know|dont know|don't know|dunno|i do not know|no idea|not sure|i'm not sure|i can't say|i couldn't tell you|can't tell you|let me think|hang on|hold on|one moment|just a moment|give me a second|give me a minute|just a second|i'd rather not|none of your business|i can't remember|i don't remember|hello|are you there
  ich weiß nicht|weiß nicht|weiß ich nicht|keine ahnung|bin nicht sicher|moment|einen moment|augenblick|kann ich nicht sagen|muss ich überlegen|muss überlegen|muss nachdenken|mal überlegen|möchte ich nicht sagen|sind sie noch da|weiß ich jetzt nicht|weiß ich noch nicht
  je ne sais pas|je sais pas|sais pas|aucune idée|attendez|je réfléchis|un instant|une seconde|un moment|je ne me souviens plus|allô
  no sé|no lo sé|ni idea|un momento|espere|déjeme pensar|no me acuerdo|un segundo|no estoy seguro|no estoy segura|no sabría|oiga
  non so|non lo so|non saprei|un attimo|un momento|aspetti|ci penso|mi faccia pensare|non ricordo|boh|non ne ho idea|pronto
  ik weet het niet|weet ik niet|geen idee|momentje|een moment|wacht even|even denken|even nadenken|even kijken|weet ik nog niet|dat weet ik niet|bent u daar nog
  não sei|não faço ideia|um momento|espera|espere|deixa eu ver|deixe-me ver|deixa eu pensar|deixe-me pensar|só um segundo|não me lembro|não lembro|só um minuto|está lá|alô
  nie wiem|nie mam pojęcia|chwila|chwileczkę|moment|zastanowię się|muszę pomyśleć|niech pomyślę|nie pamiętam|sekundę|halo|jeszcze nie wiem`);

/** Words of a turn that says only that it does not know. */
const shortTurn = 8;

/** The rest of a turn after its other values, without filler; undefined if nothing is left that says something. */
export function freeText(text: string, tokens: readonly Token[], used: readonly Span[]): string | undefined {
  if (unknown.isIn(tokens) && tokens.length <= shortTurn) return undefined;
  const isUsed = new Set(
    used.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, index) => from + index)),
  );
  const part = longestPart(tokens, isUsed);
  if (!part) return undefined;
  const [from, to] = [start(tokens, part.from, part.to), end(tokens, part.from, part.to)];
  if (from >= to) return undefined;
  const said = text.slice(tokens[from]?.start, tokens[to - 1]?.end).trim();
  return said === '' ? undefined : said;
}

/** Words that only announce a value: "and my number is". */
const labels =
  wordSet(`and my number phone mobile cell telephone email e mail mailadresse address is it's s it the name that's at on so
  und meine mein nummer telefonnummer handynummer telefon die der das ist adresse lautet am um für
  et mon ma numéro téléphone adresse est c le la
  y mi número teléfono correo electrónico es el móvil
  e il mio mia numero telefono è indirizzo di cellulare
  en mijn nummer telefoonnummer mailadres de het is adres
  meu minha número telefone telemóvel é o a celular endereço
  a i mój moja numer telefonu telefon to jest adres mailowy`);

/** The longest run of tokens that no other value uses. */
function longestPart(tokens: readonly Token[], isUsed: ReadonlySet<number>): Span | undefined {
  let best: Span | undefined;
  let from: number | undefined;
  for (let index = 0; index <= tokens.length; index += 1) {
    const isFree = index < tokens.length && !isUsed.has(index);
    if (isFree) from ??= index;
    else if (from !== undefined) {
      const says = tokens.slice(from, index).some(({ word }) => !labels.has(word));
      if (says && (!best || index - from > best.to - best.from)) best = { from, to: index };
      from = undefined;
    }
  }
  return best;
}

/** After the filler at the start: a filler ends with a comma or another filler, so that no sentence loses its first word. */
function start(tokens: readonly Token[], from: number, to: number): number {
  let index = from;
  let kept = from;
  for (
    let filler = fillers.at(tokens, index);
    filler && filler.to <= to;
    filler = fillers.at(tokens, index)
  ) {
    index = filler.to;
    const next = tokens[index];
    if (index === to || !next || breaksClause(next.gap) || isPureFiller(tokens, filler)) kept = index;
  }
  return kept;
}

const pure = phrases(
  'uh|um|er|hmm|hm|äh|ähm|euh|ehm|eh|yyy|eee|hum|well|also|alors|ben|bah|pues|allora|nou|então|no więc|so|olhe|olha|mire|guardi|senta|bueno|bonjour|hello|hi|hallo|hola|buongiorno|olá|oi|dzień dobry|guten tag|bom dia|boa tarde|buenos días|buenas tardes|goedemorgen|goedemiddag',
);

function isPureFiller(tokens: readonly Token[], filler: Span): boolean {
  return pure.at(tokens, filler.from)?.to === filler.to;
}

function end(tokens: readonly Token[], from: number, to: number): number {
  for (let index = to - 1; index > from; index -= 1) {
    const isComma = breaksClause(tokens[index]?.gap ?? '');
    const filler = fillers.at(tokens, index);
    if (
      filler?.to === to &&
      (isComma ||
        isPureFiller(tokens, filler) ||
        (index === to - 1 && /^(a|and|und|et|y|e|en|i)$/.test(tokens[index]?.word ?? '')))
    )
      return end(tokens, from, index);
    if (to - index > 3) break;
  }
  return to;
}
