import { type ListedJob, listJobs } from '../../jobs/listing.ts';
import { parseArguments } from '../command.ts';
import { withCore } from '../open-core.ts';

export const usage = '[--json]';
export const summary =
  'Lists the knowledge sources that wait to be indexed, are being indexed, or failed for good';

/** More than anyone reads. */
const maximumJobs = 1000;

const columns = ['id', 'sourceId', 'state', 'attempts', 'error', 'since'] as const;

export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArguments(args, { json: { type: 'boolean' } });
  const jobs = await withCore(({ knex }) => listJobs(knex, maximumJobs));
  process.stdout.write(values['json'] ? `${JSON.stringify({ jobs })}\n` : table(jobs));
}

function table(jobs: readonly ListedJob[]): string {
  const rows = [columns, ...jobs.map((job) => columns.map((column) => oneLine(job[column])))];
  const widths = columns.map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join('  ');
  return rows.map((row) => `${line(row).trimEnd()}\n`).join('');
}

/** Removes control characters: a message may come from a website and must not move the cursor. */
function oneLine(value: string | number | null): string {
  return String(value ?? '').replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ');
}
