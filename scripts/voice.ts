/**
 * Starts the voice worker in `voice/`, which has packages of its own: 250 MB that only machines that answer calls need. Installs
 * them first if they are missing or older than their lock.
 *
 * Usage: npm run voice
 */
import { spawn, spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const folder = path.join(root, 'voice');

if (changedAt('node_modules/.package-lock.json') < changedAt('package-lock.json')) {
  // Without scripts, because that of onnxruntime-node downloads what only machines with a GPU use.
  const { status } = spawnSync(
    'npm',
    ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', folder],
    {
      stdio: ['ignore', 2, 2],
      shell: process.platform === 'win32',
    },
  );
  if (status !== 0) {
    console.error('The packages of the voice worker could not be installed; npm says why above.');
    process.exit(1);
  }
}

const environment = {
  // The client of rooms writes a line for each event to standard output, unless this is production.
  NODE_ENV: 'production',
  // With a smaller young generation and fewer arenas of the C library, ten calls take 130 MB instead of 200.
  MALLOC_ARENA_MAX: '2',
  ...process.env,
};
const command = ['--max-semi-space-size=8', path.join(folder, 'main.ts')];
// The worker replaces this process, so that each signal reaches it once: a second one ends calls.
if (process.execve && process.platform !== 'win32')
  process.execve(process.execPath, [process.execPath, ...command], environment);
const worker = spawn(process.execPath, command, { stdio: 'inherit', env: environment });
worker.once('exit', (code) => process.exit(code ?? 1));

/** When a file in `voice/` changed, in milliseconds; 0 if it does not exist. */
function changedAt(file: string): number {
  return statSync(path.join(folder, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
