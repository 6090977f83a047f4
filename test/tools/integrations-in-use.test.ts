import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Design } from '../../src/design/schema/design.ts';
import { newId } from '../../src/platform/id.ts';
import {
  created,
  type DesignProject,
  newIntegration,
  newKnowledgeBase,
  openDesignProject,
  refused,
} from '../helpers/design-project.ts';
import { type McpClient, openWorld, type World } from '../helpers/world.ts';

let world: World;
let project: DesignProject;
let crm: string;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  project = await openDesignProject(world);
  crm = await newIntegration(world, project);
});
afterAll(() => world.close());

/** A design that looks up callers in each of these integrations. */
const naming = (...ids: string[]): Design => ({
  schemaVersion: 'cd/1',
  entry: { stepId: 'end' },
  steps: { end: { kind: 'end' } },
  integrations: ids.map((integrationId, index) => ({ id: `crm${index}`, kind: 'crm', integrationId })),
});

const remove = (id: string) => project.call('DELETE', `/v1/integrations/${id}`);
const removeConversation = (id: string) => project.call('DELETE', `/v1/conversations/${id}`);
const trash = async (): Promise<{ id: string; resourceId: string }[]> =>
  (await project.call('GET', `/v1/projects/${project.projectId}/trash`)).body.trash;
const restore = async (resourceId: string) => {
  const entry = (await trash()).find((one) => one.resourceId === resourceId);
  return project.call('POST', `/v1/projects/${project.projectId}/trash/${entry?.id}/restore`);
};

test('returns in_use with the conversations whose active design names the integration', async () => {
  const other = await newIntegration(world, project);
  const first = await project.newConversation({ name: 'First', design: naming(crm, crm, other) });
  const second = await project.newConversation({ name: 'Second', design: naming(crm) });
  const { details } = refused(await remove(crm), 409, 'in_use');
  expect(details).toStrictEqual({
    references: [
      { kind: 'conversation', id: first, name: 'First' },
      { kind: 'conversation', id: second, name: 'Second' },
    ],
  });
  expect(await trash()).toStrictEqual([]);
});

test('keeps the integration of a version from its activation until another version is activated', async () => {
  const conversationId = await project.newConversation({ design: naming() });
  created(await project.write(conversationId, naming(crm)));
  expect((await project.activate(conversationId, 2)).status).toBe(200);
  expect((await project.activate(conversationId, 2)).status).toBe(200);
  refused(await remove(crm), 409, 'in_use');
  const other = await newIntegration(world, project);
  created(await project.write(conversationId, naming(other)));
  refused(await remove(crm), 409, 'in_use');
  expect((await project.activate(conversationId, 3)).status).toBe(200);
  refused(await remove(other), 409, 'in_use');
  expect((await remove(crm)).status).toBe(200);
});

test('deletes the integration of an inactive version, which can then not be activated', async () => {
  const conversationId = await project.newConversation();
  created(await project.write(conversationId, naming(crm)));
  expect((await remove(crm)).status).toBe(200);
  const { details } = refused(await project.activate(conversationId, 2), 422, 'unknown_integration_ref');
  expect(details.issues).toStrictEqual([
    {
      stepId: '',
      path: '/integrations/0/integrationId',
      message: `There is no integration "${crm}" in this project.`,
    },
  ]);
  expect((await project.versions(conversationId)).find(({ isActive }) => isActive)?.n).toBe(1);
  expect((await restore(crm)).status).toBe(200);
  expect((await project.activate(conversationId, 2)).status).toBe(200);
  refused(await remove(crm), 409, 'in_use');
});

test('does not activate a version whose knowledge base is deleted', async () => {
  const conversationId = await project.newConversation();
  const knowledgeBaseId = await newKnowledgeBase(world, project);
  const knowledge = [{ id: 'faq', kind: 'knowledgeBase', knowledgeBaseId }];
  created(await project.write(conversationId, { ...naming(), knowledge }));
  await world.rows('delete from knowledge_bases where id = $1', [knowledgeBaseId]);
  refused(await project.activate(conversationId, 2), 404, 'not_found');
});

test('deletes the integration of a deleted conversation, which can then not be restored', async () => {
  const conversationId = await project.newConversation({ design: naming(crm) });
  expect((await removeConversation(conversationId)).status).toBe(200);
  expect((await remove(crm)).status).toBe(200);
  refused(await restore(conversationId), 404, 'not_found');
  refused(await project.read(conversationId, 1), 404, 'not_found');
  expect((await restore(crm)).status).toBe(200);
  expect((await restore(conversationId)).status).toBe(200);
  refused(await remove(crm), 409, 'in_use');
});

test('rejects one of a deletion and an activation that names the integration at the same moment', async () => {
  const outcomes = new Set<string>();
  for (let round = 0; round < 12; round++) {
    const id = await newIntegration(world, project);
    const conversationId = await project.newConversation();
    created(await project.write(conversationId, naming(id)));
    const names =
      round % 2 === 0
        ? () => project.activate(conversationId, 2)
        : () => project.create({ design: naming(id) });
    const calls = [() => remove(id), names];
    const answers = await Promise.all((round % 4 < 2 ? calls : calls.toReversed()).map((call) => call()));
    const codes = answers.map(({ status, body }) => body.error?.code ?? (status < 300 ? 'done' : status));
    expect(codes.filter((code) => code === 'done')).toHaveLength(1);
    outcomes.add(codes.find((code) => code !== 'done'));
    const named = await world.rows('select 1 from conversation_integrations where integration_id = $1', [id]);
    const kept = await world.rows('select 1 from integrations where id = $1', [id]);
    expect(kept).toHaveLength(named.length);
  }
  for (const code of outcomes) expect(['in_use', 'unknown_integration_ref']).toContain(code);
});

test('writes no version while the integration that it names is being deleted', async () => {
  const conversationId = await project.newConversation();
  const waits = `select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and application_name = 'parley-write'`;
  await world.core.knex.transaction(async (trx) => {
    await trx.raw('delete from integrations where id = ?', [crm]);
    const writing = project.write(conversationId, naming(crm));
    await expect.poll(() => world.rows(waits)).toHaveLength(1);
    setImmediate(() => void trx.commit());
    refused(await writing, 422, 'unknown_integration_ref');
  });
  expect(await project.versions(conversationId)).toHaveLength(1);
});

describe('a design with a wrong integration is rejected over REST and MCP alike', () => {
  let client: McpClient;
  let conversationId: string;
  beforeEach(async () => {
    client = await world.mcp('modern http', project.key);
    conversationId = await project.newConversation();
  });

  /** Expects the same error over REST and MCP; returns its details, and the hint of MCP. */
  async function refusal(design: Design, code: string) {
    const error = refused(await project.write(conversationId, design), 422, code);
    const input = { conversationId, design, version: 1 };
    const { content, isError } = await client.callTool({ name: 'write_design', arguments: input });
    expect(isError).toBe(true);
    const result = JSON.parse(content[0]?.text ?? '');
    expect(result.error).toStrictEqual({ ...error, requestId: result.error.requestId });
    return { details: error.details, hint: result.hint as string };
  }

  test('if it is missing, of another project or another kind of record', async () => {
    const foreign = await newIntegration(world, await openDesignProject(world));
    const sibling = await openDesignProject(world, { organizationId: project.organizationId });
    const ids = [foreign, await newIntegration(world, sibling), newId('integration'), conversationId, 'none'];
    const { details, hint } = await refusal(naming(crm, ...ids), 'unknown_integration_ref');
    expect(details.issues).toStrictEqual(
      ids.map((id, index) => ({
        stepId: '',
        path: `/integrations/${index + 1}/integrationId`,
        message: `There is no integration "${id}" in this project.`,
      })),
    );
    expect(hint).toContain('list_integrations');
  });

  test('if it is of another kind', async () => {
    const calendar = await newIntegration(world, project, 'calendar');
    const { details, hint } = await refusal(naming(crm, calendar), 'integration_kind_mismatch');
    const message = `The integration ${calendar} is of kind calendar, not crm.`;
    expect(details.issues).toStrictEqual([{ stepId: '', path: '/integrations/1/kind', message }]);
    expect(hint).toContain('list_integrations');
  });
});
