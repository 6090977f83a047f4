import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { serverUser } from './embedded-place.ts';

/** Runs a program of Postgres as the server's user. It outlives this process and receives no signal of its terminal. */
export function runProgram(
  command: string,
  args: readonly string[],
  stdio: SpawnOptions['stdio'],
): ChildProcess {
  return spawn(command, args, {
    ...serverUser,
    cwd: '/',
    detached: true,
    stdio,
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
  });
}
