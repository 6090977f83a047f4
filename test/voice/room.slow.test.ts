import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findProgram, reportMissing } from '../helpers/find-program.ts';
import type { Report } from './room-trial.ts';
import { lines } from './trial-design.ts';

const trial = path.join(import.meta.dirname, 'room-trial.ts');
const goFolders = [
  process.env['GOBIN'] ?? '',
  path.join(process.env['GOPATH'] ?? path.join(os.homedir(), 'go'), 'bin'),
];
const liveKit = process.env['LIVEKIT_SERVER'] ?? findProgram(['livekit-server'], goFolders);
const missing = whatIsMissing();
if (missing !== undefined) reportMissing(`${missing}, so no voice worker answers calls`);

/** Milliseconds that the trial may take, in which somebody speaks for half a minute. */
const limit = 120_000;

describe.skipIf(missing !== undefined)('a voice worker in LiveKit rooms', () => {
  const reports = new Map<string, Report>();
  let driver: ChildProcess;

  beforeAll(async () => {
    driver = spawn('unshare', ['--net', process.execPath, trial, liveKit ?? ''], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: { ...process.env, NODE_ENV: 'production' },
    });
    const { stderr } = driver;
    let errors = '';
    stderr?.on('data', (piece: Buffer) => {
      errors = `${errors}${piece.toString()}`.slice(-10_000);
    });
    driver.on('message', (report: Report) => reports.set(report.scenario, report));
    const code = await new Promise<number | null>((resolve) => driver.once('close', resolve));
    if (code !== 0) throw new Error(`The trial exited with ${String(code)}.\n${errors}`);
  }, limit);
  afterAll(() => {
    driver?.kill('SIGKILL');
  });

  const factsOf = (scenario: string) => {
    const report = reports.get(scenario);
    if (report === undefined || 'error' in report)
      throw new Error(report?.error ?? `${scenario} was not reached`);
    return report.facts;
  };

  it('is heard greeting, answers three turns, and hangs up by deleting the room', () => {
    const roomDeleted = 5;
    expect(factsOf('conversation')).toMatchObject({
      greetingMs: expect.any(Number),
      responsesMs: [expect.any(Number), expect.any(Number), expect.any(Number)],
      disconnectReason: roomDeleted,
    });
  });

  it('stops within a line that the caller interrupts, and reports the words that were heard', () => {
    const { stoppedMs, storyMs, heard } = factsOf('conversation');
    expect(stoppedMs).toBeLessThan(Number(storyMs));
    const { turn, text } = heard as { turn: number; text: string };
    expect(turn).toBe(4);
    expect(text.length).toBeGreaterThan(10);
    expect(lines.story.startsWith(`${text} `)).toBe(true);
  });

  it('tells Parley after the lines before it that a transfer of a caller without a telephone failed', () => {
    const { transferred, logged } = factsOf('conversation');
    expect(transferred).toMatchObject({ transferred: false, reason: 'the caller is not on the telephone' });
    expect(logged).not.toContain('turn-failed');
  });

  it('logs how long each turn took, and neither a credential nor what somebody said', () => {
    const { turns, logged } = factsOf('conversation');
    expect(turns).toContainEqual(
      expect.objectContaining({ kind: 'text', totalMs: expect.any(Number), soundMs: expect.any(Number) }),
    );
    expect(logged).not.toMatch(/trial-key|secretsecret|eyJ|when are you open|bookshop/);
  });

  it('takes over the call of a worker that was killed: it apologises and says the last lines again', () => {
    expect(factsOf('crash')).toMatchObject({
      said: ['Sorry, I lost you for a moment.', lines.answer],
      starts: 2,
      sessions: 2,
      resumedMs: expect.any(Number),
    });
  });

  it('finishes its call after SIGTERM, takes no other, and exits with 0', () => {
    expect(factsOf('drain')).toEqual({ isAlive: true, code: 0, isEnded: true, tookNext: true });
  });
});

/** What the trial needs and this machine lacks. */
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
