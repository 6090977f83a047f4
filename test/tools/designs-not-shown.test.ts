import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { starterDesign } from '../../src/design/starter.ts';
import { created, type DesignProject, openDesignProject, refused } from '../helpers/design-project.ts';
import { openWorld, type World } from '../helpers/world.ts';

let world: World;
let project: DesignProject;
beforeAll(async () => {
  world = await openWorld();
  project = await openDesignProject(world);
});
afterAll(() => world.close());

const at = (id: string) => `/v1/conversations/${id}`;

describe('a conversation of kind simple', () => {
  let id: string;
  beforeEach(async () => {
    id = created(await project.create({ kind: 'simple' })).id;
  });

  test('returns 501 for every operation on its design, whatever the version', async () => {
    for (const n of [1, 2, 9007199254740991])
      for (const query of ['', '?outline=true', '?steps=greeting'])
        refused(await project.read(id, n, query), 501, 'not_yet_supported');
    refused(await project.write(id, starterDesign), 501, 'not_yet_supported');
    refused(await project.write(id, starterDesign, { version: 7 }), 501, 'not_yet_supported');
    for (const design of [starterDesign, { steps: 7 }])
      refused(await project.validate(id, design), 501, 'not_yet_supported');
    expect(await project.versions(id)).toHaveLength(1);
  });

  test('returns 501 after the errors of the schema and before those of the design', async () => {
    refused(await project.write(id, { ...starterDesign, surplus: 1 }), 400, 'invalid_request');
    refused(await project.read(id, 0), 400, 'invalid_request');
    const design = { ...starterDesign, entry: { stepId: 'nobody' } };
    refused(await project.write(id, design), 501, 'not_yet_supported');
  });

  test('cannot be created with a design', async () => {
    const before = (await project.call('GET', `/v1/projects/${project.projectId}/conversations`)).body;
    refused(await project.create({ kind: 'simple', design: starterDesign }), 501, 'not_yet_supported');
    const after = (await project.call('GET', `/v1/projects/${project.projectId}/conversations`)).body;
    expect(after).toStrictEqual(before);
  });

  test('can be updated and activated; its design is null', async () => {
    for (const answer of [
      await project.call('PATCH', at(id), { name: 'Plain' }),
      await project.activate(id, 1),
    ]) {
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({ name: 'Plain', kind: 'simple', activeVersion: 1, design: null });
    }
    refused(await project.activate(id, 2), 404, 'not_found');
  });
});

describe('a stored design with a step of a kind that is not exposed', () => {
  const unknown = (kind: unknown) => ({
    schemaVersion: 'cd/1',
    entry: { stepId: 'hello' },
    steps: {
      hello: { kind: 'greeting', introLine: 'Hello.', on: { next: 'game' } },
      game: { kind, rules: [] },
    },
    layout: { hello: { x: 1, y: 2 }, game: { x: 3, y: 4 } },
    compliance: { aiDisclosure: { hello: { status: 'approved', checkedText: 'Hello.' } } },
  });
  let id: string;

  /** Version 1 is active and readable; version 2 is neither. */
  async function withUnknown(kind: unknown = 'game'): Promise<string> {
    const conversationId = await project.newConversation();
    created(await project.write(conversationId, starterDesign));
    await project.store(conversationId, 2, unknown(kind));
    return conversationId;
  }

  beforeEach(async () => {
    id = await withUnknown();
  });

  test.each(['game', 'constructor', 'toString', 'Greeting', '', null, 7, ['greeting'], undefined])(
    'of kind %j cannot be read, not even in part',
    async (kind) => {
      const conversationId = await withUnknown(kind);
      for (const query of ['', '?outline=true', '?steps=hello', '?steps=nobody'])
        refused(await project.read(conversationId, 2, query), 501, 'unsupported_step');
      expect((await project.read(conversationId, 1)).status).toBe(200);
      refused(await project.read(conversationId, 3), 404, 'not_found');
    },
  );

  test('cannot be activated', async () => {
    const before = (await project.call('GET', at(id))).body;
    refused(await project.activate(id, 2), 501, 'unsupported_step');
    expect((await project.call('GET', at(id))).body).toStrictEqual(before);
    expect((await project.versions(id)).map(({ n, isActive }) => [n, isActive])).toEqual([
      [2, false],
      [1, true],
    ]);
  });

  test('is returned as null if it is already active and activated again', async () => {
    await project.store(id, 1, unknown('game'));
    const before = (await project.call('GET', at(id))).body;
    const { status, body } = await project.activate(id, 1);
    expect([status, body]).toEqual([200, { ...before, design: null }]);
    expect((await project.call('PATCH', at(id), {})).body).toStrictEqual(body);
    expect((await project.call('GET', at(id))).body).toStrictEqual(before);
    // Not after another version has become active.
    await project.store(id, 2, starterDesign);
    expect((await project.activate(id, 2)).status).toBe(200);
    refused(await project.activate(id, 1), 501, 'unsupported_step');
  });

  test('is returned as null if it is already active and the conversation is updated', async () => {
    await project.store(id, 1, unknown('game'));
    const { status, body } = await project.call('PATCH', at(id), { name: 'Games' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ name: 'Games', activeVersion: 1, design: null });
    expect((await project.call('GET', at(id))).body.name).toBe('Games');
  });

  test('is listed, and can be the base of the next version, which keeps its layout and verdicts', async () => {
    expect((await project.versions(id)).map(({ n }) => n)).toEqual([2, 1]);
    const { layout, compliance, ...design } = unknown('end');
    const sent = { ...design, steps: { ...design.steps, game: { kind: 'end' } } };
    expect(await project.problems(id, sent)).toEqual([]);
    const { version: n, design: stored } = created(await project.write(id, sent, { version: 2 }));
    expect(n).toBe(3);
    expect(stored).toStrictEqual({ ...sent, layout, compliance });
    expect((await project.activate(id, 3)).status).toBe(200);
  });

  test('is listed among the changes of a version_conflict', async () => {
    const error = refused(await project.write(id, starterDesign, { version: 1 }), 409, 'version_conflict');
    expect(error.details).toMatchObject({ version: 1, newestVersion: 2 });
    expect(error.details.changes).toContainEqual({ path: '/steps/game', change: 'added' });
  });

  test('cannot be written, because the schema does not allow the kind', async () => {
    const { details } = refused(await project.write(id, unknown('game')), 400, 'invalid_request');
    expect(details.issues).toMatchObject([{ in: 'body', path: '/design/steps/game/kind' }]);
    refused(await project.create({ design: unknown('game') }), 400, 'invalid_request');
  });
});
