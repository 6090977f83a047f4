import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Design } from '../../src/design/schema/design.ts';
import { disclosedDesign } from '../designs/disclosed.ts';
import { designNames } from '../designs/real-designs.ts';
import { type DesignProject, openDesignProject, refused } from '../helpers/design-project.ts';
import { openWorld, type World } from '../helpers/world.ts';
import { type Member, members, patternOf } from './format.ts';
import { type Place, pointerOf, valueAt, withValueAt } from './places.ts';

interface Found {
  readonly design: Design;
  readonly place: Place;
}

let world: World;
let project: DesignProject;
let conversationId: string;
/** Where the smallest real design has each member of the format. */
const places = new Map<string, Found>();

beforeAll(async () => {
  world = await openWorld();
  project = await openDesignProject(world);
  conversationId = await project.newConversation();
  const designs = await Promise.all(designNames.map((name) => disclosedDesign(world, project, name)));
  for (const design of designs.toSorted((a, b) => JSON.stringify(a).length - JSON.stringify(b).length))
    for (const place of everyPlace(design)) {
      const pattern = patternOf(design, place);
      if (!places.has(pattern)) places.set(pattern, { design, place });
    }
});
afterAll(() => world.close());

function everyPlace(value: unknown, at: Place = []): Place[] {
  if (typeof value !== 'object' || value === null) return [at];
  const names = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  const inside = names.flatMap((name) => everyPlace(valueAt(value, [name]), [...at, name]));
  return at.length > 0 ? [at, ...inside] : inside;
}

function placeOf({ pattern }: Member): Found {
  const found = places.get(pattern);
  if (!found) throw new Error(`no real design has ${pattern}`);
  return found;
}

/** Members by the design that has them. Members that contain no other can all be broken at once. */
function damageable(wanted: readonly Member[]) {
  const found = wanted.map((member) => ({ member, ...placeOf(member) }));
  return [...Map.groupBy(found, ({ design }) => design)].map(([design, all]) => {
    const others = all.filter(({ member: { type, pattern } }) => holds.has(type) || decides.test(pattern));
    return { design, leaves: all.filter((one) => !others.includes(one)), others };
  });
}

const holds = new Set(['object', 'map', 'list']);
/** The kind of a step decides which other members it has. */
const decides = /^\/steps\/\w+\/kind$/;

async function shapeProblems(design: unknown): Promise<string[]> {
  const problems = await project.problems(conversationId, design);
  return problems
    .filter(({ code }) => code === 'invalid_request')
    .map(({ path }) => path)
    .toSorted();
}

test('uses real designs that have every member of the format and no other', () => {
  expect([...places.keys()].toSorted()).toEqual(members.map(({ pattern }) => pattern).toSorted());
});

test('reports a missing member if, and only if, it is required', async () => {
  // Without its calendarDate, a branch is one on a variable, which lacks its predicate.
  const named = members.filter(
    ({ pattern }) => !pattern.endsWith('/*') && !pattern.endsWith('/calendarDate'),
  );
  for (const { design, leaves, others } of damageable(named.filter(({ required }) => required))) {
    const places = leaves.map(({ place }) => place);
    const damaged = places.reduce((at, place) => withValueAt(at, place, undefined), design);
    expect(await shapeProblems(damaged)).toEqual(places.map(pointerOf).toSorted());
    for (const { place } of others)
      expect(await shapeProblems(withValueAt(design, place, undefined))).toEqual([pointerOf(place)]);
  }
  for (const { design, leaves, others } of damageable(named.filter(({ required }) => !required))) {
    const damaged = leaves.reduce((at, { place }) => withValueAt(at, place, undefined), design);
    expect(await shapeProblems(damaged)).toEqual([]);
    for (const { place } of others)
      expect(await shapeProblems(withValueAt(design, place, undefined)), pointerOf(place)).toEqual([]);
  }
});

const long = 'x'.repeat(10_001);
const wrong: Readonly<Record<string, readonly unknown[]>> = {
  id: ['', 7, null],
  text: [7, null, {}],
  string: [7, null, {}],
  number: ['1', null, true],
  integer: [1.5, '1', null],
  boolean: ['true', null, 1],
  object: [[], null, 'x'],
  map: [[], null, 'x'],
  list: [{}, null, 'x'],
};
const wrongOf = ({ type }: Member, round: number) => (wrong[type] ?? ['nothing', null, 7])[round];

test.each([0, 1, 2])('reports a value of another type at its place (%i)', async (round) => {
  for (const { design, leaves, others } of damageable(members)) {
    const damaged = leaves.reduce(
      (at, { member, place }) => withValueAt(at, place, wrongOf(member, round)),
      design,
    );
    const places = leaves.map(({ place }) => pointerOf(place));
    expect(await shapeProblems(damaged)).toEqual(places.toSorted());
    for (const { member, place } of others) {
      const paths = await shapeProblems(withValueAt(design, place, wrongOf(member, round)));
      expect(paths, member.pattern).toEqual([pointerOf(place)]);
    }
  }
});

test('accepts text of 0 to 10,000 characters', async () => {
  for (const { design, leaves } of damageable(members.filter(({ type }) => type === 'text'))) {
    const places = leaves.map(({ place }) => place);
    const empty = places.reduce((at, place) => withValueAt(at, place, ''), design);
    expect(await shapeProblems(empty)).toEqual([]);
    for (let from = 0; from < places.length; from += 10) {
      const some = places.slice(from, from + 10);
      const filled = (text: string) => some.reduce((at, place) => withValueAt(at, place, text), design);
      expect(await shapeProblems(filled(long.slice(1)))).toEqual([]);
      expect(await shapeProblems(filled(long))).toEqual(some.map(pointerOf).toSorted());
    }
  }
});

test('accepts every word of a picklist', async () => {
  const choices = members.filter(({ type, pattern }) => type.includes('|') && !decides.test(pattern));
  for (const { design, leaves } of damageable(choices))
    for (let word = 0; word < 7; word++) {
      const said = leaves.reduce(
        (at, { member, place }) => withValueAt(at, place, member.type.split('|')[word] ?? valueAt(at, place)),
        design,
      );
      expect(await shapeProblems(said)).toEqual([]);
    }
});

test('refuses unknown members and lists the known ones', async () => {
  for (const member of members.filter(({ type }) => type === 'object')) {
    const { design, place } = placeOf(member);
    const surplus = [...place, 'surplus'];
    const problems = await project.problems(conversationId, withValueAt(design, surplus, 1));
    const [first] = problems.filter(({ code }) => code === 'invalid_request');
    expect(first, member.pattern).toMatchObject({ path: pointerOf(surplus) });
    const known = members.filter(({ pattern }) => pattern.startsWith(`${member.pattern}/`));
    const names = known
      .map(({ pattern }) => pattern.slice(member.pattern.length + 1))
      .filter((name) => !name.includes('/'));
    for (const name of names) expect(first?.message).toContain(name);
  }
});

test('accepts counts that are whole numbers from 1 to 100', async () => {
  for (const pattern of ['/steps/collect/maxAttempts', '/steps/answer/maxTurns']) {
    const { design, place } = placeOf({ pattern, type: 'integer', required: false });
    for (const [value, accepted] of [
      [0, false],
      [1, true],
      [100, true],
      [101, false],
    ] as const) {
      const paths = await shapeProblems(withValueAt(design, place, value));
      expect(paths).toEqual(accepted ? [] : [pointerOf(place)]);
    }
  }
});

test('reports the same problems for a write, with paths from the top of the body', async () => {
  for (const pattern of ['/entry/stepId', '/steps/greeting/on', '/hooks/*/nodes/*/id']) {
    const { design, place } = placeOf({ pattern, type: 'id', required: true });
    const { details } = refused(
      await project.write(conversationId, withValueAt(design, place, undefined)),
      400,
      'invalid_request',
    );
    const issue = { in: 'body', path: `/design${pointerOf(place)}`, message: 'Is required.' };
    expect(details).toEqual({ issues: [issue] });
  }
});

test('reports one problem at the top for a value that is not an object', async () => {
  for (const value of [null, [], 'x', 7, true]) {
    expect(await shapeProblems(value), JSON.stringify(value)).toEqual(['']);
    refused(await project.write(conversationId, value), 400, 'invalid_request');
  }
});
