import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Design } from '../../src/design/schema/design.ts';
import { starterDesign } from '../../src/design/starter.ts';
import { disclosedDesign } from '../designs/disclosed.ts';
import {
  created,
  type DesignProject,
  openDesignProject,
  refused,
  renamed,
} from '../helpers/design-project.ts';
import { timestamp } from '../helpers/project.ts';
import { openWorld, type World } from '../helpers/world.ts';

let world: World;
let project: DesignProject;
let id: string;
beforeAll(async () => {
  world = await openWorld();
  project = await openDesignProject(world);
});
beforeEach(async () => {
  id = await project.newConversation();
});
afterAll(() => world.close());

describe('a write', () => {
  test('returns 201 and exactly the next version, inactive, with the design as it is stored', async () => {
    const before = (await project.call('GET', `/v1/conversations/${id}`)).body;
    const body = created(await project.write(id, renamed(starterDesign, 'Second')));
    const { design, ...summary } = body;
    expect(summary).toStrictEqual({
      version: 2,
      tag: 'v2',
      isActive: false,
      createdAt: timestamp,
      summary: ['step `greeting`: name added'],
      warnings: [],
      // The starter has nothing to answer from.
      earlierWarnings: 1,
    });
    expect((await project.read(id, 2)).body).toStrictEqual(design);
    expect(design.steps.greeting.name).toBe('Second');
    expect(await project.versions(id)).toMatchObject([
      { n: 2, tag: 'v2', isActive: false },
      { n: 1, tag: 'v1', isActive: true },
    ]);
    // The active version has not changed, so the record has not either.
    expect((await project.call('GET', `/v1/conversations/${id}`)).body).toStrictEqual(before);
  });

  test('accepts a tag of 1 to 100 characters, which need not be unique', async () => {
    for (const tag of ['x', 'x'.repeat(100), 'Été 🙂', 'v1', 'v1'])
      expect(created(await project.write(id, starterDesign, { tag })).tag).toBe(tag);
    expect((await project.versions(id)).map(({ tag }) => tag).slice(0, 2)).toEqual(['v1', 'v1']);
    for (const tag of ['', 'x'.repeat(101), null, 7])
      refused(await project.write(id, starterDesign, { tag }), 400, 'invalid_request');
    expect(created(await project.write(id, starterDesign)).tag).toBe('v7');
  });

  test('of a design that was read stores an equal version, with the same order of members', async () => {
    const id = await project.newConversation({ design: await disclosedDesign(world, project, 'clinic') });
    const { body: read } = await project.read(id, 1);
    const { design } = created(await project.write(id, read, { version: 1 }));
    expect(JSON.stringify(design)).toBe(JSON.stringify(read));
    expect(JSON.stringify((await project.read(id, 2)).body)).toBe(JSON.stringify(read));
  });

  test('stores nothing if it is refused, and uses up no number', async () => {
    const left = () =>
      world.rows(
        `select newest_version, updated_at, (select count(*) from conversation_versions where conversation_id = $1),
           (select count(*) from audit_log) as audited from conversations where id = $1`,
        [id],
      );
    const before = await left();
    for (const design of [
      { ...starterDesign, surplus: 1 },
      { ...starterDesign, entry: { stepId: 'x' } },
    ])
      expect((await project.write(id, design)).body.error.code).toMatch(/^invalid_/);
    expect((await project.write(id, starterDesign, { version: 9 })).status).toBe(409);
    expect(await left()).toStrictEqual(before);
    expect(created(await project.write(id, starterDesign)).version).toBe(2);
  });
});

describe('version', () => {
  test('is accepted if it is the newest version; any other is refused with the newest', async () => {
    for (const version of [1, 2, 3])
      expect(created(await project.write(id, starterDesign, { version })).version).toBe(version + 1);
    for (const version of [1, 3, 5, 9007199254740991]) {
      const { details, message } = refused(
        await project.write(id, starterDesign, { version }),
        409,
        'version_conflict',
      );
      expect(details).toStrictEqual({ version, newestVersion: 4, changes: [] });
      expect(message).toContain('4');
    }
    expect(await project.versions(id)).toHaveLength(4);
  });

  test('must be the newest version, not the active one', async () => {
    created(await project.write(id, starterDesign));
    refused(await project.write(id, starterDesign, { version: 1 }), 409, 'version_conflict');
    await project.activate(id, 2);
    created(await project.write(id, starterDesign, { version: 2 }));
    await project.activate(id, 1);
    refused(await project.write(id, starterDesign, { version: 1 }), 409, 'version_conflict');
  });

  test.each([0, -1, 1.5, 9007199254740992, '1', null])(
    '%j is not the number of a version',
    async (version) => {
      const { details } = refused(
        await project.write(id, starterDesign, { version }),
        400,
        'invalid_request',
      );
      expect(details.issues).toMatchObject([{ in: 'body', path: '/version' }]);
    },
  );
});

describe('the changes of a version_conflict', () => {
  /** The same value with the members of every object in reverse order. */
  const turned = (value: unknown): unknown =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(
          Object.entries(value)
            .map(([name, member]) => [name, turned(member)])
            .toReversed(),
        )
      : value;

  /** The changes between two designs, as a conflict reports them. */
  async function changes(from: Design, to: Design): Promise<{ path: string; change: string }[]> {
    const conversationId = await project.newConversation({ design: from });
    created(await project.write(conversationId, to));
    const answer = await project.write(conversationId, to, { version: 1 });
    return refused(answer, 409, 'version_conflict').details.changes;
  }

  const design: Design = {
    schemaVersion: 'cd/1',
    entry: { stepId: 'a' },
    steps: { a: { kind: 'message', text: 'A', on: { next: 'b/~' } }, 'b/~': { kind: 'end' } },
    hooks: {
      before: { rootNodeId: 'x', nodes: { x: { id: 'x', next: { end: true } }, y: { id: 'y' } } },
    },
    variables: [{ id: 'v', type: 'text' }],
  };

  test('are empty if only the order of members differs', async () => {
    expect(await changes(design, turned(design) as Design)).toEqual([]);
  });

  test('list the steps, hook nodes and other members that were added, removed or changed', async () => {
    const to: Design = {
      ...design,
      entry: { stepId: 'a', alternates: ['c'] },
      steps: {
        a: { kind: 'message', text: 'Another', on: { next: 'c' } },
        c: { kind: 'end', line: 'Goodbye.' },
      },
      hooks: {
        before: { rootNodeId: 'z', nodes: { x: { id: 'x' }, z: { id: 'z' } } },
        after: { nodes: { y: { id: 'y' } } },
      },
      layout: { a: { x: 1, y: 1 } },
    };
    const { variables: _, ...without } = to;
    const told = (await changes(design, without)).map(({ path, change }) => `${change} ${path}`);
    expect(told.toSorted()).toEqual([
      'added /hooks/after',
      'added /hooks/after/nodes/y',
      'added /hooks/before/nodes/z',
      'added /layout',
      'added /steps/c',
      'changed /entry',
      'changed /hooks/before',
      'changed /hooks/before/nodes/x',
      'changed /steps/a',
      'removed /hooks/before/nodes/y',
      'removed /steps/b~1~0',
      'removed /variables',
    ]);
  });

  test('are at most 100', async () => {
    const ends = Array.from({ length: 150 }, (_, index) => [`end-${index}`, { kind: 'end' }]);
    const to = { ...design, steps: { ...design.steps, ...Object.fromEntries(ends) } };
    expect(await changes(design, to)).toHaveLength(100);
  });

  test('combine all versions since the base', async () => {
    for (const name of ['Second', 'Third']) created(await project.write(id, renamed(starterDesign, name)));
    const answer = await project.write(id, starterDesign, { version: 1 });
    expect(refused(answer, 409, 'version_conflict').details).toStrictEqual({
      version: 1,
      newestVersion: 3,
      changes: [{ path: '/steps/greeting', change: 'changed' }],
    });
  });
});
