import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import type { ServerUser } from './user.ts';

/** A program of Postgres that this process has started. */
export interface Program {
  readonly child: ChildProcess;
  /** Lets the program outlive this process. Until then, it is interrupted if this process exits. */
  letRun(): void;
}

/** Runs a program of Postgres as a user, by default that of this process. It receives no signal of this process's terminal. */
export function runProgram(
  command: string,
  args: readonly string[],
  stdio: SpawnOptions['stdio'],
  user: ServerUser | undefined,
): Program {
  const child = spawn(command, args, {
    ...user,
    cwd: '/',
    detached: true,
    stdio,
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
  });
  const interrupt = () => void child.kill('SIGINT');
  const letRun = () => void process.removeListener('exit', interrupt);
  process.once('exit', interrupt);
  child.once('close', letRun);
  return { child, letRun };
}
