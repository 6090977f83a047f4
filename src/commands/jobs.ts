import { type ListedJob, listJobs } from '../jobs/listing.ts';
import { parseArguments } from './command.ts';
import { withCore } from './open.ts';

export const usage = '[--json]';

/** More than anybody reads. */
const maximumJobs = 1000;

const columns = ['id', 'sourceId', 'state', 'attempts', 'error', 'since'] as const;

/** `parley jobs`: the sources that wait to be indexed, are indexed now, or could not be. */
export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArguments(args, { json: { type: 'boolean' } });
  const jobs = await withCore(({ knex }) => listJobs(knex, maximumJobs));
  process.stdout.write(values['json'] ? `${JSON.stringify({ jobs })}\n` : table(jobs));
}

function table(jobs: readonly ListedJob[]): string {
  const rows = [columns, ...jobs.map((job) => columns.map((column) => oneLine(job[column])))];
  const widths = columns.map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)));
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, index) => cell.padEnd(widths[index] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

/** A message may come from a website: nothing in it moves the cursor. */
function oneLine(value: string | number | null): string {
  return String(value ?? '').replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ');
}
