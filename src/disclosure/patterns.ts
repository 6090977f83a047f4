import { normalise } from './normalise.ts';
import { sentencesOf, type Token, withoutDiacritics } from './tokens.ts';

/** A set of words: `word`, `stem*`, `*ending`, `*part*`. Words of four letters or more also match without diacritics. */
export interface WordSet {
  has(token: Token): boolean;
  /** By what an index finds the set. */
  keys(): WordKeys;
}

/** The words of a set, without diacritics. */
export interface WordKeys {
  readonly words: readonly string[];
  /** Those of `stem*`. */
  readonly stems: readonly string[];
  /** True if the set has words by their ending or by a part. */
  readonly isOpen: boolean;
}

/** One part of a pattern. */
interface Part {
  readonly words: WordSet | undefined;
  readonly mark: string | undefined;
  /** The maximum number of arbitrary words here; 0 if this is not a gap. */
  readonly gap: number;
  /** The gap may contain marks too. */
  readonly overMarks: boolean;
  readonly optional: boolean;
}

/** A sequence of parts; see {@link pattern}. */
export type Pattern = readonly Part[];

/** Reads a list of words that are separated by spaces. */
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
    keys: () => ({
      words: [...[...exact].map(withoutDiacritics), ...plain],
      stems: parts.flatMap(({ text, open }) => (open === 'end' ? [text] : [])),
      isOpen: parts.some(({ open }) => open !== 'end'),
    }),
    has: ({ kind, word, plain: bare }) =>
      kind === 'word' &&
      (plain.has(bare) ||
        exact.has(word) ||
        parts.some(({ text, open }) =>
          open === 'end'
            ? bare.startsWith(text)
            : open === 'start'
              ? bare.endsWith(text)
              : bare.includes(text),
        )),
  };
}

/**
 * Reads a pattern. Its parts are `word`, `one|other`, `optional?`, `~3` (up to three words), `…3` (up to three words or
 * marks), `,` (any mark), `:`, `–`, and `^` (the start of the sentence, or after a mark).
 */
export function pattern(text: string): Pattern {
  return text
    .split(/\s+/)
    .filter((part) => part !== '')
    .flatMap((part): Part[] => {
      const gap = /^([~…])(\d)$/.exec(part);
      const none = { words: undefined, mark: undefined, gap: 0, overMarks: false, optional: false };
      if (gap) return [{ ...none, gap: Number(gap[2]), overMarks: gap[1] === '…' }];
      const optional = part.endsWith('?');
      const core = optional ? part.slice(0, -1) : part;
      if (/^[,:–^]$/.test(core)) return [{ ...none, mark: core, optional }];
      return partsOf(core.split('|')).map((words) => ({ ...none, words, optional }));
    });
}

/** Words such as `c'est|j'ai` become several parts. All alternatives must have the same number of tokens. */
function partsOf(alternatives: readonly string[]): WordSet[] {
  const split = alternatives.map((word) =>
    /\p{L}['-]\p{L}/u.test(word)
      ? sentencesOf(normalise(word)).flatMap(({ tokens }) => tokens.map((token) => token.word))
      : [word],
  );
  const length = split[0]?.length ?? 0;
  return Array.from({ length }, (_, index) => wordSet(split.map((words) => words[index] ?? '').join(' ')));
}

/**
 * Matches a pattern at a place, forwards (`step` 1) or backwards (`step` -1).
 * @returns the place after the match, in the direction of the step; undefined without a match.
 */
export function match(
  tokens: readonly Token[],
  at: number,
  parts: Pattern,
  step: 1 | -1,
  index = 0,
): number | undefined {
  const part = step === 1 ? parts[index] : parts[parts.length - 1 - index];
  if (part === undefined) return at;
  const next = (from: number) => match(tokens, from, parts, step, index + 1);
  if (part.gap > 0) {
    for (let taken = 0; taken <= part.gap; taken++) {
      const found = next(at + taken * step);
      if (found !== undefined) return found;
      const token = tokens[at + taken * step];
      if (token === undefined || (token.kind === 'mark' && !part.overMarks)) return undefined;
    }
    return undefined;
  }
  if (part.mark === '^') return isClauseStart(tokens[step === 1 ? at - 1 : at]) ? next(at) : undefined;
  const token = tokens[at];
  if (token !== undefined && fits(token, part)) {
    const found = next(at + step);
    if (found !== undefined) return found;
  }
  return part.optional ? next(at) : undefined;
}

function isClauseStart(before: Token | undefined): boolean {
  return before === undefined || before.kind === 'mark';
}

function fits(token: Token, { words, mark }: Part): boolean {
  if (mark !== undefined) return token.kind === 'mark' && (mark === ',' || token.raw === mark);
  return words?.has(token) ?? false;
}

/** Every match of a pattern, as [start, end). */
export function matches(tokens: readonly Token[], parts: Pattern): [start: number, end: number][] {
  return tokens.flatMap((_, start) => {
    const end = match(tokens, start, parts, 1);
    return end === undefined ? [] : [[start, end] as [number, number]];
  });
}
