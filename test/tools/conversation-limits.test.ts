import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { starterDesign } from '../../src/design/starter.ts';
import { created, type DesignProject, openDesignProject, refused } from '../helpers/design-project.ts';
import type { RestAnswer } from '../helpers/world.ts';
import { openWorld, type World } from '../helpers/world.ts';

/** Conversations that the plan `free` allows (`decisions#plan-limits`). */
const limit = 3;

let world: World;
let project: DesignProject;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  project = await openDesignProject(world, { plan: 'free' });
});
afterAll(() => world.close());

const remove = (id: string) => project.call('DELETE', `/v1/conversations/${id}`);

function overLimit(answer: RestAnswer): void {
  const { details } = refused(answer, 403, 'plan_limit_exceeded');
  expect(details).toStrictEqual({ resource: 'conversations', limit, current: limit, plan: 'free' });
}

async function fill(): Promise<string[]> {
  const ids = [];
  for (const kind of ['simple', 'advanced', 'advanced']) ids.push(await project.newConversation({ kind }));
  return ids;
}

test('returns 403 for a conversation beyond the plan, of either kind, until another one is deleted', async () => {
  const [first = ''] = await fill();
  for (const kind of ['simple', 'advanced']) overLimit(await project.create({ kind }));
  expect((await remove(first)).status).toBe(200);
  created(await project.create());
  overLimit(await project.create());
});

test('reports the errors of a design that come before the plan limit in the order of errors', async () => {
  await fill();
  const design = (next: string, variableId: string) => ({
    ...starterDesign,
    steps: {
      ...starterDesign.steps,
      ask: { kind: 'collect', prompt: '?', collect: [{ id: 'a', variableId }], on: { next } },
    },
  });
  overLimit(await project.create({ design: design('help', 'nothing') }));
  refused(await project.create({ design: design('nowhere', 'nothing') }), 422, 'invalid_transition');
});

test('returns 403 for restoring one beyond the plan, and leaves it in the trash', async () => {
  const [first = ''] = await fill();
  await remove(first);
  created(await project.create());
  const route = `/v1/projects/${project.projectId}/trash`;
  const { trash } = (await project.call('GET', route)).body;
  overLimit(await project.call('POST', `${route}/${trash[0].id}/restore`));
  expect((await project.call('GET', route)).body.trash).toStrictEqual(trash);
  expect((await project.call('GET', `/v1/conversations/${first}`)).status).toBe(404);
});

test('creates one of many concurrent conversations for the last place in the plan', async () => {
  const ids = await fill();
  for (let round = 0; round < 3; round++) {
    await remove(ids.pop() ?? '');
    const answers = await Promise.all(Array.from({ length: 10 }, () => project.create()));
    const [one, ...more] = answers.filter(({ status }) => status === 201).map(({ body }) => body.id);
    expect(more).toEqual([]);
    for (const answer of answers.filter(({ status }) => status !== 201)) overLimit(answer);
    ids.push(one);
  }
});

test('does not count the versions of a conversation', async () => {
  const [, id = ''] = await fill();
  const { body } = await project.read(id, 1);
  for (let n = 2; n <= 6; n++) expect(created(await project.write(id, body)).version).toBe(n);
});
