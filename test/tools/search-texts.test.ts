import type { Knex } from 'knex';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startIndexing } from '../../src/command-line/start-indexing.ts';
import { writeSearchTexts } from '../../src/resources/search/search-texts.ts';
import { configurationText, designText } from '../../src/store/json-document.ts';
import { only } from '../../src/store/queries.ts';
import { arrangeIn } from '../contract/arrange.ts';
import { openDoor, success } from '../contract/doors.ts';
import { exampleOf } from '../contract/examples.ts';
import { tools } from '../contract/registry.ts';
import { openProject, type Project } from '../helpers/project.ts';
import { openWorld, type World } from '../helpers/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

async function found(project: Project, text: string): Promise<string[]> {
  const query = new URLSearchParams({ text, limit: '100' });
  const { status, body } = await project.call('GET', `/v1/projects/${project.projectId}/search?${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return (body.results as { name: string }[]).map(({ name }) => name);
}

const versions = `
  select flow_schema as document, search_text as text, 'flow' as kind from flow_versions where project_id = $1
  union all
  select design, search_text, 'conversation' from conversation_versions where project_id = $1`;

async function waitingOf({ projectId }: Pick<Project, 'projectId'>): Promise<number> {
  return (await world.rows(`select from (${versions}) version where text is null`, [projectId])).length;
}

async function writeTexts(): Promise<void> {
  while (await writeSearchTexts(world.core.knex));
}

/** Stores flows as an earlier release does. Each has its number in its configuration. */
async function storeFormerly({ projectId }: Project, count: number, greeting = '"Line "'): Promise<void> {
  await world.rows(
    `with flow as (
       insert into flows (project_id, id, name, type, newest_version)
       select $1, 'cfl' || lpad(n::text, 26, '0'), 'Flow ' || n, 'simple', 1 from generate_series(1, $2::int) n
       returning project_id, id
     )
     insert into flow_versions (project_id, id, flow_id, version, tag, flow_schema, flow_schema_bytes, is_active)
     select project_id, 'cfv' || substr(id, 4), id, 1, 'v1',
       format('{"greeting": ${greeting.slice(0, -1)}%s%s"}', repeat('word ', 60), 'no' || ltrim(substr(id, 4), '0'))::json, 60, true
     from flow`,
    [projectId, count],
  );
}

/** A transaction that ends with the test, also if the test fails. */
async function opened(knex: Knex): Promise<Knex.Transaction> {
  const transaction = await knex.transaction();
  onTestFinished(async () => {
    if (!transaction.isCompleted()) await transaction.rollback();
  });
  return transaction;
}

test('every operation that stores a version stores what a search reads of it', async () => {
  const tenant = await world.tenant({ plan: 'enterprise' });
  const door = await openDoor(world, 'REST', tenant.key);
  const wrong: string[] = [];
  let known = 0;
  for (const tool of tools) {
    success(await door.call(tool, await exampleOf(tool).input(arrangeIn(world, tenant))));
    const rows = await world.rows(versions, [tenant.projectId]);
    known = Math.max(known, rows.length);
    for (const { document, text, kind } of rows)
      if (text !== (kind === 'flow' ? configurationText(document) : designText(document)))
        wrong.push(`${tool.name}: ${String(text)}`);
  }
  expect(wrong).toStrictEqual([]);
  expect(known).toBeGreaterThan(20);
});

/** Makes a record of each kind with a name, and returns its route. */
const records: Readonly<Record<string, (project: Project, name: string) => Promise<string>>> = {
  flow: async ({ newFlow }, name) => `flows/${await newFlow({ name })}`,
  conversation: (project, name) => make(project, 'conversations', { name }),
  'agent profile': (project, name) => make(project, 'agent-profiles', { name }),
  'knowledge base': async (project, name) => {
    const route = await make(project, 'knowledge-bases', { name });
    return route.replace('knowledge-bases', 'knowledge');
  },
  'phone number': (project, name) =>
    make(project, 'phone-numbers', { name, number: '+12025550143', type: 'partner' }),
  'web agent': async (project, name) => {
    const conversation = await make(project, 'conversations', { name: 'Desk' });
    const agent = { conversationId: conversation.split('/')[1], scopes: ['chat'], allowedOrigins: ['*'] };
    return make(project, 'web-sessions/agents', { name, ...agent });
  },
  async voice({ projectId }, name) {
    const voice = { name, gender: 'neutral', supportedLanguages: [], vibeTags: [], transcript: '' } as const;
    const { id } = await world.stores(projectId).voices.create(voice, async () => Buffer.from('audio'));
    return `voices/${id}`;
  },
  integration: (project, name) =>
    make(project, 'integrations', {
      name,
      kind: 'crm',
      provider: 'hubspot',
      credentials: { accessToken: 'x' },
    }),
};

async function make({ call, projectId }: Project, route: string, body: object): Promise<string> {
  const answer = await call('POST', `/v1/projects/${projectId}/${route}`, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return `${route}/${answer.body.id}`;
}

test.each(Object.entries(records))(
  'finds a new, renamed and restored %s at once, and no deleted one',
  async (kind, create) => {
    const project = await openProject(world);
    const { call, projectId } = project;
    const route = `/v1/${await create(project, 'Yellow quince')}`;
    expect(await found(project, 'low quin')).toStrictEqual(['Yellow quince']);
    let name = 'Yellow quince';
    if (!['knowledge base', 'voice', 'integration'].includes(kind)) {
      name = 'Red medlar';
      expect((await call('PATCH', route, { name })).status).toBe(200);
      expect(await found(project, 'quince')).toStrictEqual([]);
    }
    expect(await found(project, name.toUpperCase())).toStrictEqual([name]);
    expect((await call('DELETE', route)).status).toBeLessThan(300);
    expect(await found(project, name)).toStrictEqual([]);
    const { body } = await call('GET', `/v1/projects/${projectId}/trash`);
    await call('POST', `/v1/projects/${projectId}/trash/${body.trash[0].id}/restore`, {});
    expect(await found(project, name)).toStrictEqual([name]);
    expect(await waitingOf(project)).toBe(0);
  },
);

test('finds a source by its name, its file and the title of a page', async () => {
  const project = await openProject(world);
  const base = await make(project, 'knowledge-bases', { name: 'Facts' });
  const file = { type: 'file', name: 'Prices', fileName: 'costs.txt', mimeType: 'text/plain', content: 'x' };
  const route = `/v1/knowledge/${base.split('/')[1]}/sources`;
  const { body } = await project.call('POST', route, { ...file, indexing: 'deferred' });
  await world.rows(
    `insert into knowledge_pages (project_id, source_id, url, run, depth, status, title)
     values ($1, $2, 'https://example.com/fees', 1, 0, 'done', 'Our Tariffs')`,
    [project.projectId, body.id],
  );
  for (const text of ['prices', 'costs.txt', 'tariff'])
    expect(await found(project, text), text).toStrictEqual(['Prices']);
  expect((await project.call('DELETE', `${route}/${body.id}`)).status).toBeLessThan(300);
  expect(await found(project, 'tariff')).toStrictEqual([]);
});

test('a write adds a row to the tables of its record and to the audit log only', async () => {
  const project = await openProject(world);
  const flowId = await project.newFlow();
  const sizes = async () => {
    const tables = await world.rows(
      `select tablename as name from pg_tables where schemaname = current_schema()`,
    );
    const counts = tables.map(
      ({ name }) => `select '${String(name)}' as name, count(*)::int from "${String(name)}"`,
    );
    const rows = await world.rows(counts.join(' union all '));
    return new Map(rows.map(({ name, count }) => [String(name), Number(count)]));
  };
  const added = async (write: () => Promise<unknown>) => {
    const before = await sizes();
    await write();
    return [...(await sizes())].flatMap(([name, count]) => {
      const more = count - (before.get(name) ?? 0);
      return more === 0 ? [] : [`${name} ${more}`];
    });
  };
  expect(await added(() => project.newFlow())).toStrictEqual(
    expect.arrayContaining(['audit_log 1', 'flow_versions 1', 'flows 1']),
  );
  expect(await added(() => project.newFlow())).toHaveLength(3);
  expect(await added(() => project.newVersion(flowId))).toHaveLength(2);
});

test.each([
  ['ASCII', '"Line "', 'LINE'],
  ['with accents and escapes', '"Grüße,\\n\\"Line\\" "', 'gruße'],
])(
  'finds one of 10,000 flows that wait for their texts, and does not read other projects (%s)',
  async (_, greeting, text) => {
    const [project, other] = [await openProject(world), await openProject(world)];
    await storeFormerly(other, 20_000);
    await storeFormerly(project, 10_000, greeting);
    // A draft is the newest version of some.
    await world.rows(`update flow_versions set is_active = false where project_id = $1 and id like '%7'`, [
      project.projectId,
    ]);
    await world.rows('analyze flows; analyze flow_versions');
    expect(await waitingOf(project)).toBe(10_000);
    expect(await found(project, 'word no5000')).toStrictEqual(['Flow 5000']);
    expect(await found(project, text)).toHaveLength(100);
    expect(await found(project, 'nowhere')).toStrictEqual([]);
    const waiting = await costOf(project, 'nowhere');
    await world.rows(`update flow_versions set search_text = 'text' where project_id = $1`, [
      project.projectId,
    ]);
    await world.rows('vacuum analyze flow_versions');
    const written = await costOf(project, 'nowhere');
    for (const { blocks, plan } of [waiting, written]) {
      expect(plan).not.toMatch(/"Seq Scan"[^}]*"(?:flow|conversation)_versions"/);
      // Two reads of an index and of the table for each flow, and the upper pages of the index.
      expect(blocks).toBeLessThan(10_000 * 10);
    }
  },
);

/** The blocks that the first statement of a search reads, and its plan. */
async function costOf({ projectId }: Project, text: string) {
  const { knex } = world.core;
  const sent: { sql: string; bindings: unknown[] }[] = [];
  const note = (query: { sql: string; bindings: unknown[] }) => void sent.push(query);
  knex.on('query', note);
  await world.stores(projectId).projectSearch.places({ text, kinds: null, limit: 51, from: undefined });
  knex.removeListener('query', note);
  const { sql, bindings } = only(sent.slice(0, 1));
  const explained = only(await world.rows(`explain (analyze, buffers, format json) ${sql}`, bindings));
  const [{ Plan: root }] = explained['QUERY PLAN'] as [{ Plan: Record<string, number> }];
  const blocks = (root['Shared Hit Blocks'] ?? 0) + (root['Shared Read Blocks'] ?? 0);
  return { blocks, plan: JSON.stringify(explained) };
}

test('finds what an earlier release stores, activates and restores, before and after a worker writes its texts', async () => {
  const project = await openProject(world);
  const flowId = await project.newFlow({ name: 'Front', flowSchema: { greeting: 'walnut' } });
  await world.rows(
    `insert into flow_versions (project_id, id, flow_id, version, tag, flow_schema, flow_schema_bytes, is_active)
     select $1, 'cfv' || lpad(n::text, 26, '9'), $2, n, 'v' || n, json_build_object('greeting', 'hazelnut ' || n), 60, false
     from generate_series(2, 3) n`,
    [project.projectId, flowId],
  );
  await world.rows('update flows set newest_version = 3 where id = $1', [flowId]);
  expect(await found(project, 'hazelnut 3')).toStrictEqual(['Front']);
  expect(await found(project, 'hazelnut 2')).toStrictEqual([]);
  const second = `cfv${'2'.padStart(26, '9')}`;
  await project.call('POST', `/v1/flow-versions/${second}/activate`, {});
  expect(await found(project, 'hazelnut 2')).toStrictEqual(['Front']);
  await project.call('DELETE', `/v1/flows/${flowId}`);
  expect(await found(project, 'hazelnut')).toStrictEqual([]);
  const { body } = await project.call('GET', `/v1/projects/${project.projectId}/trash`);
  await project.call('POST', `/v1/projects/${project.projectId}/trash/${body.trash[0].id}/restore`, {});
  expect(await found(project, 'hazelnut 2')).toStrictEqual(['Front']);
  await writeTexts();
  expect(await waitingOf(project)).toBe(0);
  expect(await found(project, 'hazelnut 2')).toStrictEqual(['Front']);
  expect(await found(project, 'walnut')).toStrictEqual([]);
});

test('two workers share the versions, skip one that is being activated, and lose none if one fails', async () => {
  const project = await openProject(world);
  await writeTexts();
  await storeFormerly(project, 30);
  const { knex } = world.core;
  const [activation, failing] = [await opened(knex), await opened(knex)];
  await activation.raw(`select from flow_versions where project_id = ? and flow_id like '%30' for update`, [
    project.projectId,
  ]);
  // The first worker takes a batch and ends without a commit; the second one meanwhile writes the others.
  expect(await writeSearchTexts(failing)).toBe(true);
  await writeTexts();
  expect(await waitingOf(project)).toBe(21);
  await failing.rollback();
  await writeTexts();
  expect(await waitingOf(project)).toBe(1);
  expect(await found(project, 'no30')).toStrictEqual(['Flow 30']);
  await activation.commit();
  await writeTexts();
  expect(await waitingOf(project)).toBe(0);
  expect(await found(project, 'no30')).toStrictEqual(['Flow 30']);
});

test('a worker writes the texts of versions that were stored without', async () => {
  const project = await openProject(world);
  await storeFormerly(project, 50);
  const workers = await startIndexing(world.core, { atOnce: 1, fetchAllow: [] }, pino({ level: 'silent' }));
  await expect.poll(() => waitingOf(project), { timeout: 20_000 }).toBe(0);
  await workers.stop();
  expect(await found(project, 'no50')).toStrictEqual(['Flow 50']);
});
