import { corrects, surelyTakesBackAt } from './correction-words.ts';
import { languagesOf } from './language-guess.ts';
import type { Language } from './languages.ts';
import { breaksClause, folded, phrases, type Token, tokensOf, wordSet } from './words.ts';

/** What a turn takes back, and what it says in its place: "it's the green vase, not the blue one". */
export interface Replacement {
  readonly refused: readonly Token[];
  readonly meant: readonly Token[];
}

const notWords: Readonly<Record<Language, ReadonlySet<string>>> = {
  en: wordSet('not'),
  de: wordSet('nicht'),
  fr: wordSet('pas'),
  es: wordSet('no'),
  it: wordSet('non'),
  nl: wordSet('niet'),
  pt: wordSet('não'),
  pl: wordSet('nie'),
};
const connectors = wordSet('and but und aber et mais y pero e ma en maar i a ale mas');
const insteadOf = phrases(
  'instead of|rather than|statt|anstatt|anstelle von|au lieu de|en lugar de|en vez de|invece di|in plaats van|em vez de|zamiast',
);
const determiners = wordSet(
  "the a an my our your his her this that der die das den dem ein eine einen mein meine le la les l un une mon ma el los las una mi il lo gli i mio de het een mijn o os as um uma meu minha it s is was are we re at for number it's",
);
const idle = wordSet('one ones eine einer eines uno una el la der die das the of');
/** Words of what is refused or meant, at most. */
const longest = 6;

/** True if a turn takes anything back, so that a value in it may replace a known one. */
export function takesAnythingBack(tokens: readonly Token[], language: Language): boolean {
  return tokens.some(
    ({ word }, index) =>
      surelyTakesBackAt(tokens, index, language) ||
      corrects.has(tokens, index) ||
      notWords[language].has(word),
  );
}

/** {@link takesAnythingBack} of a text. */
export function correctsAnything(text: string): boolean {
  const tokens = tokensOf(text);
  const [language = 'en'] = languagesOf(tokens);
  return takesAnythingBack(tokens, language);
}

/** undefined if the turn takes nothing back. */
export function replacementIn(tokens: readonly Token[], language: Language): Replacement | undefined {
  for (let index = 0; index < tokens.length; index += 1) {
    const instead = insteadOf.at(tokens, index);
    const isNot =
      notWords[language].has(tokens[index]?.word ?? '') &&
      (index === 0 ||
        breaksClause(tokens[index]?.gap ?? '') ||
        connectors.has(tokens[index - 1]?.word ?? ''));
    if (!instead && !isNot) continue;
    const start = instead?.to ?? index + 1;
    const end = clauseEnd(tokens, start);
    const refused = tokens.slice(start, end).filter(({ word }) => !idle.has(word) && !determiners.has(word));
    const before = tokens
      .slice(clauseStart(tokens, index), index)
      .filter(({ word }) => !connectors.has(word));
    const meant = before.length > 0 ? before : tokens.slice(end, clauseEnd(tokens, end));
    if (refused.length > 0 && refused.length <= longest && meant.length > 0) return { refused, meant };
  }
  return undefined;
}

function clauseEnd(tokens: readonly Token[], from: number): number {
  const end = tokens.findIndex((token, index) => index > from && breaksClause(token.gap));
  return end < 0 ? tokens.length : end;
}

function clauseStart(tokens: readonly Token[], end: number): number {
  for (let index = end - 1; index > 0; index -= 1) if (breaksClause(tokens[index]?.gap ?? '')) return index;
  return 0;
}

/** A known text with what the turn says in place of what it takes back; undefined if the text does not say that. */
export function correctedText(known: string, { refused, meant }: Replacement): string | undefined {
  const tokens = tokensOf(known);
  const words = new Set(refused.map(({ word }) => word));
  const from = tokens.findIndex(({ word }) => words.has(word));
  const first = tokens[from];
  if (!first) return undefined;
  let to = from + 1;
  while (to < tokens.length && words.has(tokens[to]?.word ?? '')) to += 1;
  const next = tokens[to]?.word;
  const at = meant.findIndex(({ word }) => word === next);
  if (at > 0) {
    const said = tail(meant.slice(0, at));
    return said === '' ? undefined : replaced(known, first, tokens[to - 1], said);
  }
  // "Bluebird Studio, not Redwood" replaces "Redwood Media".
  while (isCapital(first) && isCapital(tokens[to]) && /^\s+$/.test(tokens[to]?.gap ?? '')) to += 1;
  const said = tail(meant);
  return said === '' ? undefined : replaced(known, first, tokens[to - 1], said);
}

function isCapital(token: Token | undefined): boolean {
  return token !== undefined && /^\p{Lu}/u.test(token.said);
}

/** The last words after a determiner, as said. */
function tail(tokens: readonly Token[]): string {
  const start = tokens.findLastIndex(({ word }) => determiners.has(word)) + 1;
  return tokens
    .slice(Math.max(start, tokens.length - longest))
    .map(({ said, gap }, index) => (index === 0 ? said : gap + said))
    .join('');
}

function replaced(known: string, first: Token, last: Token | undefined, said: string): string | undefined {
  const text = known.slice(0, first.start) + said + known.slice(last?.end ?? first.end);
  return folded(text) === folded(known) ? undefined : text;
}

/** Numbers such as 14, 48213 and 15,000, but not the groups of a telephone number. */
const numerals = /(?<![\d-]|\d[ .])\d+(?:,\d{3})*(?![\d-]|[ .]\d)/g;

/** A known text with the last number of a turn in place of its only one; undefined if the turn says no other of as many digits. */
export function withNumberOf(known: string, turn: string): string | undefined {
  const [old, ...others] = known.match(numerals) ?? [];
  if (old === undefined || others.length > 0) return undefined;
  const meant = (turn.match(numerals) ?? []).findLast(
    (number) => number !== old && number.length === old.length,
  );
  return meant === undefined ? undefined : known.replace(old, meant);
}
