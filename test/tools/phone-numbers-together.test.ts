import { afterAll, beforeAll, expect, test } from 'vitest';
import { refused } from '../helpers/design-project.ts';
import { nextNumber, openNumberProject } from '../helpers/number-project.ts';
import type { RestAnswer } from '../helpers/world.ts';
import { openWorld, type World } from '../helpers/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const statuses = (answers: readonly RestAnswer[]) =>
  answers.map(({ status }) => status).toSorted((a, b) => a - b);

test('imports only as many of twenty numbers at once as the plan allows', async () => {
  const project = await openNumberProject(world, { plan: 'starter' });
  await project.newNumber();
  for (let round = 0; round < 4; round++) {
    const answers = await Promise.all(Array.from({ length: 20 }, () => project.importNumber()));
    expect(statuses(answers)).toEqual([201, 201, ...Array.from({ length: 18 }, () => 403)]);
    for (const answer of answers.filter(({ status }) => status === 403))
      expect(refused(answer, 403, 'plan_limit_exceeded').details).toStrictEqual({
        resource: 'phoneNumbers',
        limit: 3,
        current: 3,
        plan: 'starter',
      });
    for (const { status, body } of answers) if (status === 201) await project.remove(body.id);
  }
});

test('lets one of several restores and imports at once take the last place of a plan', async () => {
  const project = await openNumberProject(world, { plan: 'free' });
  for (let made = 0; made < 6; made++) await project.remove(await project.newNumber());
  for (let round = 0; round < 6; round++) {
    const trash = await project.trash();
    const answers = await Promise.all([
      ...trash.map(({ id }) => project.restore(id)),
      ...Array.from({ length: 4 }, () => project.importNumber()),
    ]);
    const [one, ...more] = answers.filter(({ status }) => status < 300);
    expect(more).toEqual([]);
    expect(new Set(statuses(answers))).toEqual(new Set([one?.status, 403]));
    await project.remove(one?.body.id);
  }
});

test('lets one of ten imports and restores of the same number succeed', async () => {
  const project = await openNumberProject(world);
  const number = nextNumber();
  for (let made = 0; made < 2; made++) await project.remove(await project.newNumber({ number }));
  for (let round = 0; round < 4; round++) {
    const trash = await project.trash();
    const answers = await Promise.all([
      ...trash.map(({ id }) => project.restore(id)),
      ...Array.from({ length: 10 }, () => project.importNumber({ number })),
    ]);
    const [one, ...more] = answers.filter(({ status }) => status < 300);
    expect(more).toEqual([]);
    expect(new Set(statuses(answers))).toEqual(new Set([one?.status, 409]));
    const { phoneNumbers } = (await project.call('GET', project.numbers)).body;
    expect(phoneNumbers.map(({ id }: { id: string }) => id)).toEqual([one?.body.id]);
    await project.remove(one?.body.id);
  }
});

test('leaves one handler if a flow and a conversation are assigned at once, and returns the replaced one', async () => {
  const project = await openNumberProject(world);
  const [flow, conversation] = [await project.newFlow(), await project.newConversation()];
  const id = await project.newNumber();
  for (let round = 0; round < 10; round++) {
    await Promise.all([project.assignFlow(id, null), project.assignConversation(id, null)]);
    const [toFlow, toConversation] = await Promise.all([
      project.assignFlow(id, flow),
      project.assignConversation(id, conversation),
      project.update(id, { name: `Round ${round}` }),
    ]);
    expect(statuses([toFlow, toConversation])).toEqual([200, 200]);
    const { handler, flowId } = await project.read(id);
    const flowWon = toConversation.body.replaced === null;
    expect(handler).toMatchObject(
      flowWon ? { kind: 'flow', id: flow } : { kind: 'conversation', id: conversation },
    );
    expect(flowId).toBe(flowWon ? flow : null);
  }
});

test('either deletes a flow or assigns numbers to it if both happen at once', async () => {
  const project = await openNumberProject(world);
  for (let round = 0; round < 8; round++) {
    const [flow, conversation] = [await project.newFlow(), await project.newConversation()];
    const [one, two] = [await project.newNumber(), await project.newNumber()];
    const [flowGone, conversationGone, assigned, imported, answered] = await Promise.all([
      project.call('DELETE', `/v1/flows/${flow}`),
      project.call('DELETE', `/v1/conversations/${conversation}`),
      project.assignFlow(one, flow),
      project.importNumber({ flowId: flow }),
      project.assignConversation(two, conversation),
    ]);
    const kept = (answer: RestAnswer) => [200, 201].includes(answer.status);
    for (const answer of [assigned, imported, answered]) expect([200, 201, 404]).toContain(answer.status);
    expect(flowGone.status).toBe(kept(assigned) || kept(imported) ? 409 : 200);
    expect(conversationGone.status).toBe(kept(answered) ? 409 : 200);
  }
});

test('restores a number with every change that was confirmed before its deletion', async () => {
  const project = await openNumberProject(world);
  const conversation = await project.newConversation();
  for (let round = 0; round < 8; round++) {
    const id = await project.newNumber();
    const [deleted, assigned, renamed] = await Promise.all([
      project.remove(id),
      project.assignConversation(id, conversation),
      project.update(id, { name: 'Renamed' }),
    ]);
    expect(deleted.status).toBe(200);
    for (const { status } of [assigned, renamed]) expect([200, 404]).toContain(status);
    const [entry] = await project.trash();
    await project.restore(entry?.id);
    const { name, handler } = await project.read(id);
    expect(name).toBe(renamed.status === 200 ? 'Renamed' : 'Front desk');
    expect(handler?.id).toBe(assigned.status === 200 ? conversation : undefined);
  }
});

test('causes no deadlock in any of these tests', async () => {
  await world.core.knex.destroy();
  const sql = 'select deadlocks::int from pg_stat_database where datname = current_database()';
  expect(await world.rows(sql)).toEqual([{ deadlocks: 0 }]);
});
