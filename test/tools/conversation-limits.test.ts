import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { starterDesign } from '../../src/design/starter.ts';
import type { RestAnswer } from '../helpers/world.ts';
import { openWorld, type World } from '../helpers/world.ts';
import { created, type DesignProject, openDesignProject, refused } from './design-project.ts';

/** What the plan `free` allows (`decisions` 10). */
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

test('one conversation more than the plan allows is 403, of either kind, and a deleted one makes room', async () => {
  const [first = ''] = await fill();
  for (const kind of ['simple', 'advanced']) overLimit(await project.create({ kind }));
  expect((await remove(first)).status).toBe(200);
  created(await project.create());
  overLimit(await project.create());
});

test('of a design that is wrong besides, what comes before the plan in the order of refusals is told first', async () => {
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

test('restoring one is held to the plan as well, and it stays in the trash', async () => {
  const [first = ''] = await fill();
  await remove(first);
  created(await project.create());
  const route = `/v1/projects/${project.projectId}/trash`;
  const { trash } = (await project.call('GET', route)).body;
  overLimit(await project.call('POST', `${route}/${trash[0].id}/restore`));
  expect((await project.call('GET', route)).body.trash).toStrictEqual(trash);
  expect((await project.call('GET', `/v1/conversations/${first}`)).status).toBe(404);
});

test('of many at once for the last place one is created', async () => {
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

test('the versions of a conversation are not counted', async () => {
  const [, id = ''] = await fill();
  const { body } = await project.read(id, 1);
  for (let n = 2; n <= 6; n++) expect(created(await project.write(id, body)).n).toBe(n);
});
