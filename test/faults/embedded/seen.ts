/** A row of the table: a trial and its result. */
export interface Row extends Seen {
  readonly what: string;
}

export interface Seen {
  readonly result: 'pass' | 'FAIL' | 'not tried';
  readonly seen: string;
  /** The median and the longest of the measured times. */
  readonly seconds?: string;
}

export const pass = (seen: string): Seen => ({ result: 'pass', seen });
export const fail = (seen: string): Seen => ({ result: 'FAIL', seen });
export const notTried = (seen: string): Seen => ({ result: 'not tried', seen });

/** Runs a trial. If it throws, its result is a failure with the first line of the error. */
export async function attempt(what: string, work: () => Promise<Seen>): Promise<Row> {
  const seen = await work().catch((error: unknown) => fail(String(error).split('\n', 1)[0] ?? ''));
  console.error(`${seen.result}  ${what}`);
  return { what, ...seen };
}

/** Formats the seconds from a value of `performance.now()` to now. */
export const secondsSince = (moment: number) => ((performance.now() - moment) / 1000).toFixed(2);

export function medianAndMost(seconds: readonly number[]): string {
  const sorted = seconds.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const median = ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
  return `${median.toFixed(2)} / ${sorted.at(-1)?.toFixed(2)}`;
}

/** Formats counts: `12 refused, 1 acknowledged`. */
export const counted = (tally: ReadonlyMap<string, number>) =>
  [...tally].map(([outcome, count]) => `${count} ${outcome}`).join(', ');

export function printTable(rows: readonly Row[]): void {
  console.log(
    '| what was tried | result | what happened | seconds, median / longest |\n| --- | --- | --- | --- |',
  );
  for (const { what, result, seen, seconds = '' } of rows)
    console.log(`| ${what} | ${result} | ${seen.replaceAll('|', '\\|')} | ${seconds} |`);
}
