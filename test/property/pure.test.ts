import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isJsonObject, jsonProblems } from '../../src/operation/json.ts';
import { jsonPointer } from '../../src/platform/errors.ts';
import { type IdKind, kindLetters, kindOfId, newId } from '../../src/platform/id.ts';
import { isWellFormedKey, mintKey } from '../../src/resources/keys/key.ts';
import { type Page, type PageRequest, pageBytes, pageOf } from '../../src/store/page.ts';
import { runs, seed } from '../helpers/runs.ts';
import { json } from './arbitrary-value.ts';
import { resolvesIn, segmentsOf } from './sent.ts';

const usual = { seed, numRuns: runs };
const kinds = Object.keys(kindLetters) as IdKind[];

describe('a JSON pointer', () => {
  const segment = fc.oneof(fc.string(), fc.stringMatching(/^[~/01]{0,6}$/), fc.nat());

  test('gives its segments back, whatever they hold', () => {
    fc.assert(
      fc.property(fc.array(segment), (segments) => {
        expect(segmentsOf(jsonPointer(segments))).toEqual(segments.map(String));
      }),
      usual,
    );
  });

  test('leads to what it was made for', () => {
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1 }), fc.string(), (segments, other) => {
        const document = segments.reduceRight<unknown>(
          (inner, name) => Object.fromEntries([[name, inner]]),
          7,
        );
        expect(resolvesIn(document, jsonPointer(segments))).toBe(true);
        expect(resolvesIn(document, jsonPointer([...segments, other]))).toBe(false);
      }),
      usual,
    );
  });
});

describe('the problems of a JSON value', () => {
  const clean = json.filter((value) => !hasProblem(value)).map((value) => ({ top: value }));
  const poisons = ['\0', 'a\0b', '\uD800', 'x\uDFFF', Infinity, -Infinity, 2 ** 53, -(2 ** 53), 1e300];
  const wrongNames = ['__proto__', '\0', 'a\0', '\uD800', '\uDC00x'];
  const deepest = 64;

  test('are none where there is nothing wrong', () => {
    fc.assert(
      fc.property(clean, (value) => {
        expect(jsonProblems(value)).toEqual([]);
      }),
      usual,
    );
  });

  test('are found where they are, and nowhere else', () => {
    fc.assert(
      fc.property(clean, fc.nat(), fc.constantFrom(...poisons), (value, at, poison) => {
        const places = placesIn(value);
        const place = places[at % places.length] ?? [];
        const found = jsonProblems(planted(value, place, () => poison));
        expect(found.map(({ path }) => path)).toEqual([place]);
      }),
      usual,
    );
  });

  test('hold the names of members, told at the object that has them', () => {
    fc.assert(
      fc.property(clean, fc.nat(), fc.constantFrom(...wrongNames), json, (value, at, name, member) => {
        const places = placesIn(value);
        const place = places[at % places.length] ?? [];
        const found = jsonProblems(planted(value, place, () => Object.fromEntries([[name, member]])));
        expect(found.map(({ path }) => path)).toEqual([place]);
      }),
      usual,
    );
  });

  test('hold what is nested too deep, once', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 200 }), fc.infiniteStream(fc.boolean()), (levels, lists) => {
        let value: unknown = 'bottom';
        for (let level = 0; level < levels; level++) value = lists.next().value ? [value] : { a: value };
        const [problem, ...more] = jsonProblems(value);
        expect(problem?.path.length).toBe(levels > deepest ? deepest : undefined);
        expect(more).toEqual([]);
      }),
      usual,
    );
  });

  function hasProblem(value: unknown): boolean {
    if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed();
    if (typeof value === 'number') return Math.abs(value) >= 2 ** 53;
    if (typeof value !== 'object' || value === null) return false;
    return Object.entries(value).some(
      ([name, member]) => name === '__proto__' || hasProblem(name) || hasProblem(member),
    );
  }

  type Path = readonly (string | number)[];

  function placesIn(value: unknown, path: Path = []): Path[] {
    const inside = Array.isArray(value)
      ? [...value.entries()]
      : isJsonObject(value)
        ? Object.entries(value)
        : [];
    const deeper = inside.flatMap(([step, member]) => placesIn(member, [...path, step]));
    return path.length > 0 ? [path, ...deeper] : deeper;
  }

  function planted(value: unknown, [step, ...rest]: Path, make: () => unknown): unknown {
    if (step === undefined) return make();
    if (Array.isArray(value))
      return value.map((item: unknown, index) => (index === step ? planted(item, rest, make) : item));
    const entries = Object.entries(value as object) as [string, unknown][];
    return Object.fromEntries(
      entries.map(([name, member]) => [name, name === step ? planted(member, rest, make) : member]),
    );
  }
});

describe('an id', () => {
  const time = fc.integer({ min: 0, max: 2 ** 50 - 1 });

  test('is well formed and says what it names', () => {
    fc.assert(
      fc.property(fc.constantFrom(...kinds), time, (kind, now) => {
        const id = newId(kind, now);
        expect(id).toMatch(/^c[a-z]{2}[0-9a-v]{26}$/);
        expect(kindOfId(id)).toBe(kind);
      }),
      usual,
    );
  });

  test('sorts by the time of its creation', () => {
    fc.assert(
      fc.property(fc.constantFrom(...kinds), time, time, (kind, one, other) => {
        fc.pre(one !== other);
        expect(newId(kind, one) < newId(kind, other)).toBe(one < other);
      }),
      usual,
    );
  });

  test('sorts after those that were made before it in the same millisecond', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...kinds), { minLength: 2 }), time, (order, now) => {
        const ids = order.map((kind) => newId(kind, now).slice(3));
        expect(ids.toSorted()).toEqual(ids);
        expect(new Set(ids).size).toBe(ids.length);
      }),
      usual,
    );
  });
});

describe('the text of a key', () => {
  const key = fc.constantFrom('secret' as const, 'publishable' as const).map((type) => mintKey(type).text);
  const character = fc.oneof(fc.stringMatching(/^[0-9A-Za-z_]$/), fc.string({ minLength: 1, maxLength: 1 }));

  test('is refused with any one character changed, gone or added', () => {
    fc.assert(
      fc.property(key, fc.nat(), character, (text, place, other) => {
        expect(isWellFormedKey(text)).toBe(true);
        const at = place % text.length;
        if (text[at] !== other)
          expect(isWellFormedKey(text.slice(0, at) + other + text.slice(at + 1))).toBe(false);
        expect(isWellFormedKey(text.slice(0, at) + text.slice(at + 1))).toBe(false);
        expect(isWellFormedKey(text.slice(0, at) + other + text.slice(at))).toBe(false);
      }),
      usual,
    );
  });
});

describe('the pages of a list', () => {
  const mebibyte = 2 ** 20;
  const small = fc.array(fc.nat(40), { maxLength: 30 });
  const large = fc.array(fc.constantFrom(0, 3 * mebibyte, 8 * mebibyte - sizeOf(''), 9 * mebibyte), {
    minLength: 1,
    maxLength: 5,
  });
  const limit = fc.integer({ min: 1, max: 10 });

  test('hold every item once and in order, and end at the limit', () => {
    fc.assert(fc.property(small, limit, expectWhole), usual);
  });

  test('end at 8 MiB, but never before the first item', () => {
    fc.assert(fc.property(large, limit, expectWhole), { seed, numRuns: Math.ceil(runs / 15) });
  });

  function expectWhole(lengths: readonly number[], most: number): void {
    const rows = lengths.map((length, index) => ({
      id: String(index).padStart(2, '0'),
      text: 'x'.repeat(length),
    }));
    const pages = [...walk(rows, { limit: most })];
    expect(pages.flatMap(({ items }) => items).map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
    for (const { items } of pages) {
      const bytes = items.reduce((sum, { text }) => sum + sizeOf('') + text.length, 0);
      expect(items.length).toBeLessThanOrEqual(most);
      expect(items.length > 0 || rows.length === 0).toBe(true);
      expect(items.length === 1 || bytes <= pageBytes).toBe(true);
    }
  }

  function sizeOf(text: string): number {
    return JSON.stringify({ id: '00', text }).length;
  }

  /** Follows the cursors of a list. Like a store, it reads one row more than the limit. */
  function* walk<Row extends { id: string }>(rows: readonly Row[], page: PageRequest): Generator<Page<Row>> {
    const start = page.cursor === undefined ? 0 : rows.findIndex(({ id }) => id === page.cursor) + 1;
    const read = pageOf(rows.slice(start, start + page.limit + 1), page, ({ id }) => id);
    yield read;
    if (read.nextCursor !== undefined) yield* walk(rows, { ...page, cursor: read.nextCursor });
  }
});
