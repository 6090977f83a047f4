import { languagesOf } from './language-guess.ts';
import { type Found, Phrases, phrases, separated, type Token, tokensOf, wordSet } from './words.ts';

type Answer = 'yes' | 'no' | 'neither' | 'nothing';

const answers: Readonly<Record<Answer, string>> = {
  yes: `bang on|bingo|you got it|you've got it|you have it|got it in one|nailed it|that's the one|that's me|that'd be me|that would be me|that's us|that'd be us|mm hm|mhm|mmhm|mm hmm|aye|righto|right you are|rightio|too right|sure thing|sure is|betcha|you betcha|hell yes|heck yes|yes indeed|please proceed|proceed|carry on|be my guest|feel free|fire away|crack on|go for it|as you like|as you wish|all correct|everything is correct|everything's correct|affirmative|roger|that's grand|very much so|that's good|sounds about right|about right|dead right|quite right|too true|that's true|no issue|no issues|it's fine|it is fine|is fine|is okay|is ok|happy with that|i'm happy with|happy for you to|happy to|glad to|with pleasure|gladly|okey dokey|okie dokie|okey doke|yessir|yes sir|yes ma'am|now you have it|that does it|that's the ticket|that'll do nicely|that'll do fine|works fine|suits fine|suits me fine|suits us|not bothered|makes no difference|all good|yes|yeah|yep|yup|yes please|sure|of course|okay|ok|fine|agreed|correct|right|exactly|absolutely|definitely|certainly|that's right|that is right|go ahead|please do|sounds good|
    why not|no problem|no worries|not a problem|uh huh|i do|i have|i did|we do|we have|it is|that's it|that works|works for me|perfect|by all means|i'd love to|i think so|i guess so|i suppose so|for sure|you bet|indeed|spot on|i am|do it|please|no objection|no objections|that did it|did the trick|it works|works now|it worked|that worked|solved|that helps|that helped|great|wonderful|lovely|brilliant|would be great|would be lovely|sounds great|i'd like that|i would like that|that's all right|that's alright|that is all right|all right|alright|i don't mind|don't mind|do not mind|wouldn't mind|no problem at all|fine by me|fine with me|that's fine|that is fine|if you must|if you have to|if you want|if you like|i don't care|doesn't matter|suits me
    ja|jawohl|jep|klar|na klar|gerne|gern|natürlich|selbstverständlich|einverstanden|genau|richtig|stimmt|in ordnung|passt|auf jeden fall|kein problem|warum nicht|sicher|aber sicher|doch|jo|freilich|sehr gerne|das stimmt|so ist es|bitte|okay|gut|machen sie das|nichts dagegen|meinetwegen|jawoll
    oui|ouais|ouep|volontiers|bien sûr|d'accord|exactement|tout à fait|c'est ça|c'est exact|c'est bon|parfait|avec plaisir|pas de problème|pourquoi pas|absolument|entendu|évidemment|effectivement|si si|si|ça marche|ça me va|carrément|c'est correct|allez-y|mais oui|bien entendu|certainement|pas de souci|sans problème|je veux bien
    sí|claro|por supuesto|vale|de acuerdo|exacto|correcto|eso es|así es|desde luego|cómo no|perfecto|sin problema|está bien|por qué no|efectivamente|ok|dale|cierto|adelante|ya lo creo|claro que sí|eso mismo|venga|con mucho gusto|de una
    certo|certamente|va bene|esatto|giusto|come no|d'accordo|perfetto|volentieri|naturalmente|sicuro|assolutamente sì|nessun problema|perché no|è giusto|proprio così|ovvio|ovviamente|esattamente|corretto|confermo|senz'altro|è corretto|eccome|magari sì|già
    jazeker|zeker|jawel|prima|goed|graag|natuurlijk|uiteraard|klopt|dat klopt|akkoord|geen probleem|waarom niet|inderdaad|precies|is goed|dat is goed|oké|oke|dat is juist|helemaal goed|tuurlijk|zeker weten|doe maar|ja hoor|juist|ja graag|joh ja
    sim|claro que sim|com certeza|certo|isso|isso mesmo|exato|exatamente|está bem|tá bom|pode ser|pode sim|pode|de acordo|sem problema|sem problemas|por que não|combinado|está certo|está correto|confere|confirmo|beleza|correto|com prazer|evidentemente|é isso|é isso mesmo|positivo|uhum|aham|lógico|já fui|perfeitamente|claro|ótimo|tudo bem|faz favor
    tak|oczywiście|pewnie|jasne|dobrze|zgoda|zgadza się|dokładnie|zgadzam się|no tak|jak najbardziej|nie ma problemu|czemu nie|dlaczego nie|naturalnie|owszem|w porządku|może być|poproszę|no pewnie|no jasne|wszystko się zgadza|właśnie tak|dokładnie tak|chętnie|bardzo chętnie|nie ma sprawy|potwierdzam|a jakże|no dobrze|no dobra|dobra`,
  no: `nay|naw|negative|not at present|not just now|not for now|not today|not at this time|not this time|nothing further|nothing else|nothing more|no more|leave it at that|that'll do|that will do|that'll do me|that does me|i'm sorted|all sorted|we're sorted|sorted now|i'm content|i'm grand|i'm okay|i'm ok|you're all right|you're alright|all squared away|that covers it|that's the lot|that's your lot|that is all|that is everything|that would be all|that'd be all|nothing on my list|wrong way round|not quite|no|nope|nah|not|never|nothing|no thanks|no thank you|i don't think so|don't|not really|not at all|no way|rather not|that's all|that's it thanks|that'll be all|that will be all|that's everything|i'm good|i'm fine|i'm all set|all set|first time|incorrect|wrong|of course not|certainly not|absolutely not|sure not|i'd prefer not|prefer not|i'd prefer you didn't|prefer you didn't|i'd rather not|i would rather not|i'd rather you didn't|rather you didn't|i wouldn't|i don't want|i do not want|do not want|i refuse|isn't right|not right|not correct|not quite right|can't|haven't|didn't|won't|never been
    nein|nee|nö|ne|nicht|nichts|niemals|keinesfalls|auf keinen fall|kein|keine|keinen|lieber nicht|nein danke|das war's|das wär's|das wärs|das wars|das ist alles|noch nie|nie|zum ersten mal|das erste mal|das war alles|das wäre alles|falsch|stimmt nicht|nicht richtig|passt nicht|klar nicht|natürlich nicht|sicher nicht|eher nicht|bitte nicht|bloß nicht
    non|pas|jamais|rien|pas du tout|non merci|c'est tout|ce sera tout|surtout pas|pas vraiment|aucun|aucune|première fois|la première fois|ça ira|pas encore|c'est faux|pas question|bien sûr que non|plutôt pas|ce n'est pas ça
    no|no gracias|nada|nunca|jamás|qué va|para nada|eso es todo|nada más|en absoluto|de ninguna manera|ni hablar|primera vez|la primera vez|todavía no|tampoco|ninguno|ninguna|con eso basta|está mal|claro que no|por supuesto que no|no está bien|no es correcto|así está bien gracias|ya está
    no grazie|niente|mai|per niente|affatto|assolutamente no|è tutto|basta così|nient'altro|nulla|prima volta|la prima volta|nessuno|nessuna|macché|ma no|non|neanche|non ancora|sbagliato|non è giusto|certo che no|per carità|a posto così|sono a posto
    nee|neen|niet|geen|nooit|niks|nee dank u|nee bedankt|dat was het|dat was alles|dat is alles|eerste keer|de eerste keer|helemaal niet|liever niet|echt niet|nog niet|niets|nog nooit|klopt niet|dat klopt niet|natuurlijk niet|zeker niet|meer niet
    não|não obrigado|não obrigada|nada|nunca|jamais|é só isso|é tudo|só isso|era só isso|mais nada|de jeito nenhum|de modo nenhum|primeira vez|a primeira vez|ainda não|nenhum|nenhuma|nem pensar|nem um pouco|claro que não|não está certo|não está correto|imagina|que nada|nem por isso|por enquanto é só
    nie|nie dziękuję|nigdy|nic|wcale nie|absolutnie nie|to wszystko|pierwszy raz|po raz pierwszy|w żadnym razie|żaden|żadna|żadnych|raczej nie|skąd|ależ skąd|jeszcze nie|no nie|nic więcej|nie zgadza się|nieprawda|skądże|bynajmniej|to już wszystko|to będzie wszystko|oczywiście że nie|niestety nie|niekoniecznie`,
  nothing: `right now|right away|the right|si vous|si c'est|si possible|s'il|si puede|si es|nou ja|bon ben|na ja|naja|se possibile|you know|pas trop|nicht wahr`,
  neither: `yes and no|jein|ja und nein|oui et non|sí y no|sì e no|ja en nee|sim e não|tak i nie|i'm not sure|not sure|i don't know|don't know|no idea|i have no idea|maybe|perhaps|let me think|hang on|hold on|one moment|wait|pardon|what do you mean|it depends|possibly|could be|i can't say|not yet sure|let me see|just a second|never mind
    ich weiß nicht|weiß nicht|weiß ich nicht|weiß ich jetzt nicht|weiß ich noch nicht|keine ahnung|vielleicht|bin nicht sicher|nicht sicher|ich bin mir nicht sicher|moment|einen moment|kommt drauf an|kommt darauf an|wie bitte|mal sehen|mal schauen|kann ich nicht sagen|kann ich noch nicht sagen|eventuell|schwer zu sagen|bitte warten|warten sie bitte|moment bitte|einen moment bitte|augenblick bitte
    je ne sais pas|je sais pas|sais pas|aucune idée|peut-être|attendez|pas sûr|pas sûre|je ne suis pas sûr|je suis pas sûr|je suis pas sûre|ça dépend|je réfléchis|pas trop|je sais pas trop|faut voir|je ne sais pas trop|on verra|un instant
    no sé|no lo sé|no estoy seguro|no estoy segura|no sabría decirle|ni idea|quizás|quizá|tal vez|depende|a ver|espere|un momento|déjeme pensar|no tengo idea|no tengo ni idea|a lo mejor|puede ser|puede que|si acaso|no sabría|no me acuerdo|deje que lo piense|ya veremos|no lo tengo claro
    non so|non lo so|non saprei|non sono sicuro|non sono sicura|forse|dipende|un attimo|aspetti|boh|vediamo|magari|può darsi|mi faccia pensare|non ne ho idea|non ricordo|ci penso|ci devo pensare|ma
    weet ik niet|ik weet het niet|weet niet|weet ik nog niet|geen idee|misschien|ik weet niet|dat hangt ervan af|even denken|even nadenken|wacht even|momentje|niet zeker|ik ben niet zeker|ik twijfel|geen flauw idee|goede vraag|even kijken|zou kunnen|ik weet het nog niet|moet ik even over nadenken|dat weet ik niet
    não sei|não tenho certeza|não tenho a certeza|talvez|depende|deixa eu ver|deixe-me ver|deixa eu pensar|deixe-me pensar|não faço ideia|sei lá|espera|um momento|quem sabe|se calhar|não me lembro|não sei dizer|não sei bem|pode ser que|só um minuto|só um momento|vou pensar|deixa ver|deixe-me cá ver|ainda não sei|isso depende|logo se vê
    nie wiem|nie jestem pewien|nie jestem pewna|może|być może|zależy|to zależy|chwila|chwileczkę|moment|zastanowię się|nie mam pojęcia|zobaczymy|trudno powiedzieć|niech pomyślę|muszę pomyśleć|nie pamiętam|jeszcze nie wiem|proszę poczekać|proszę chwilę|nie umiem powiedzieć|muszę się zastanowić|dobre pytanie|pomyślę|dobrze pomyślę`,
};

const table = new Phrases(() =>
  (['yes', 'no', 'neither', 'nothing'] as const).flatMap((answer) =>
    separated(answers[answer]).map((phrase): [string, Answer] => [phrase, answer]),
  ),
);

/** These end a reply, and say no only if nothing else answers. */
const soft = new Set([
  'bitte',
  'please',
  'graag',
  'goed',
  'dobrze',
  'poprosze',
  'gut',
  'right',
  'isso',
  'pode',
  'not',
  'nicht',
  'pas',
  'niet',
  'non',
  'kein',
  'keine',
  'keinen',
  'geen',
  'rien',
  'nada',
  'niente',
  'nothing',
  'nichts',
  'nie',
  'mai',
  'si',
  'ne',
  'certo',
  'ok',
  'okay',
  'imagina',
  'doch',
  'fine',
  'sicuro',
  'claro',
  'vale',
  'prima',
  'ma',
]);

const plainAnswers = new Set(
  'yes yeah yep no nope nah ja nein nee oui ouais non si sim nao tak nie'.split(' '),
);
/** Polish uses "no" as a filler, and "ja" for "I". */
const polishFillers = new Set(['no', 'ja']);

/** True for yes, false for no, null if the text says neither or both. */
export function agreement(text: string): boolean | null {
  const tokens = tokensOf(text);
  const isPolish = languagesOf(tokens)[0] === 'pl' && tokens.length > 1;
  const said = table
    .all(tokens)
    .filter(({ from, to }) => !(isPolish && to === from + 1 && polishFillers.has(tokens[from]?.word ?? '')));
  const isWeak = ({ from, to }: Found<Answer>) => to === from + 1 && soft.has(tokens[from]?.word ?? '');
  const strong = said.filter((found) => !isWeak(found));
  if (endsUnsure(said)) return null;
  return (
    leading(said, tokens) ?? decided(strong) ?? (isUnsure(said) ? null : decided(weakAnswers(said, tokens)))
  );
}

/** In "no, that's fine" the first word decides, if no other word is as plain. */
function leading(said: readonly Found<Answer>[], tokens: readonly Token[]): boolean | null {
  const isPlain = ({ from, to }: Found<Answer>) =>
    to === from + 1 && plainAnswers.has(tokens[from]?.word ?? '');
  const [first] = said;
  if (!first || first.from > 1 || !isPlain(first)) return null;
  const isOpposed = said.some((other) => isPlain(other) && other.value !== first.value);
  return isOpposed ? null : first.value === 'yes';
}

/** "yes, well, I'm not sure" */
function endsUnsure(said: readonly Found<Answer>[]): boolean {
  return said.findLast(({ value }) => value !== 'nothing')?.value === 'neither';
}

function isUnsure(said: readonly Found<Answer>[]): boolean {
  return said.some(({ value }) => value === 'neither');
}

/** A weak word answers at the start of a reply, a negation anywhere in a short one. */
function weakAnswers(said: readonly Found<Answer>[], tokens: readonly Token[]): readonly Found<Answer>[] {
  const shortest = 6;
  const atStart = said.filter(({ from }) => from <= 1);
  return atStart.length > 0 ? atStart : tokens.length <= shortest ? said : [];
}

function decided(said: readonly Found<Answer>[]): boolean | null {
  const [agrees, refuses, neither] = (['yes', 'no', 'neither'] as const).map((answer) =>
    said.some(({ value }) => value === answer),
  );
  if (neither && !(agrees || refuses)) return null;
  return agrees === refuses ? null : (agrees ?? null);
}

/** Before an answer. */
const openers = wordSet(
  'and well oh um uh so then hmm ah but und also ähm äh naja ja et euh alors bon y pues bueno e allora beh en nou dus então a no więc',
);

/** The answer with which a clause begins, as in "sure, go ahead". "The app won't load" answers nothing. */
export function answerAtStart(clause: string): boolean | null {
  const tokens = tokensOf(clause);
  for (let from = 0; from < tokens.length; from += 1) {
    const found = table.at(tokens, from);
    // "not Redwood" tells one thing from another.
    const isNegation = found?.to === from + 1 && negationAlone.has(tokens[from]?.word ?? '');
    const isStatement = isNegation || statements.at(tokens, from)?.to === found?.to;
    if (found) return isStatement && found.to < tokens.length ? null : agreement(clause);
    if (!openers.has(tokens[from]?.word ?? '')) return null;
  }
  return null;
}

/** "I have a question" */
const statements = phrases('i do|i have|i did|we do|we have|it is|i am');
const negationAlone = wordSet('not nicht pas niet não nie non kein keine geen');
