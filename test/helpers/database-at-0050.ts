import { readFileSync } from 'node:fs';
import path from 'node:path';
import { emptyDatabase, query } from './parley.ts';

const dump = readFileSync(path.join(import.meta.dirname, 'database-at-0050.sql'), 'utf8');

/** A database without rows, as the migrations made it that the baseline has replaced. */
export async function databaseAt0050(): Promise<string> {
  const url = await emptyDatabase();
  await query(url, dump);
  return url;
}
