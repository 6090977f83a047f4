import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findProgram, reportMissing } from '../helpers/find-program.ts';
import type { NumberReport } from './number-trial.ts';
import { missing, startTrial, type Trial } from './trial.ts';

const lacking = missing ?? (findProgram(['redis-server'], []) ? undefined : 'redis-server is not installed');
if (lacking !== undefined) reportMissing(`${lacking}, so no number is connected`);

describe.skipIf(lacking !== undefined)('parley number connect', () => {
  const reports = new Map<string, NumberReport>();
  let trial: Trial;

  beforeAll(async () => {
    trial = startTrial(path.join(import.meta.dirname, 'number-trial.ts'));
    trial.process.on('message', (report: NumberReport) => reports.set(report.step, report));
    await trial.over;
  }, 120_000);
  afterAll(() => {
    trial?.process.kill('SIGKILL');
  });

  const at = (step: string) => {
    const report = reports.get(step);
    if (!report) throw new Error(`${step} was not reached`);
    return report;
  };

  it.each(['connected', 'connected again'])(
    'makes one trunk, and one rule that asks for a worker (%s)',
    (step) => {
      const { code, trunks, rules } = at(step);
      expect(code).toBe(0);
      expect(trunks).toEqual([expect.objectContaining({ numbers: ['+12025550123'] })]);
      const [{ roomConfig }] = rules as [
        { roomConfig: { agents: { agentName: string; metadata: string }[] } },
      ];
      expect(rules).toHaveLength(1);
      const [agent] = roomConfig.agents;
      expect(agent?.agentName).toBe('parley');
      expect(JSON.parse(agent?.metadata ?? '')).toEqual({
        projectId: expect.stringMatching(/^cpr/),
        phoneNumberId: expect.stringMatching(/^cpn/),
        mode: 'phone',
      });
    },
  );

  it('says where calls go, who may call, and whether a SIP service responds', () => {
    expect(JSON.parse(at('connected').printed)).toEqual({
      number: '+12025550123',
      status: 'connected',
      callsGoTo: 'sip:+12025550123@127.0.0.1',
      sipService: expect.stringMatching(/^does not respond/),
      admits: 'anybody',
      answeredBy: expect.stringMatching(/^nothing yet/),
    });
    expect(JSON.parse(at('connected again').printed)).toMatchObject({ sipService: 'responds' });
  });

  it('undoes all of it, also twice', () => {
    const { printed, trunks, rules } = at('removed');
    expect([JSON.parse(printed).status, trunks, rules]).toEqual(['removed', [], []]);
    expect(JSON.parse(at('removed again').printed).status).toBe('nothing was connected');
  });

  it.each([
    ['without a LiveKit server', /There is no number|LiveKit at ws:.* refuses/],
    ['an unknown number', /There is no number \+12025550123/],
  ])('fails with one line %s', (step, message) => {
    const { code, printed } = at(step);
    expect([code, printed.trimEnd().split('\n')]).toEqual([1, [expect.stringMatching(message)]]);
  });
});
