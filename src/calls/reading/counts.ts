import type { Language } from './languages.ts';
import { isDigits, numeralAt } from './numbers.ts';
import { breaksClause, type Found, Phrases, phrases, separated, type Token, wordSet } from './words.ts';

/** A number that a turn names. */
export interface Count {
  readonly value: number;
  /** With a cue that it counts people or things: "four of us". */
  readonly isSure: boolean;
}

const numbersAsPhrases = new Phrases(() =>
  separated(`half a dozen=6|half dozen=6|a dozen=12|one dozen=12|dozen=12|two dozen=24|a dozen and a half=18|a couple=2|just me=1|only me=1|just myself=1|on my own=1|just the two of us=2|
    the two of us=2|both of us=2|the pair of us=2|pair of us=2|me and the missus=2|me and the wife=2|me and the husband=2|me and my girlfriend=2|me and my boyfriend=2|me and my mate=2|me and my friend=2|me and my mum=2|me and my mother=2|me and my dad=2|me and my son=2|me and my daughter=2|my girlfriend and i=2|my boyfriend and i=2|my friend and i=2|my mum and i=2|my mother and i=2|my son and i=2|my daughter and i=2|me plus one=2|my wife and me=2|my husband and me=2|me and my wife=2|me and my husband=2|my wife and i=2|my husband and i=2|me and my partner=2|my partner and i=2|by myself=1|just one=1
    ein halbes dutzend=6|halbes dutzend=6|ein dutzend=12|dutzend=12|zwei dutzend=24|anderthalb dutzend=18|eineinhalb dutzend=18|nur ich=1|ich allein=1|ich alleine=1|nur mich=1|bloß ich=1|alleine=1|meine frau und ich=2|mein mann und ich=2|zu zweit=2|zu dritt=3|zu viert=4|zu fünft=5|zu sechst=6|zu siebt=7|zu acht=8
    une douzaine=12|une demi-douzaine=6|demi-douzaine=6|une dizaine=10|une vingtaine=20|une quinzaine=15|une trentaine=30|une douzaine et demie=18|deux douzaines=24|juste moi=1|moi seul=1|moi seule=1|que moi=1|moi tout seul=1|ma femme et moi=2|mon mari et moi=2
    media docena=6|una docena y media=18|docena y media=18|una docena=12|docena=12|dos docenas=24|solo yo=1|sólo yo=1|yo solo=1|yo sola=1|nada más yo=1|mi mujer y yo=2|mi marido y yo=2|solo para mí=1|una decena=10|una veintena=20
    mezza dozzina=6|una dozzina e mezza=18|una dozzina=12|dozzina=12|due dozzine=24|una decina=10|una ventina=20|solo io=1|io solo=1|io sola=1|soltanto io=1|da solo=1|da sola=1|mia moglie e io=2|io e mia moglie=2|io e mio marito=2|mio marito e io=2
    een half dozijn=6|half dozijn=6|een dozijn=12|dozijn=12|anderhalf dozijn=18|twee dozijn=24|een tiental=10|tiental=10|alleen ik=1|ik alleen=1|alleen mezelf=1|gewoon ik=1|in m'n eentje=1|mijn vrouw en ik=2|mijn man en ik=2|met z'n tweeën=2|met z'n drieën=3|met z'n vieren=4|met z'n vijven=5|met z'n zessen=6
    meia dúzia=6|uma dúzia e meia=18|dúzia e meia=18|uma dúzia=12|dúzia=12|duas dúzias=24|uma dezena=10|só eu=1|somente eu=1|apenas eu=1|eu sozinho=1|eu sozinha=1|eu e minha esposa=2|eu e a minha mulher=2|eu e meu marido=2|eu e o meu marido=2|eu e minha mulher=2|uma vintena=20
    pół tuzina=6|półtora tuzina=18|tuzin=12|dwa tuziny=24|tylko ja=1|sam=1|sama=1|ja sam=1|ja sama=1|ja i żona=2|ja i mąż=2|dziesiątka=10|dychę=10`).map(
    (entry): [string, number] => {
      const at = entry.lastIndexOf('=');
      return [entry.slice(0, at), Number(entry.slice(at + 1))];
    },
  ),
);

/** What a number counts in a sum: "four adults and two children". */
const people =
  wordSet(`people person persons adults adult children child kids kid baby babies toddler guests guest infant infants seniors boys girls men women friends
  personen person leute erwachsene erwachsener erwachsenen kinder kind kindern baby babys gäste gast säugling kleinkind hund
  personnes personne adultes adulte enfants enfant bébé bébés invités
  personas persona adultos adulto niños niño niñas niña bebé bebés invitados
  persone persona adulti adulto bambini bambino bambina bambine neonato neonata bimbo bimba ospiti
  personen persoon mensen volwassenen volwassene kinderen kind kindje kindjes baby baby's gasten
  pessoas pessoa adultos adulto crianças criança bebé bebê bebés bebês convidados
  osób osoby osoba osobę dorosłych dorośli dorosły dzieci dziecko dziecka niemowlę niemowlak niemowlaka gości`);

const personWords = new Set(people);

/** Before a number that counts the callers. */
const groups =
  phrases(`just|only|we are|we're|we'll be|there'll be|there will be|there are|party of|table for|that's|for|make it|it's for|there's
  wir sind|wir wären|wir kommen zu|sind wir|sind|wir|für|werden wir|seien
  on est|on sera|nous serons|nous sommes|on sera à|serons|pour|sera
  somos|seremos|vamos a ser|para|nosotros|vamos|seríamos
  siamo in|siamo|saremo in|saremo|per|in|noi
  we zijn met|we zijn|we komen met|met|voor|wij|zijn we met|we worden
  somos|seremos|vamos ser|para|seremos uns|nós|a gente é em|vamos em
  jesteśmy w|będzie nas|jest nas|będziemy w|nas|dla|będzie|na`);
const afterwards = phrases(
  'of us|von uns|d entre nous|de nosotros|di noi|van ons|de nós|z nas|stück|stuks|people',
);
const connectors = wordSet('and und et y e en i plus mit con with avec met com z más più mais oraz');
const fillers = wordSet('uh um er äh ähm euh eh ehm hum yyy eee also noch');
const articles = wordSet('a an ein eine einen einer un une una uno um uma een o oh');

/** The numbers of people or things in a turn, in order. "Four adults and two children" is one number, six. */
export function countsIn(
  tokens: readonly Token[],
  language: Language,
  isTaken: (index: number) => boolean,
): Found<Count>[] {
  const found: Found<Count>[] = [];
  for (let index = 0; index < tokens.length; ) {
    const next = isTaken(index) ? undefined : countAt(tokens, index, language);
    const last = found.at(-1);
    if (next && last && isAdded(last, next, tokens)) found[found.length - 1] = sum(last, next);
    else if (next) found.push(next);
    const child = next && childAfter(tokens, next);
    if (child) found[found.length - 1] = sum(found.at(-1) ?? child, child);
    index = child?.to ?? next?.to ?? index + 1;
  }
  return found;
}

const babies = wordSet(
  'niemowlę dziecko baby bebé bebê bébé neonato bambino kindje säugling kind dziecka child toddler infant',
);

/** "nas dwoje i niemowlę": one more, without an article. */
function childAfter(tokens: readonly Token[], count: Found<Count>): Found<Count> | undefined {
  const connector = tokens[count.to];
  const at = /^(a|an|one)$/.test(tokens[count.to + 1]?.word ?? '') ? count.to + 2 : count.to + 1;
  const child = tokens[at];
  if (!connector || !child || !connectors.has(connector.word) || !babies.has(child.word)) return undefined;
  return { value: { value: 1, isSure: true }, from: at, to: at + 1 };
}

function countAt(tokens: readonly Token[], from: number, language: Language): Found<Count> | undefined {
  const phrase = numbersAsPhrases.at(tokens, from);
  if (phrase) return { value: { value: phrase.value, isSure: true }, from, to: phrase.to };
  const number = numeralAt(tokens, from, language);
  if (!number || noCounts.has(tokens, from)) return undefined;
  const decimal = decimalAt(tokens, from);
  if (decimal) return decimal;
  const next = tokens[number.to];
  const isPeople = next !== undefined && !breaksClause(next.gap) && personWords.has(next.word);
  const isArticle = articles.has(tokens[from]?.word ?? '') && number.to === from + 1;
  if (isArticle && !isPeople && !isAlone(tokens, from)) return undefined;
  const isSure = isPeople || afterwards.has(tokens, number.to) || followsGroup(tokens, from, number.to);
  return { value: { value: number.value.value, isSure }, from, to: number.to };
}

/** "One moment, please" */
const noCounts = phrases(
  `one moment|one second|one sec|one minute|one thing|one question|one more|einen moment|eine frage|eine sekunde|un moment|une question|una pregunta|un momento|una domanda|een moment|een vraag|um momento|uma pergunta|jedno pytanie`,
);

function isAlone(tokens: readonly Token[], from: number): boolean {
  const next = tokens[from + 1];
  return tokens.length <= 3 && (next === undefined || breaksClause(next.gap));
}

/** 2.5, 2,5 and 1,200 */
function decimalAt(tokens: readonly Token[], from: number): Found<Count> | undefined {
  const [whole, part] = [tokens[from], tokens[from + 1]];
  if (!whole || !part || !isDigits(whole.word) || !isDigits(part.word) || !/^[.,]$/.test(part.gap))
    return undefined;
  const value =
    part.word.length === 3 ? Number(whole.word + part.word) : Number(`${whole.word}.${part.word}`);
  return { value: { value, isSure: false }, from, to: from + 2 };
}

/** A single word such as "for" counts callers only if the number ends the clause: not in "for two years". */
function followsGroup(tokens: readonly Token[], from: number, to: number): boolean {
  const next = tokens[to];
  const isClauseEnd = next === undefined || breaksClause(next.gap);
  const longest = 3;
  return [1, 2, longest].some(
    (back) => from >= back && (back > 1 || isClauseEnd) && groups.at(tokens, from - back)?.to === from,
  );
}

/** Words between the numbers of a sum. */
const widest = 4;

function isAdded(one: Found<Count>, other: Found<Count>, tokens: readonly Token[]): boolean {
  if (other.from - one.to > widest) return false;
  const next = tokens[other.to];
  if (!next || breaksClause(next.gap) || !personWords.has(next.word)) return false;
  for (let index = other.from - 1; index >= one.to; index -= 1) {
    const word = tokens[index]?.word ?? '';
    if (connectors.has(word)) return true;
    if (!fillers.has(word)) return false;
  }
  return false;
}

function sum(one: Found<Count>, other: Found<Count>): Found<Count> {
  return {
    value: { value: one.value.value + other.value.value, isSure: true },
    from: one.from,
    to: other.to,
  };
}
