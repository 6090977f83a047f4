import { sentencesOf } from './answer.ts';

/** What a clause can name, by the patterns for each; the first that fits counts. */
export type Names = Readonly<Record<string, RegExp>>;

/** Ends a clause; a list of names in one sentence is read as several clauses without a value. */
const clauseEnd = /[,()|]| - |\b(?:and|but|while|whereas|although|though)\b/;

/**
 * Reads which value an answer gives in which case, as texts such as `main pain 2025550190`. Each clause that names a
 * value counts for the cases named last, so any order, lists and tables are understood.
 * @param cases what the values depend on, such as the number and the kind of caller
 * @param skipped clauses that fit are not read
 */
export function readings(
  answer: string,
  cases: readonly Names[],
  values: Names,
  skipped?: RegExp,
): ReadonlySet<string> {
  const read = new Set<string>();
  const named = cases.map((): string[] => []);
  for (const sentence of sentencesOf(cellsOf(answer))) {
    const isOpen = cases.map(() => false);
    for (const clause of sentence.split(clauseEnd)) {
      if (skipped?.test(clause)) continue;
      for (const [index, names] of cases.entries()) {
        const name = firstIn(names, clause);
        if (name === undefined) continue;
        named[index] = [...(isOpen[index] ? (named[index] ?? []) : []), name];
        isOpen[index] = true;
      }
      const value = firstIn(values, clause);
      if (value === undefined) continue;
      for (const combination of combinationsOf(named)) read.add([...combination, value].join(' '));
      isOpen.fill(false);
    }
  }
  return read;
}

function firstIn(names: Names, text: string): string | undefined {
  return Object.entries(names).find(([, pattern]) => pattern.test(text))?.[0];
}

function combinationsOf([first, ...more]: readonly (readonly string[])[]): readonly (readonly string[])[] {
  if (first === undefined) return [[]];
  return first.flatMap((name) => combinationsOf(more).map((others) => [name, ...others]));
}

/** An answer with a line for each cell of its Markdown tables: the heads of its column and its row, then the cell. */
function cellsOf(answer: string): string {
  let heads: readonly string[] | undefined;
  return answer
    .split('\n')
    .flatMap((line) => {
      const cells = /^\s*\|(.*)\|\s*$/
        .exec(line)?.[1]
        ?.split('|')
        .map((cell) => cell.trim());
      if (!cells) {
        heads = undefined;
        return [line];
      }
      if (!heads) {
        heads = cells;
        return [];
      }
      if (cells.every((cell) => /^:?-+:?$/.test(cell))) return [];
      return cells.slice(1).map((cell, index) => `${heads?.[index + 1]}, ${cells[0]}: ${cell}.`);
    })
    .join('\n');
}
