import { execFileSync } from 'node:child_process';
import os from 'node:os';
import type { Outcome } from './hostile-project.ts';

export interface SourceReport extends Outcome {
  readonly what: string;
  readonly id: string;
  readonly bytes?: number;
  readonly isReadable?: boolean;
  /** True if the source belongs to the second round. */
  readonly isAgain?: boolean;
  /** Milliseconds until the response to its POST. */
  readonly post: number;
}

/** The measurements during one case: memory in MiB, times in milliseconds. */
export interface CaseReport {
  readonly what: string;
  readonly sources: readonly SourceReport[];
  readonly before: number;
  readonly most: number;
  readonly after: number;
  readonly times: readonly number[];
  readonly failures: readonly string[];
}

/** A job as `parley jobs --json` prints it. */
export interface JobLine {
  readonly sourceId: string;
  readonly state: string;
  readonly attempts: number;
  readonly error: string | null;
}

interface RunReport {
  readonly cases: readonly CaseReport[];
  readonly jobs: readonly JobLine[];
  /** The lines of the server's log. */
  readonly lines: readonly string[];
  readonly rate: number;
  readonly command: string;
  /** False if the server ended. */
  readonly isThere: boolean;
}

/** Internal names of errors, files and addresses, which mean nothing to the owner of a source. */
const internals = /Error|undefined|null|\bat \S+:\d|\/src\/|node:|127\.0\.0\.1|\bE[A-Z]{4,}\b/;

/** Returns whether an error is one sentence without internal names. */
function isClear(error: string): boolean {
  return /^[A-Z][^\n]{8,150}\.$/.test(error) && !internals.test(error);
}

function faultOf(source: SourceReport, jobs: readonly JobLine[]): string {
  const { id, status, error, isReadable } = source;
  if (isReadable) return status === 'completed' && error === undefined ? '' : 'not indexed';
  if (status !== 'idle' || error === undefined) return 'no error';
  if (!isClear(error)) return 'not clear';
  const job = jobs.find(({ sourceId }) => sourceId === id);
  return job?.state === 'failed' && job.error === error ? '' : 'not in `parley jobs`';
}

export function isGood({ cases, jobs, isThere }: RunReport): boolean {
  return (
    isThere &&
    cases.every(
      ({ sources, failures, times }) =>
        failures.length === 0 && times.length > 0 && sources.every((source) => faultOf(source, jobs) === ''),
    )
  );
}

export function reportOf({ cases, jobs, lines, rate, command, isThere }: RunReport): string {
  const commit = execFileSync('git', ['describe', '--always', '--dirty', '--abbrev=12', '--exclude=*'], {
    encoding: 'utf8',
  }).trim();
  const processors = `${os.availableParallelism()} × ${os.cpus()[0]?.model.trim()}`;
  const sources = cases.flatMap((one) => one.sources);
  const listed = sources.filter((source) => !source.isAgain || faultOf(source, jobs) !== '');
  const failures = cases.flatMap((one) => one.failures);
  const asked = cases.reduce((sum, { times }) => sum + times.length, failures.length);
  return `# Hostile sources

${new Date().toISOString()}, commit ${commit}, ${processors}, load ${os.loadavg()[0]?.toFixed(1)}, Node ${process.versions.node}.
\`node test/faults/hostile-sources.ts${command && ` ${command}`}\`

The script adds the sources to one \`parley serve\` over REST, one after another. Seconds run from the response to the POST
until indexing ended, and in parentheses until the first error, if that was earlier. Parley requests a site that does not
respond in time six times in all. The table lists sources of the second round only if something is wrong with them.

| source | MB | POST, ms | indexingStatus | error | seconds | \`parley jobs\` (attempts) | |
|---|---|---|---|---|---|---|---|
${listed.map((source) => sourceRow(source, jobs)).join('\n')}

At the same time, a client requests a flow and /healthz in turn, ${rate} times a second in all: ${asked} requests, of which
${failures.length} failed${failures.length > 0 ? ` (${[...new Set(failures)].join(', ')})` : ''}. Times are milliseconds from the moment at which a request was due. Memory is the server's resident memory in MiB.

| case | requests | p50 | p99 | longest | failed | memory before | most | after |
|---|---|---|---|---|---|---|---|---|
${cases.map(caseRow).join('\n')}

The server ${isThere ? 'ran to the end' : 'ENDED'}. Its log has ${lines.length} lines: ${lines.filter(isWarning).length} are warnings or worse, and ${lines.filter((line) => sources.some(({ id }) => line.includes(id))).length} name one of the sources.
`;
}

function sourceRow(source: SourceReport, jobs: readonly JobLine[]): string {
  const { what, id, bytes, post, status, error = '', seconds, firstError = seconds } = source;
  const job = jobs.find(({ sourceId }) => sourceId === id);
  const since = seconds - firstError > 1 ? ` (error after ${firstError.toFixed(1)})` : '';
  const cells = [
    what,
    bytes === undefined ? '' : (bytes / 1e6).toFixed(2),
    post.toFixed(0),
    status,
    error,
    seconds.toFixed(1) + since,
    job ? `${job.state} (${job.attempts})` : '',
    faultOf(source, jobs) || 'ok',
  ];
  return `| ${cells.join(' | ')} |`;
}

function caseRow({ what, times, failures, before, most, after }: CaseReport): string {
  const shares = [0.5, 0.99, 1].map((share) => quantile(times, share).toFixed(1));
  const memory = [before, most, after].map((value) => value.toFixed(0));
  return `| ${[what, times.length, ...shares, failures.length, ...memory].join(' | ')} |`;
}

function quantile(values: readonly number[], share: number): number {
  return (
    values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0
  );
}

function isWarning(line: string): boolean {
  return /"level":(?:[456]0|"(?:warn|error|fatal)")/.test(line);
}
