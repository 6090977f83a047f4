import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { findProgram } from '../helpers/find-program.ts';

const goFolders = [
  process.env['GOBIN'] ?? '',
  path.join(process.env['GOPATH'] ?? path.join(os.homedir(), 'go'), 'bin'),
];
const liveKit = process.env['LIVEKIT_SERVER'] ?? findProgram(['livekit-server'], goFolders);

/** Why no trial with a LiveKit server can run here; undefined if it can. */
export const missing = whatIsMissing();

/** A trial in a network namespace of its own, which reports by messages. */
export interface Trial {
  readonly process: ChildProcess;
  /** Rejects if the trial fails, with what it has written to standard error. */
  readonly over: Promise<void>;
}

/** Starts a file as a trial, with the LiveKit server as its argument. */
export function startTrial(file: string): Trial {
  const child = spawn('unshare', ['--net', process.execPath, file, liveKit ?? ''], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: { ...process.env, NODE_ENV: 'production' },
  });
  let errors = '';
  child.stderr?.on('data', (piece: Buffer) => {
    errors = `${errors}${piece.toString()}`.slice(-10_000);
  });
  const over = new Promise<void>((resolve, reject) => {
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`The trial exited with ${String(code)}.\n${errors}`));
    });
  });
  return { process: child, over };
}

function whatIsMissing(): string | undefined {
  if (liveKit === undefined || !existsSync(liveKit))
    return 'no livekit-server in PATH, $LIVEKIT_SERVER or the folder of Go (go install github.com/livekit/livekit-server/cmd/server@v1.11.0)';
  if (!existsSync(path.join(import.meta.dirname, '../../voice/node_modules')))
    return 'voice/node_modules is missing (npm ci --ignore-scripts --prefix voice)';
  for (const program of ['espeak-ng', 'ip', 'unshare'])
    if (findProgram([program], ['/usr/sbin', '/sbin']) === undefined) return `${program} is not installed`;
  try {
    execFileSync('unshare', ['--net', 'true'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'this user may not make a network namespace (unshare --net)';
  }
}
