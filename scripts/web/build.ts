/**
 * Builds the web files of a checkout into a folder, which appears at once and whole, whatever else builds it meanwhile.
 *
 * Usage: node scripts/web/build.ts FOLDER
 */
import { existsSync, globSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { buildWeb } from './build-web.ts';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('expected a folder');
const unfinished = `${folder}.${process.pid}`;
const kept = path.dirname(folder);
mkdirSync(kept, { recursive: true });
try {
  await buildWeb(unfinished);
  // Another process may have finished the same build.
  if (!existsSync(folder)) renameSync(unfinished, folder);
} catch (error) {
  if (!existsSync(folder)) throw error;
} finally {
  rmSync(unfinished, { recursive: true, force: true });
}
// Servers hold their files in memory, so older builds serve nobody.
for (const other of globSync('*', { cwd: kept }))
  if (/^[\da-f]+$/.test(other) && other !== path.basename(folder))
    rmSync(path.join(kept, other), { recursive: true, force: true });
