import { normalise } from './normalise.ts';
import { sentencesOf, type Token, withoutDiacritics } from './tokens.ts';

/** Words to look up: `word`, `stem*`, `*ending`, `*part*`. From four letters on diacritics may be missing. */
export interface WordSet {
  has(token: Token): boolean;
}

/** One place of a pattern. */
interface Place {
  readonly words: WordSet | undefined;
  readonly mark: string | undefined;
  /** How many words may stand here, whichever they are; marks too where the gap is written `…`. */
  readonly gap: number;
  readonly overMarks: boolean;
  readonly optional: boolean;
}

/** Words in their order; see {@link pattern}. */
export type Pattern = readonly Place[];

/** A set of words that are separated by spaces. */
export function wordSet(list: string): WordSet {
  const exact = new Set<string>();
  const plain = new Set<string>();
  const parts: { text: string; open: 'start' | 'end' | 'both' }[] = [];
  const written = list.split(/\s+/).filter((word) => word !== '');
  for (const word of written) {
    const bare = word.replaceAll('*', '');
    if (word.startsWith('*') || word.endsWith('*'))
      parts.push({
        text: withoutDiacritics(bare),
        open: word.startsWith('*') ? (word.endsWith('*') ? 'both' : 'start') : 'end',
      });
    else if (bare.length < 4) exact.add(bare);
    else plain.add(withoutDiacritics(bare));
  }
  return {
    has: (token) =>
      token.kind === 'word' &&
      (exact.has(token.word) ||
        plain.has(token.plain) ||
        parts.some(({ text, open }) =>
          open === 'end'
            ? token.plain.startsWith(text)
            : open === 'start'
              ? token.plain.endsWith(text)
              : token.plain.includes(text),
        )),
  };
}

/**
 * Reads a pattern: `word`, `one|other`, `optional?`, `~3` for up to three words of any kind, `…3` for up to three
 * words or marks, the marks `,` (any mark), `:` and `–`, and `^` where nothing or a mark stands before.
 */
export function pattern(text: string): Pattern {
  return text
    .split(/\s+/)
    .filter((part) => part !== '')
    .flatMap((part): Place[] => {
      const gap = /^([~…])(\d)$/.exec(part);
      const none = { words: undefined, mark: undefined, gap: 0, overMarks: false, optional: false };
      if (gap) return [{ ...none, gap: Number(gap[2]), overMarks: gap[1] === '…' }];
      const optional = part.endsWith('?');
      const core = optional ? part.slice(0, -1) : part;
      if (/^[,:–^]$/.test(core)) return [{ ...none, mark: core, optional }];
      return placesOf(core.split('|')).map((words) => ({ ...none, words, optional }));
    });
}

/** `c'est|j'ai` stands for as many places as its words have tokens, which is the same for each. */
function placesOf(alternatives: readonly string[]): WordSet[] {
  const split = alternatives.map((word) =>
    /\p{L}['-]\p{L}/u.test(word)
      ? sentencesOf(normalise(word)).flatMap(({ tokens }) => tokens.map((token) => token.word))
      : [word],
  );
  const length = split[0]?.length ?? 0;
  return Array.from({ length }, (_, index) => wordSet(split.map((words) => words[index] ?? '').join(' ')));
}

/**
 * Matches a pattern from a place on, forwards or backwards.
 * @returns the place behind the match (before it, backwards), or undefined.
 */
export function match(
  tokens: readonly Token[],
  at: number,
  places: Pattern,
  step: 1 | -1,
  index = 0,
): number | undefined {
  const place = step === 1 ? places[index] : places[places.length - 1 - index];
  if (place === undefined) return at;
  const next = (from: number) => match(tokens, from, places, step, index + 1);
  if (place.gap > 0) {
    for (let taken = 0; taken <= place.gap; taken++) {
      const found = next(at + taken * step);
      if (found !== undefined) return found;
      const token = tokens[at + taken * step];
      if (token === undefined || (token.kind === 'mark' && !place.overMarks)) return undefined;
    }
    return undefined;
  }
  if (place.mark === '^') return isClauseStart(tokens[step === 1 ? at - 1 : at]) ? next(at) : undefined;
  const token = tokens[at];
  if (token !== undefined && fits(token, place)) {
    const found = next(at + step);
    if (found !== undefined) return found;
  }
  return place.optional ? next(at) : undefined;
}

function isClauseStart(before: Token | undefined): boolean {
  return before === undefined || before.kind === 'mark';
}

function fits(token: Token, { words, mark }: Place): boolean {
  if (mark !== undefined) return token.kind === 'mark' && (mark === ',' || token.raw === mark);
  return words?.has(token) ?? false;
}

/** Every place where a pattern matches, as [start, end). */
export function matches(tokens: readonly Token[], places: Pattern): [start: number, end: number][] {
  return tokens.flatMap((_, start) => {
    const end = match(tokens, start, places, 1);
    return end === undefined ? [] : [[start, end] as [number, number]];
  });
}
