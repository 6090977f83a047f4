import { execFileSync } from 'node:child_process';
import { cpus } from 'node:os';
import type { CheckTimes } from './check-times.ts';
import type { Seen } from './design-damage.ts';

/** The limit for one check, in milliseconds. */
export const longestCheck = 250;

/** Returns the report of a run as Markdown. */
export function reportOf(
  seen: Seen,
  times: readonly CheckTimes[],
  run: { seed: number; command: string },
): string {
  const rows = [...seen.answers].toSorted(([one], [other]) => one.localeCompare(other));
  return `# Damaged designs

${new Date().toISOString()}, commit ${commit()}, ${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.versions.node}.
\`${run.command}\`, seed ${run.seed}.

Each sample is a real design with one to three damages. The run validates, writes and activates it over REST. Every
fourth sample is also written and validated over MCP, where 400 stands for any error. Instead of these steps, every 25th
sample stores a design with a kind of step that the API does not expose. Some damages leave a design valid.

| what | count | expected |
|---|---|---|
| damages | ${seen.damages} | |
| accepted, each as one version with its audit row | ${seen.accepted} | |
| rejected | ${seen.refused} | |
| 5xx other than 501 unsupported_step | ${seen.serverErrors} | 0 |
| rows that no accepted write explains | ${seen.strayRows} | 0 |
| disagreements of validation and write, or of REST and MCP | ${seen.disagreements} | 0 |
| failures in all | ${seen.failureCount} | 0 |

## Responses

| operation | status | code | count |
|---|---|---|---|
${rows.map(([answer, times]) => answerRow(answer, times)).join('\n')}

## The check alone

The schema check and all other checks of a parsed document, as in validate_design. Times are milliseconds of the
thread's processor time, so that other load on the machine does not count.

| documents | number | median | p99 | longest | slowest document | limit |
|---|---|---|---|---|---|---|
${times.map(timesRow).join('\n')}
${seen.failures.length > 0 ? `\n## Failures\n\n${seen.failures.map((one) => `- ${one}`).join('\n')}\n` : ''}`;
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
