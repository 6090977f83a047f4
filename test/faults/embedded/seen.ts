/** A line of the table: what was tried, how it went and what was seen. */
export interface Row extends Seen {
  readonly what: string;
}

export interface Seen {
  readonly result: 'pass' | 'FAIL' | 'not tried';
  readonly seen: string;
  /** The middle one and the largest, of those that were measured. */
  readonly seconds?: string;
}

export const pass = (seen: string): Seen => ({ result: 'pass', seen });
export const fail = (seen: string): Seen => ({ result: 'FAIL', seen });
export const notTried = (seen: string): Seen => ({ result: 'not tried', seen });

/** What an attempt saw; one that throws has failed, and says why in one line. */
export async function attempt(what: string, work: () => Promise<Seen>): Promise<Row> {
  const seen = await work().catch((error: unknown) => fail(String(error).split('\n', 1)[0] ?? ''));
  console.error(`${seen.result}  ${what}`);
  return { what, ...seen };
}

/** The seconds from one moment of `performance.now()` to now, for people. */
export const secondsSince = (moment: number) => ((performance.now() - moment) / 1000).toFixed(2);

export function medianAndMost(seconds: readonly number[]): string {
  const sorted = seconds.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const median = ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
  return `${median.toFixed(2)} / ${sorted.at(-1)?.toFixed(2)}`;
}

/** `12 refused, 1 acknowledged`. */
export const counted = (tally: ReadonlyMap<string, number>) =>
  [...tally].map(([outcome, count]) => `${count} ${outcome}`).join(', ');

export function printTable(rows: readonly Row[]): void {
  console.log(
    '| what was tried | result | what was seen | seconds, median / most |\n| --- | --- | --- | --- |',
  );
  for (const { what, result, seen, seconds = '' } of rows)
    console.log(`| ${what} | ${result} | ${seen.replaceAll('|', '\\|')} | ${seconds} |`);
}
