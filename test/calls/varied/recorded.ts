import { existsSync, readFileSync } from 'node:fs';
import { type Counts, recordedIn } from './report.ts';

export const recordFile = new URL('../../../docs/measurements/varied-callers.md', import.meta.url);

/** The counts of docs/measurements/varied-callers.md. */
export function recorded(): ReadonlyMap<string, Counts> {
  return recordedIn(existsSync(recordFile) ? readFileSync(recordFile, 'utf8') : '');
}
