import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** A checkout with its home, and how to start its commands. */
export interface Place {
  readonly root: string;
  readonly home: string;
  /** A prefix of the command that changes its circumstances, such as `unshare`. */
  readonly prefix?: readonly string[];
}

/** The root folder of this checkout. */
export const checkout = path.resolve(import.meta.dirname, '../../..');
export const asRoot = process.getuid?.() === 0;
/** Folders of a checkout that a clone does not have. */
const own = ['.git', '.parley', '.parley-test'];

/** Makes a temporary folder that every user may enter. */
export function newFolder(name: string): string {
  const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), `parley-${name}-`));
  fs.chmodSync(folder, 0o755);
  return folder;
}

/** Copies this checkout into `folder`, with its home in the default place. */
export function cloneIn(folder: string, without: readonly string[] = []): Place {
  const root = path.join(folder, 'parley');
  fs.mkdirSync(root, { recursive: true });
  const names = fs.readdirSync(checkout).filter((name) => ![...own, ...without].includes(name));
  execFileSync('cp', ['-R', '-P', ...names.map((name) => path.join(checkout, name)), root]);
  return { root, home: path.join(root, '.parley') };
}

/** Returns this checkout with a home in `folder`. */
export function homeIn(folder: string): Place {
  return { root: checkout, home: path.join(folder, 'home') };
}

/** Returns the process id of a home's Postgres server, from its postmaster.pid. */
export function serverPid(home: string): number {
  return Number(fs.readFileSync(postmasterFile(home), 'utf8').split('\n', 1)[0]);
}

export const postmasterFile = (home: string) => path.join(home, 'postgres/postmaster.pid');
