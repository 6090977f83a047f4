import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mayList, parseSelection, selectTools, tighten, toolsOf } from '../../src/environment/selection.ts';
import { accesses } from '../../src/operation/access.ts';
import type { Caller } from '../../src/operation/context.ts';
import { ToolError } from '../../src/platform/errors.ts';
import { toolsets } from '../../tools/index.ts';
import { runs, seed } from '../helpers/runs.ts';

const usual = { seed, numRuns: runs };
const tools = toolsOf(toolsets);
const names = tools.map(({ name }) => name);

const known = { toolsets: Object.keys(toolsets), tools: names, exclude: names, access: [...accesses] };
const parameter = fc.constantFrom(...(Object.keys(known) as (keyof typeof known)[]));

/** Generates a list as people write it, with spaces and empty items. */
const listOf = (values: readonly string[]) =>
  fc
    .array(fc.tuple(fc.constantFrom(...values), fc.constantFrom('', ' ', '\t', ',')), {
      minLength: 1,
      maxLength: 4,
    })
    .map((words) => words.map(([word, space]) => `${space}${word}${space}`).join(','));

const right = fc.uniqueArray(
  parameter.chain((name) => listOf(known[name]).map((text): [string, string] => [name, text])),
  { selector: ([name]) => name, maxLength: 4 },
);
const wrong = fc.oneof(
  fc.tuple(fc.string(), fc.string()),
  fc.tuple(parameter, fc.string()),
  fc.tuple(fc.constantFrom('__proto__', 'constructor', 'Tools', ''), listOf(names)),
);
const callers: fc.Arbitrary<Caller> = fc.record({
  keyId: fc.constant('key'),
  projectId: fc.constant('project'),
  keyType: fc.constantFrom('secret', 'publishable'),
  scope: fc.constantFrom('service_app', 'service_platform', 'platform'),
  access: fc.subarray([...accesses]).map((some) => new Set(some)),
});

const shownTo = (caller: Caller, given: Iterable<readonly [string, string]>) => {
  const selection = parseSelection(toolsets, given);
  const tightened = tighten(caller, selection);
  const shown = selectTools(toolsets, selection).filter((tool) => mayList(tightened, tool));
  return { tightened, shown: shown.map(({ name }) => name) };
};

describe('a selection', () => {
  test('never gives an access or shows a tool that the key has not', () => {
    fc.assert(
      fc.property(callers, right, (caller, given) => {
        const { tightened, shown } = shownTo(caller, given);
        const without = shownTo(caller, []);
        expect([...tightened.access].filter((access) => !caller.access.has(access))).toEqual([]);
        expect({ ...tightened, access: caller.access }).toEqual(caller);
        expect(shown.filter((name) => !without.shown.includes(name))).toEqual([]);
      }),
      usual,
    );
  });

  test('is tightened by every exclusion and access that is added', () => {
    fc.assert(
      fc.property(callers, right, listOf(names), listOf(accesses), (caller, given, exclude, access) => {
        const others = given.filter(([name]) => name !== 'exclude' && name !== 'access');
        const wide = shownTo(caller, others);
        for (const more of [[['exclude', exclude]], [['access', access]]] as [string, string][][]) {
          const narrow = shownTo(caller, [...others, ...more]);
          expect(narrow.shown.filter((name) => !wide.shown.includes(name))).toEqual([]);
        }
        const excluded = shownTo(caller, [...others, ['exclude', exclude]]).shown;
        expect(excluded.filter((name) => exclude.split(/[\s,]+/).includes(name))).toEqual([]);
      }),
      usual,
    );
  });

  test('that says anything unknown, or something twice, is refused as a whole', () => {
    fc.assert(
      fc.property(right, wrong, fc.nat(), (given, [name, text], place) => {
        const words = text.split(',').map((word) => word.trim());
        const allowed: readonly string[] = Object.hasOwn(known, name)
          ? known[name as keyof typeof known]
          : [];
        const isKnown = words.some(Boolean) && words.every((word) => !word || allowed.includes(word));
        fc.pre(!isKnown);
        const all = given.toSpliced(place % (given.length + 1), 0, [name, text]);
        expect(refusalOf(all)).toBe('invalid_request');
      }),
      usual,
    );
    fc.assert(
      fc.property(
        right.filter((given) => given.length > 0),
        (given) => {
          expect(refusalOf([...given, ...given.slice(0, 1)])).toBe('invalid_request');
        },
      ),
      usual,
    );
  });
});

function refusalOf(given: Iterable<readonly [string, string]>): string | undefined {
  try {
    parseSelection(toolsets, given);
    return undefined;
  } catch (error) {
    if (error instanceof ToolError) return error.code;
    throw error;
  }
}
