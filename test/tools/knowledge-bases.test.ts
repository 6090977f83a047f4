import { afterAll, beforeAll, expect, test } from 'vitest';
import { disclosing } from '../designs/disclosed.ts';
import { openDesignProject, refused } from '../helpers/design-project.ts';
import { openKnowledgeProject } from '../helpers/knowledge-project.ts';
import { pagesOf, timestamp } from '../helpers/project.ts';
import { openWorld, type World } from '../helpers/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

test('creates, reads and lists knowledge bases, newest first', async () => {
  const { projectId, knowledgeBaseId, call } = await openKnowledgeProject(world);
  const bases = `/v1/projects/${projectId}/knowledge-bases`;
  const made = await call('POST', bases, { name: 'Fares' });
  expect(made.status).toBe(201);
  expect(made.body).toStrictEqual({
    id: expect.stringMatching(/^ckb/),
    projectId,
    name: 'Fares',
    createdAt: timestamp,
    updatedAt: made.body.createdAt,
  });
  expect((await call('GET', `/v1/knowledge/${made.body.id}`)).body).toStrictEqual(made.body);
  const pages = await pagesOf({ call }, bases, 1);
  const ids = pages.map(({ knowledgeBases }) => knowledgeBases.map(({ id }: { id: string }) => id));
  expect(ids).toStrictEqual([[made.body.id], [knowledgeBaseId]]);
  for (const name of ['', 'x'.repeat(201), undefined])
    refused(await call('POST', bases, { name }), 400, 'invalid_request');
});

test('returns 403 for a base beyond the plan, created or restored, until another one is deleted', async () => {
  const { projectId, knowledgeBaseId, call, trash, restore } = await openKnowledgeProject(world, {
    plan: 'free',
  });
  const bases = `/v1/projects/${projectId}/knowledge-bases`;
  const details = { resource: 'knowledgeBases', limit: 1, current: 1, plan: 'free' };
  const overLimit = async () =>
    refused(await call('POST', bases, { name: 'Second' }), 403, 'plan_limit_exceeded');
  expect((await overLimit()).details).toStrictEqual(details);
  await call('DELETE', `/v1/knowledge/${knowledgeBaseId}`);
  const second = await call('POST', bases, { name: 'Second' });
  expect(second.status).toBe(201);
  const [entry] = await trash();
  expect(refused(await restore(entry?.id), 403, 'plan_limit_exceeded').details).toStrictEqual(details);
  expect(await trash()).toStrictEqual([entry]);
  await call('DELETE', `/v1/knowledge/${second.body.id}`);
  expect((await restore(entry?.id)).status).toBe(200);
});

test('creates one base if several requests compete for the last place of the plan', async () => {
  const { projectId, knowledgeBaseId, call } = await openKnowledgeProject(world, { plan: 'free' });
  await call('DELETE', `/v1/knowledge/${knowledgeBaseId}`);
  const make = () => call('POST', `/v1/projects/${projectId}/knowledge-bases`, { name: 'One' });
  const statuses = (await Promise.all([make(), make(), make()])).map(({ status }) => status);
  expect(statuses.toSorted((a, b) => a - b)).toStrictEqual([201, 403, 403]);
});

test('returns 409 with the conversations for a base that active designs name', async () => {
  const project = await openDesignProject(world);
  const { projectId } = project;
  const base = await project.call('POST', `/v1/projects/${projectId}/knowledge-bases`, { name: 'Fares' });
  const { id } = base.body;
  const hello = { kind: 'greeting', introLine: disclosing, on: { next: 'answer' } };
  const answer = { kind: 'answer', instruction: 'Answer.', knowledgeIds: ['fares'], on: { next: 'end' } };
  const conversationId = await project.newConversation({
    name: 'Line',
    design: {
      schemaVersion: 'cd/1',
      entry: { stepId: 'hello' },
      steps: { hello, answer, end: { kind: 'end' } },
      knowledge: [{ id: 'fares', kind: 'knowledgeBase', knowledgeBaseId: id }],
    },
  });
  const remove = () => project.call('DELETE', `/v1/knowledge/${id}`);
  expect(refused(await remove(), 409, 'in_use').details).toStrictEqual({
    references: [{ kind: 'conversation', id: conversationId, name: 'Line' }],
  });
  await project.call('DELETE', `/v1/conversations/${conversationId}`);
  expect((await remove()).body).toStrictEqual({ id, deleted: true, trashId: expect.any(String) });
  refused(await remove(), 404, 'not_found');
});
