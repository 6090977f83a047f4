import { isDeepStrictEqual as same } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Conflict, mergeDesigns } from '../../src/design/merge.ts';
import type { Design } from '../../src/design/schema/design.ts';
import { valueAt } from '../../src/design/value.ts';
import { rawDesign } from '../designs/real-designs.ts';
import { runs, seed } from '../helpers/runs.ts';
import { designAndEdits, editable, edited, fieldsOf } from './design-edits.ts';
import { segmentsOf } from './sent.ts';

const numRuns = Math.ceil(runs / 3);
const usual = { seed, numRuns };

describe('a merge of two changes of a design', () => {
  test('with none on one side is the other side', () => {
    fc.assert(
      fc.property(designAndEdits(1), ([base, [edits = []]]) => {
        const changed = edited(base, edits);
        const whole = { merged: authored(changed), conflicts: [] };
        expect(same(mergeDesigns(base, base, changed), whole)).toBe(true);
        expect(same(mergeDesigns(base, changed, changed), whole)).toBe(true);
        // JSON also compares the order of the members, which must be that of the newest version.
        expect(JSON.stringify(mergeDesigns(base, changed, base))).toBe(JSON.stringify(whole));
      }),
      usual,
    );
  });

  test('holds every field that either changed, unless it says which ones both did', () => {
    const counts = { free: 0, conflicting: 0 };
    fc.assert(
      fc.property(designAndEdits(2), ([base, [one = [], other = []]]) => {
        const [theirs, yours] = [edited(base, one), edited(base, other)];
        const { merged, conflicts } = mergeDesigns(base, theirs, yours);
        for (const conflict of conflicts) expectReal(conflict, base, theirs);
        counts[conflicts.length > 0 ? 'conflicting' : 'free']++;
        if (conflicts.length === 0)
          expect(same(sorted(fieldsOf(merged)), sorted(fieldsBothLeft(base, theirs, yours)))).toBe(true);
      }),
      usual,
    );
    expect(Math.min(counts.free, counts.conflicting)).toBeGreaterThan(numRuns / 10);
  });

  test('comes to the same whoever was first, and names the same conflicts', () => {
    fc.assert(
      fc.property(designAndEdits(2), ([base, [one = [], other = []]]) => {
        const [a, b] = [edited(base, one), edited(base, other)];
        const [first, second] = [mergeDesigns(base, a, b), mergeDesigns(base, b, a)];
        const swapped = second.conflicts.map(({ base: old, theirs, yours }) =>
          JSON.stringify([old, yours, theirs]),
        );
        const told = first.conflicts.map(({ base: old, theirs, yours }) =>
          JSON.stringify([old, theirs, yours]),
        );
        expect(told.toSorted()).toEqual(swapped.toSorted());
        if (told.length === 0)
          expect(same(sorted(fieldsOf(first.merged)), sorted(fieldsOf(second.merged)))).toBe(true);
      }),
      usual,
    );
  });

  test('has no conflict where they changed different steps', () => {
    const side = fc.record({ odd: fc.string(), even: fc.string() });
    fc.assert(
      fc.property(fc.constantFrom(...editable).map(rawDesign), side, (base, { odd, even }) => {
        const renamed = (parity: number, name: string): Design => ({
          ...base,
          steps: Object.fromEntries(
            Object.entries(base.steps).map(([stepId, step], index) => [
              stepId,
              index % 2 === parity ? { ...step, name } : step,
            ]),
          ),
        });
        const [theirs, yours] = [renamed(0, even), renamed(1, odd)];
        const { merged, conflicts } = mergeDesigns(base, theirs, yours);
        expect(conflicts).toEqual([]);
        for (const [index, [stepId, step]] of Object.entries((merged as Design).steps).entries())
          expect(step).toEqual({ ...base.steps[stepId], name: index % 2 === 0 ? even : odd });
        expect(mergeDesigns(base, yours, theirs).merged).toEqual(merged);
      }),
      usual,
    );
  });
});

test('a list that each put into another order is in conflict as a whole', () => {
  const [x, y, z] = ['x', 'y', 'z'].map((id) => ({ id, type: 'text' }) as const);
  const ordered = (...variables: unknown[]) => ({ ...rawDesign('minimal'), variables }) as Design;
  const { conflicts } = mergeDesigns(ordered(x, y, z), ordered(y, x, z), ordered(x, z, y));
  expect(conflicts).toEqual([{ path: '/variables', base: [x, y, z], theirs: [y, x, z], yours: [x, z, y] }]);
});

/** Returns the expected fields after two changes without a conflict: each as the side that changed it left it. */
function fieldsBothLeft(...versions: readonly [base: Design, theirs: Design, yours: Design]) {
  const [base, theirs, yours] = [fields(versions[0]), fields(versions[1]), fields(versions[2])];
  const names = new Set([...theirs.keys(), ...yours.keys()]);
  const left = [...names].map((name): [string, unknown] => {
    const isTheirs = base.get(name) !== theirs.get(name);
    return [name, (isTheirs ? theirs : yours).get(name)];
  });
  return new Map(left.filter(([, value]) => value !== undefined));
}

const fields = (design: Design) => fieldsOf(authored(design));

/** Asserts that a conflict shows the stored value of its field, and that each side changed it differently. */
function expectReal({ path, base, theirs, yours }: Conflict, before: Design, newest: Design): void {
  const place = segmentsOf(path) ?? [];
  const [now, old] = [newest, before].map((design) => valueAt(authored(design), place));
  expect(theirs === null ? old : now).toEqual(theirs ?? base);
  expect(theirs).not.toEqual(base);
  expect(yours).not.toEqual(base);
  expect(yours).not.toEqual(theirs);
}

function authored({ compliance: _, ...design }: Design): unknown {
  return design;
}

function sorted(fields: ReadonlyMap<string, unknown>): [string, unknown][] {
  return [...fields].toSorted(([one], [other]) => (one < other ? -1 : 1));
}
