import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { McpTool } from '../../src/environment/mcp-view.ts';
import { type IdKind, kindLetters, newId } from '../../src/platform/id.ts';
import { openWorld, type Tenant, type World } from '../helpers/world.ts';
import { arrangeIn } from './arrange.ts';
import { type Door, openDoor, refusal } from './doors.ts';
import { inputsOnce } from './examples.ts';
import { operations, tools } from './registry.ts';

let world: World;
let tenant: Tenant;
let doors: Door[];
beforeAll(async () => {
  world = await openWorld();
  tenant = await world.tenant({ plan: 'enterprise' });
  doors = [await openDoor(world, 'REST', tenant.key), await openDoor(world, 'modern http', tenant.key)];
});
afterAll(() => world?.close());

const inputOf = inputsOnce(() => arrangeIn(world, tenant));
const doorsOf = (tool: McpTool) => (tools.includes(tool) ? doors : doors.slice(0, 1));

const lists = operations.filter(({ input }) => 'cursor' in input.entries);
const kinds = Object.keys(kindLetters) as IdKind[];

/** A cursor of each list, as another project may have got it: a position, and no record of this project. */
const wellFormed: readonly string[] = [
  ...kinds.map((kind) => newId(kind)),
  ...kinds.map((kind) => `${newId(kind)}.1`),
  '7',
  'name:ABC',
];
const malformed: readonly string[] = [
  'abc',
  'ABC',
  '',
  '-',
  '0',
  '01',
  '1.5',
  'null',
  'name:',
  'é',
  "1'--",
  '../x',
  `c${'a'.repeat(28)}`,
  newId('flow').slice(0, -1),
  `${newId('flow')}0`,
  newId('flow').toUpperCase(),
  '1'.repeat(65),
];

test('finds every list with pages', () => {
  expect(lists.length).toBeGreaterThan(15);
});

describe('a cursor of another list, or of none, returns 400 at the cursor', () => {
  test.each(lists)('$name', async (tool) => {
    const input = await inputOf(tool);
    for (const door of doorsOf(tool)) {
      const isTaken: string[] = [];
      for (const cursor of [...malformed, ...wellFormed]) {
        const outcome = await door.call(tool, { ...input, cursor });
        if (!outcome.error) isTaken.push(cursor);
        else
          expect(refusal(outcome, 'invalid_request').details, cursor).toEqual({
            issues: [expect.objectContaining({ path: '/cursor' })],
          });
      }
      expect(isTaken.filter((cursor) => malformed.includes(cursor))).toEqual([]);
      // A search finds records of several kinds.
      const forms = new Set(isTaken.map((cursor) => (cursor.includes('.') ? 'search' : cursor)));
      expect(forms.size, [...forms].join(' ')).toBe(1);
    }
  });
});

describe('a cursor of another project shows records of the own project only', () => {
  test.each(lists)('$name', async (tool) => {
    const { cursor: _, ...input } = await inputOf(tool);
    const [rest] = doors;
    const first = await rest?.call(tool, { ...input, limit: 1000 });
    const idsIn = (value: unknown) => JSON.stringify(value).match(/"id":"[^"]*"/g) ?? [];
    const own = new Set(idsIn(first?.value));
    for (const cursor of wellFormed) {
      const outcome = await rest?.call(tool, { ...input, limit: 1000, cursor });
      if (outcome?.error) continue;
      expect(idsIn(outcome?.value).filter((id) => !own.has(id))).toEqual([]);
    }
  });
});
