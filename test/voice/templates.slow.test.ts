import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { templates } from '../../src/resources/catalogue/templates/index.ts';
import { reportMissing } from '../helpers/find-program.ts';
import type { TemplateReport } from './template-trial.ts';
import { missing, startTrial, type Trial } from './trial.ts';

if (missing !== undefined) reportMissing(`${missing}, so nobody calls the templates`);

/** Milliseconds for eight calls, two at a time, each of half a minute to a minute. */
const limit = 420_000;
/** Milliseconds for which the sound of the callers may be held up. Beyond that, words are lost that were said. */
const tolerance = 80;

describe.skipIf(missing !== undefined)('a call through each template', () => {
  const reports: TemplateReport[] = [];
  let trial: Trial;

  beforeAll(async () => {
    trial = startTrial(path.join(import.meta.dirname, 'template-trial.ts'));
    trial.process.on('message', (report: TemplateReport) => reports.push(report));
    await trial.over;
  }, limit);
  afterAll(() => {
    trial?.process.kill('SIGKILL');
  });

  const callOf = (key: string) => {
    const report = reports.find((one) => 'template' in one && one.template === key);
    if (!report || !('lines' in report))
      throw new Error(report && 'error' in report ? report.error : `nobody has called ${key}`);
    return report;
  };

  it.each(templates.map(({ key }) => key))('%s: the caller hears what a simulation says', (key) => {
    const { lines, path: walked, simulated, outcome } = callOf(key);
    const [disclosure] = lines;
    expect(disclosure).toEqual({ who: 'agent', text: simulated.lines[0]?.text });
    expect(outcome).not.toBe(null);
    const heldUp = reports.flatMap((report) => ('heldUp' in report ? [report.heldUp] : []))[0] ?? 0;
    if (heldUp > tolerance) {
      reportMissing(
        `the machine was busy (${heldUp} ms), so what the callers of ${key} heard is inconclusive`,
      );
      return;
    }
    expect(lines.map(({ who, text }) => ({ who, text }))).toEqual(simulated.lines);
    expect(walked).toEqual(simulated.path);
  });
});
