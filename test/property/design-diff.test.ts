import { isDeepStrictEqual as same } from 'node:util';
import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { patchBetween } from '../../src/design/diff.ts';
import { applyPatch } from '../../src/design/patch.ts';
import { Design } from '../../src/design/schema/design.ts';
import { summaryOf } from '../../src/design/summary/summary.ts';
import { designNames, rawDesign } from '../designs/real-designs.ts';
import { runs, seed } from '../helpers/runs.ts';
import { designAndEdits, edited } from './design-edits.ts';

const isDesign = (value: unknown) => v.is(Design, value);
const usual = { seed, numRuns: Math.ceil(runs / 3) };

describe('the patch from one design to another', () => {
  test.each(designNames)('applies to %s and makes each of the real designs', (name) => {
    const from = rawDesign(name);
    const text = JSON.stringify(from);
    for (const other of designNames) {
      const to = rawDesign(other);
      expect(same(applyPatch(from, patchBetween(from, to)), { document: to }), other).toBe(true);
      expect(summaryOf(from, to).length > 0, other).toBe(name !== other);
    }
    expect(JSON.stringify(from)).toBe(text);
  });

  test('makes an edited design of it, and there are words for what was edited', () => {
    fc.assert(
      fc.property(designAndEdits(2), ([base, [one = [], other = []]]) => {
        const [from, to] = [edited(base, one), edited(base, other)];
        const patch = patchBetween(from, to);
        expect(same(applyPatch(from, patch), { document: to })).toBe(true);
        if (isDesign(from) && isDesign(to)) expect(summaryOf(from, to).length > 0).toBe(patch.length > 0);
      }),
      usual,
    );
  });
});
