import { execFileSync } from 'node:child_process';
import { cpus } from 'node:os';
import type { CheckTimes } from './check-times.ts';
import type { Seen } from './design-damage.ts';

/** What no check may take, in milliseconds. */
export const longestCheck = 250;

/** A run as Markdown. */
export function reportOf(
  seen: Seen,
  times: readonly CheckTimes[],
  run: { seed: number; command: string },
): string {
  const rows = [...seen.answers].toSorted(([one], [other]) => one.localeCompare(other));
  return `# Damaged designs

${new Date().toISOString()}, commit ${commit()}, ${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.versions.node}.
\`${run.command}\`, seed ${run.seed}.

The real designs with one to three damages each, sent to validate_design, to write_design and to activation over REST,
every fourth over MCP as well, where 400 stands for any refusal; every 25th stored with a kind of step that the API does not expose. A damaged design is
harmless where it is still right.

| what                                                                  | figure | wanted |
|---|---|---|
| damages | ${seen.damages} | |
| accepted, each as one version with its audit row | ${seen.accepted} | |
| refused | ${seen.refused} | |
| 5xx other than 501 unsupported_step | ${seen.serverErrors} | 0 |
| rows that no accepted write explains | ${seen.strayRows} | 0 |
| validation and write, or REST and MCP, told otherwise | ${seen.disagreements} | 0 |
| everything that should not be | ${seen.failureCount} | 0 |

## Answers

| door | status | code | times |
|---|---|---|---|
${rows.map(([answer, times]) => answerRow(answer, times)).join('\n')}

## The check alone

Shape and every check of a parsed document, as validate_design makes them: milliseconds of the thread's processor time,
which the rest of the machine does not count in.

| documents | number | median | p99 | longest | which | wanted |
|---|---|---|---|---|---|---|
${times.map(timesRow).join('\n')}
${seen.failures.length > 0 ? `\n## What should not be\n\n${seen.failures.map((one) => `- ${one}`).join('\n')}\n` : ''}`;
}

function answerRow(answer: string, times: number): string {
  const [, door, status, code] = /^(.*?) (\d{3}) ?(.*)$/.exec(answer) ?? [];
  return `| ${door} | ${status} | ${code} | ${times} |`;
}

function timesRow({ what, documents, median, p99, longest, slowest }: CheckTimes): string {
  const figures = [median, p99, longest].map((ms) => ms.toFixed(1)).join(' | ');
  return `| ${what} | ${documents} | ${figures} | ${slowest} | ${longestCheck} |`;
}

function commit(): string {
  return execFileSync('git', ['describe', '--always', '--dirty', '--abbrev=12', '--exclude=*'], {
    encoding: 'utf8',
  }).trim();
}
