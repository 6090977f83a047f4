import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { stopEmbedded } from '../../../src/postgres/embedded/embedded.ts';
import type { Place } from './place.ts';

/** The time limit for any step of a process, in milliseconds. */
export const patience = 60_000;
const children = new Set<ChildProcess>();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

/** A running command. */
export interface Running {
  readonly child: ChildProcess;
  stdout(): string;
  stderr(): string;
  readonly ended: Promise<number | null>;
}

/** Starts a Parley command. Its environment has only PATH, PARLEY_HOME and `env`. */
export function start({ root, home, prefix = [] }: Place, args: readonly string[], env = {}): Running {
  const [command = '', ...rest] = [...prefix, process.execPath, path.join(root, 'bin/parley.js'), ...args];
  const child = spawn(command, rest, {
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', PARLEY_HOME: home, ...env },
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.add(child);
  let [stdout, stderr] = ['', ''];
  child.stdout?.on('data', (chunk) => {
    stdout += String(chunk);
  });
  child.stderr?.on('data', (chunk) => {
    stderr = (stderr + String(chunk)).slice(-200_000);
  });
  const ended = once(child, 'close').then(([code]) => {
    children.delete(child);
    return code as number | null;
  });
  return { child, stdout: () => stdout, stderr: () => stderr, ended };
}

/** Runs a Parley command until it exits, or kills it after `patience`. */
export async function runParley(place: Place, args: readonly string[], env = {}) {
  const { child, ended, stdout, stderr } = start(place, args, env);
  const late = setTimeout(() => child.kill('SIGKILL'), patience);
  const code = await ended;
  clearTimeout(late);
  return { code, stdout: stdout(), stderr: stderr() };
}

/** Kills every process that still runs, stops the Postgres of a home, and removes the folder. */
export async function remove(folder: string, home: string): Promise<void> {
  for (const child of children) child.kill('SIGKILL');
  while (children.size > 0) await delay(10);
  await stopEmbedded(home).catch(() => undefined);
  fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
