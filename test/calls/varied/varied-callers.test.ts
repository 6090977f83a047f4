import { describe, expect, test } from 'vitest';
import { variedCaller } from './generate.ts';
import { plansOf } from './plans.ts';
import { playVaried, readers, type VariedCall } from './play.ts';
import { recorded } from './recorded.ts';
import { sample } from './report.ts';

const counts = recorded();

describe.each(Object.keys(plansOf))('the template %s', (template) => {
  test.each(readers)(
    `serves at least as many of its first ${sample} varied callers as recorded: %s`,
    async (reader) => {
      const calls: VariedCall[] = [];
      for (let seed = 0; seed < sample; seed++)
        calls.push(await playVaried(variedCaller(template, seed), reader));
      const served = calls.filter(({ reasons }) => reasons.length === 0).length;
      expect(served).toBeGreaterThanOrEqual(counts.get(`${template} ${reader}`)?.servedOfSample ?? sample);
    },
  );
});

test('a varied caller is the same each time', async () => {
  const [one, other] = [variedCaller('after-hours', 7), variedCaller('after-hours', 7)];
  expect(one).toEqual(other);
  expect((await playVaried(one, 'faulty model')).lines).toEqual(
    (await playVaried(other, 'faulty model')).lines,
  );
});
