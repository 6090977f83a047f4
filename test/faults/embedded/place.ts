import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** A checkout with its home, and how its commands are started. */
export interface Place {
  readonly root: string;
  readonly home: string;
  /** What is put before the command, to run it under other circumstances. */
  readonly prefix?: readonly string[];
}

/** This checkout. */
export const checkout = path.resolve(import.meta.dirname, '../../..');
export const asRoot = process.getuid?.() === 0;
/** What a clone does not have. */
const own = ['.git', '.parley', '.parley-test'];

/** A new folder that everyone may enter. */
export function newFolder(name: string): string {
  const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), `parley-${name}-`));
  fs.chmodSync(folder, 0o755);
  return folder;
}

/** A copy of this checkout in `folder`, with its home in the usual place. */
export function cloneIn(folder: string, without: readonly string[] = []): Place {
  const root = path.join(folder, 'parley');
  fs.mkdirSync(root, { recursive: true });
  const names = fs.readdirSync(checkout).filter((name) => ![...own, ...without].includes(name));
  execFileSync('cp', ['-R', '-P', ...names.map((name) => path.join(checkout, name)), root]);
  return { root, home: path.join(root, '.parley') };
}

/** This checkout, with a home in `folder`. */
export function homeIn(folder: string): Place {
  return { root: checkout, home: path.join(folder, 'home') };
}

/** The number of the server that runs on a home, as its file has it. */
export function serverPid(home: string): number {
  return Number(fs.readFileSync(postmasterFile(home), 'utf8').split('\n', 1)[0]);
}

export const postmasterFile = (home: string) => path.join(home, 'postgres/postmaster.pid');
