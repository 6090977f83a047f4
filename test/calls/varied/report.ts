import { plansOf } from './plans.ts';
import { type ReaderName, readers, type VariedCall } from './play.ts';

/** Callers of each template whom the fast test plays. */
export const sample = 40;

/** Calls of one template with one reader, in the order of their seeds. */
export interface Played {
  readonly template: string;
  readonly reader: ReaderName;
  readonly calls: readonly VariedCall[];
}

/** What a row of the table counts. */
export interface Counts {
  /** Of the whole population, and of the sample at its start. */
  readonly served: number;
  readonly servedOfSample: number;
}

export function countsOf({ calls }: Played): Counts {
  return { served: servedIn(calls), servedOfSample: servedIn(calls.slice(0, sample)) };
}

function servedIn(calls: readonly VariedCall[]): number {
  return calls.filter(({ reasons }) => reasons.length === 0).length;
}

/** The recorded counts, by template and reader. */
export function recordedIn(text: string): ReadonlyMap<string, Counts> {
  const rows = [...text.matchAll(/^\| ([\w-]+) +\| ([a-z ]+?) +\| +(\d+) +\| +(\d+) +\| +(\d+) +\|/gm)];
  return new Map(
    rows.map(([, template, reader, , served, servedOfSample]) => [
      `${template} ${reader}`,
      { served: Number(served), servedOfSample: Number(servedOfSample) },
    ]),
  );
}

const mostReasons = 3;

/** The most frequent first reasons of calls, each with its count. */
function reasonsIn(calls: readonly VariedCall[]): string {
  const counts = new Map<string, number>();
  for (const { reasons } of calls) {
    const [first] = reasons;
    if (first !== undefined) counts.set(first, (counts.get(first) ?? 0) + 1);
  }
  return [...counts]
    .toSorted(([one, times], [other, otherTimes]) => otherTimes - times || one.localeCompare(other))
    .slice(0, mostReasons)
    .map(([reason, times]) => `${reason} (${times})`)
    .join('; ');
}

/** Which values of the axes a caller has. */
function valuesOf({ varied: { axes } }: VariedCall): string[] {
  const { opening, gives, style, troubles } = axes;
  return [
    `opening: ${opening}`,
    `gives: ${gives}`,
    `style: ${style}`,
    ...(troubles.length === 0 ? ['no trouble'] : troubles),
  ];
}

export function report(played: readonly Played[]): string {
  const rows = Object.keys(plansOf).flatMap((template) =>
    readers.map((reader) => {
      const one = played.find((other) => other.template === template && other.reader === reader);
      if (!one) throw new TypeError(`${template} was not played with the ${reader}`);
      const { served, servedOfSample } = countsOf(one);
      const twice = one.calls.reduce((sum, { saidTwice }) => sum + saidTwice.length, 0);
      return `| ${template} | ${reader} | ${one.calls.length} | ${served} | ${servedOfSample} | ${twice} | ${reasonsIn(one.calls)} |`;
    }),
  );
  const axes = new Map<string, { [Reader in ReaderName]: VariedCall[] }>();
  for (const { reader, calls } of played)
    for (const call of calls)
      for (const value of valuesOf(call)) {
        const all = axes.get(value) ?? { rule: [], model: [], 'faulty model': [] };
        all[reader].push(call);
        axes.set(value, all);
      }
  const axisRows = [...axes].map(([value, calls]) => {
    const cells = readers.map((reader) => servedIn(calls[reader]));
    return `| ${value} | ${calls.rule.length} | ${cells.join(' | ')} |`;
  });
  const sums = readers.map((reader) => {
    const calls = played.flatMap((one) => (one.reader === reader ? one.calls : []));
    return `- ${reader}: ${servedIn(calls)} of ${calls.length} are served.`;
  });
  return `# Varied callers

\`test/calls/varied\` makes 200 callers of each template from seeds, and plays each of them as a telephone call is settled: read by
the rule, read by a stand-in for a competent model, and read by the same stand-in with 3 of 10 attempts failing or returning what
nobody has said. A caller is served if the call ends as a good receptionist's would, what was said is noted as it was said, the
questions are answered, and nothing is asked again that was said. What is expected follows from the caller alone.

\`UPDATE_VARIED=1 npx vitest run --config test/vitest.config.ts test/calls/varied/varied-callers.slow.test.ts\` writes this file. The
tests fail if a template serves fewer callers than recorded here; \`npm test\` plays the first ${sample} of each.
\`npx node test/calls/varied/show.ts TEMPLATE READER [SEED]\` prints one call; without a seed, every caller who is not served.

${sums.join('\n')}

| template | reader | played | served | served of the first ${sample} | said twice | most frequent first reasons |
| --- | --- | --- | --- | --- | --- | --- |
${rows.join('\n')}

## By axis

A caller has one value of each of the first three axes, and none, one or two of the troubles below them.

| axis | callers | served by the rule | with the model | with the faulty model |
| --- | --- | --- | --- | --- |
${axisRows.toSorted((one, other) => order(one) - order(other) || one.localeCompare(other)).join('\n')}
`;
}

/** The axes that everybody has come first. */
function order(row: string): number {
  return /^\| (?:opening|gives|style):/.test(row) ? 0 : 1;
}
