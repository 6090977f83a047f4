import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { testHome } from '../helpers/test-home.ts';

/**
 * Installs a peer into a folder of the tests' home, once for each content of its lock. Returns the folder, or undefined if
 * that fails, after a report of the reason. Peers are too large for the dependencies that everybody installs.
 */
export function installPeer(
  lock: string,
  install: (folder: string) => void,
  report: (reason: string) => void,
): string | undefined {
  const name = path.basename(path.dirname(lock));
  const hash = createHash('sha256').update(readFileSync(lock)).digest('hex').slice(0, 12);
  const folder = path.join(testHome, `${name}-${hash}`);
  if (existsSync(folder)) return folder;
  // Renamed at the end, so nothing of an interrupted installation is used.
  const unfinished = `${folder}-${process.pid}`;
  try {
    install(unfinished);
    renameSync(unfinished, folder);
    return folder;
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    const reason = (error as Error).message.split('\n', 3).join(' ');
    report(`${name} cannot be installed: ${reason}`);
    return undefined;
  }
}

/** Installs the packages of npm that a folder of this one has a lock for. */
export function installPackages(name: string, report: (reason: string) => void): string | undefined {
  const source = path.join(import.meta.dirname, name);
  const install = (folder: string) => {
    for (const file of ['package.json', 'package-lock.json'])
      cpSync(path.join(source, file), path.join(folder, file));
    run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], folder);
  };
  return installPeer(path.join(source, 'package-lock.json'), install, report);
}

/** Runs a program that installs something. Its error has what the program wrote to stderr. */
export function run(program: string, args: readonly string[], cwd?: string): void {
  execFileSync(program, args, { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
}
