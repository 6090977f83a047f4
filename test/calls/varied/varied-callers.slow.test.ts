import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { troubles, variedCallers } from './generate.ts';
import { plansOf } from './plans.ts';
import { playVaried, readers, type VariedCall } from './play.ts';
import { recorded, recordFile } from './recorded.ts';
import { countsOf, type Played, report } from './report.ts';

const played: Played[] = [];
for (const template of Object.keys(plansOf))
  for (const reader of readers) {
    const calls: VariedCall[] = [];
    for (const caller of variedCallers(template)) calls.push(await playVaried(caller, reader));
    played.push({ template, reader, calls });
  }

test('templates serve at least as many varied callers as recorded', () => {
  if (process.env['UPDATE_VARIED'] === '1') writeFileSync(recordFile, report(played));
  const counts = recorded();
  const fewer = played
    .map((one) => ({ ...countsOf(one), name: `${one.template} ${one.reader}`, population: one.calls.length }))
    .filter(({ name, served, population }) => served < (counts.get(name)?.served ?? population))
    .map(({ name, served }) => `${name}: ${served}, not ${counts.get(name)?.served ?? 'recorded'}`);
  expect(fewer, 'UPDATE_VARIED=1 records the present figures').toEqual([]);
});

test('the population has callers of every kind', () => {
  const callers = Object.keys(plansOf).flatMap(variedCallers);
  expect(callers).toHaveLength(1_600);
  const rare = troubles.filter(
    (one) => callers.filter(({ axes }) => axes.troubles.includes(one)).length < 10,
  );
  expect(rare).toEqual([]);
  for (const [template, { plans }] of Object.entries(plansOf))
    for (const { key } of plans)
      expect(
        callers.some(({ caller, axes }) => caller.agent === template && axes.plan === key),
        `${template}: ${key}`,
      ).toBe(true);
});
