import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reportMissing } from '../helpers/find-program.ts';
import type { Report } from './room-trial.ts';
import { missing, startTrial, type Trial } from './trial.ts';
import { lines } from './trial-design.ts';

const trial = path.join(import.meta.dirname, 'room-trial.ts');
if (missing !== undefined) reportMissing(`${missing}, so no voice worker answers calls`);

/** Milliseconds that the trial may take, in which somebody speaks for half a minute. */
const limit = 120_000;

describe.skipIf(missing !== undefined)('a voice worker in LiveKit rooms', () => {
  const reports = new Map<string, Report>();
  let driver: Trial;

  beforeAll(async () => {
    driver = startTrial(trial);
    driver.process.on('message', (report: Report) => reports.set(report.scenario, report));
    await driver.over;
  }, limit);
  afterAll(() => {
    driver?.process.kill('SIGKILL');
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
