import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPractice } from '../../evals/practice.ts';
import type { Task } from '../../evals/task.ts';
import { startIndexing } from '../../src/command-line/start-indexing.ts';
import { openWorld, type World } from '../helpers/world.ts';

/** The practice of the evals: what agents ask most about it takes one call, and few tokens. */
type Practice = Awaited<ReturnType<typeof openPractice>>;

const nothingToDo: Task = {
  name: 'brief answers',
  words: '',
  calls: [],
  wrong: {},
  check: () => Promise.resolve(true),
};

let world: World;
let practice: Practice;
beforeAll(async () => {
  world = await openWorld();
  practice = await openPractice(world, nothingToDo);
});
afterAll(async () => {
  await practice.close();
  await world.close();
});

/** The result of a call, which takes at most so many tokens. */
async function answer(tokens: number, tool: string, input: Record<string, unknown> = {}) {
  const { failed, text } = await practice.call(tool, input);
  expect(failed, text).toBe(false);
  expect(countTokens(text), text).toBeLessThanOrEqual(tokens);
  return JSON.parse(text) as Record<string, unknown[]>;
}

test('names the templates with what each requires, and shows one in full', async () => {
  const { templates } = await answer(470, 'list_templates');
  expect(templates).toHaveLength(8);
  expect(templates?.[0]).toStrictEqual({
    key: 'receptionist',
    name: 'Receptionist',
    description: expect.any(String),
    required: expect.arrayContaining(['businessName', 'transferNumber']),
    optional: ['assistantName'],
  });
  const one = await answer(250, 'list_templates', { templateKey: 'receptionist' });
  expect(one['templates']).toMatchObject([
    {
      key: 'receptionist',
      fields: expect.arrayContaining([expect.objectContaining({ key: 'businessName' })]),
    },
  ]);
});

test('lists the last changes, and those of a number, in words', async () => {
  expect((await answer(900, 'list_changes'))['changes']).toHaveLength(20);
  const { changes = [] } = await answer(130, 'list_changes', { resource: '+1 202 555 0101' });
  expect((changes as { what: string }[]).map(({ what }) => what)).toStrictEqual([
    'assign_flow "Main line"; flowId: "Front desk"',
    'import_phone_number "Main line"',
  ]);
});

test('says what each key may do, and when it was last used', async () => {
  const { keys } = await answer(200, 'list_keys');
  expect(keys).toMatchObject([
    { name: 'Homepage', may: 'start web sessions only', lastUsed: 'never' },
    { may: 'read, run, draft, publish, admin' },
  ]);
});

test('indexes a short file before the call returns, and says why a query found nothing', async () => {
  const knowledgeBaseId = practice.ids['facts'];
  const query = { knowledgeBaseId, query: 'Where can I park?' };
  expect(await answer(60, 'query_knowledge', query)).toStrictEqual({
    results: [],
    note: 'Nothing is indexed yet. Not indexed: "Price list". reindex_knowledge_source indexes it.',
  });
  const parking = {
    knowledgeBaseId,
    type: 'file',
    name: 'Parking',
    fileName: 'parking.txt',
    mimeType: 'text/plain',
    content: 'Parking is free behind the house.',
  };
  const workers = await startIndexing(world.core, { atOnce: 1, fetchAllow: [] }, pino({ level: 'silent' }));
  try {
    const added = await answer(60, 'add_knowledge_source', parking);
    expect(added).toMatchObject({ name: 'Parking', indexingStatus: 'completed', progress: 100 });
    const source = { knowledgeBaseId, sourceId: 'Parking' };
    const again = await answer(120, 'reindex_knowledge_source', source);
    expect(again).toMatchObject({ fileName: 'parking.txt', indexingStatus: 'completed', progress: 100 });
  } finally {
    await workers.stop();
  }
  expect(await answer(80, 'query_knowledge', query)).toMatchObject({ results: [{ sourceName: 'Parking' }] });
  const none = await answer(60, 'query_knowledge', { ...query, query: 'submarines' });
  expect(none['note']).toMatch(/^No passage matches\. Indexed: "Parking"\. Not indexed: "Price list"\./);
});

test('returns at once if no worker indexes the file', async () => {
  const file = { type: 'file', name: 'Beds', fileName: 'beds.txt', mimeType: 'text/plain', content: 'Beds.' };
  const added = await answer(60, 'add_knowledge_source', {
    knowledgeBaseId: practice.ids['brochures'],
    ...file,
  });
  expect(added).toMatchObject({ indexingStatus: 'inProgress' });
  expect(await world.rows('select id from indexing_workers', [])).toStrictEqual([]);
  const nothing = await answer(60, 'query_knowledge', {
    knowledgeBaseId: practice.ids['brochures'],
    query: 'beds',
  });
  expect(nothing['note']).toBe('Nothing is indexed yet. In progress: "Beds". Query again in some seconds.');
});

test('shows a flow with its active configuration, unless that is long', async () => {
  const { ids } = practice;
  const flow = await answer(220, 'get_flow', { flowId: ids['front'] });
  expect(flow).toMatchObject({
    name: 'Front desk',
    activeVersion: 2,
    newestVersion: 2,
    flowSchema: { greeting: expect.stringContaining('AI assistant'), closing: 'Bye.' },
  });
  const made = await practice.call('create_flow', {
    name: 'Long',
    flowSchema: { greeting: 'Hello, I am an AI.', instructions: 'word '.repeat(500) },
  });
  const { id: flowId, versionId } = JSON.parse(made.text) as { id: string; versionId: string };
  const long = await answer(250, 'get_flow', { flowId });
  expect(long).not.toHaveProperty('flowSchema');
  expect(long['hint']).toMatch(new RegExp(`get_flow_version \\{"versionId":"${versionId}"\\}`));
});

test('says what lies in the trash, and who put it there', async () => {
  for (const id of ['summer', 'night']) await practice.replay([['delete_flow', { flowId: `$${id}` }]]);
  const { trash } = await answer(130, 'list_trash');
  expect(trash).toStrictEqual([
    {
      id: expect.stringMatching(/^ctr/),
      kind: 'flow',
      name: 'Night line',
      deletedAt: expect.stringMatching(/:\d\dZ$/),
      deletedBy: 'Key',
    },
    expect.objectContaining({ name: 'Summer campaign' }),
  ]);
});
