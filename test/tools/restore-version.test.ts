import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { starterDesign } from '../../src/design/starter.ts';
import { created, type DesignProject, openDesignProject } from '../helpers/design-project.ts';
import { type McpClient, openWorld, type World } from '../helpers/world.ts';

let world: World;
let project: DesignProject;
let client: McpClient;
beforeAll(async () => {
  world = await openWorld();
  project = await openDesignProject(world);
  client = await world.mcp('modern http', project.key);
});
afterAll(() => world.close());

type Input = Record<string, unknown>;
/** The version of a flow or conversation, and other inputs. */
type OfVersion = Input & {
  readonly conversationId?: string;
  readonly flowId?: string;
  readonly version?: number | string;
};

/** Restores a version of a conversation over REST. */
const restore = ({ conversationId, flowId, version, ...more }: OfVersion) => {
  const record = flowId === undefined ? `conversations/${String(conversationId)}` : `flows/${flowId}`;
  return project.call('POST', `/v1/${record}/versions/${String(version)}/restore`, more);
};

/** Restores over MCP, where one call takes a conversation and a flow. */
async function restoreOnMcp(input: Input): Promise<Input> {
  const { content } = await client.callTool({ name: 'restore_version', arguments: input });
  return JSON.parse(content[0]?.text ?? '');
}

const lineOf = async (id: string, n: number) => (await project.read(id, n)).body.steps.goodbye.line;

/** A conversation whose versions 2 and 3 say goodbye in other words. Each was made on a day of its own. */
async function conversation(): Promise<string> {
  const id = await project.newConversation();
  for (const line of ['Two.', 'Three.']) {
    const steps = { ...starterDesign.steps, goodbye: { kind: 'end', line } };
    created(await project.write(id, { ...starterDesign, steps }));
  }
  await world.rows(
    `update conversation_versions set created_at = cast('2026-01-0' || n || ' 12:00Z' as timestamptz) where conversation_id = $1`,
    [id],
  );
  return id;
}

async function flow(): Promise<string> {
  const { body } = await project.call('POST', `/v1/projects/${project.projectId}/flows`, {
    name: 'F',
    flowSchema: { greeting: 'One.' },
  });
  for (const greeting of ['Two.', 'Three.'])
    await project.call('POST', `/v1/flows/${body.id}/versions`, { flowSchema: { greeting } });
  await world.rows(
    `update flow_versions set created_at = cast('2026-01-0' || version || ' 12:00Z' as timestamptz) where flow_id = $1`,
    [body.id],
  );
  return body.id;
}

describe('restore_version', () => {
  test('stores an old design again as the newest version, inactive', async () => {
    const id = await conversation();
    const { status, body } = await restore({ conversationId: id, version: 2 });
    expect(status).toBe(201);
    expect(body).toMatchObject({ conversation: { version: 4, restored: 2, warnings: expect.any(Array) } });
    expect(body.conversation.summary.join()).toContain('goodbye');
    expect(await lineOf(id, 4)).toBe('Two.');
    expect(await project.versions(id)).toMatchObject([
      { n: 4, isActive: false },
      { n: 3 },
      { n: 2 },
      { n: 1, isActive: true },
    ]);
  });

  test('stores an old configuration of a flow again over REST', async () => {
    const flowId = await flow();
    const { status, body } = await restore({ flowId, version: 2 });
    expect([status, body.flow]).toMatchObject([201, { version: 4, restored: 2 }]);
  });

  test('finds the version that was the newest before a time, of a conversation and a flow', async () => {
    const [conversationId, flowId] = [await conversation(), await flow()];
    const both = await restoreOnMcp({ conversationId, flowId, before: '2026-01-03T00:00:00Z' });
    expect(both).toMatchObject({ conversation: { restored: 2 }, flow: { version: 4, restored: 2 } });
    expect(await lineOf(conversationId, 4)).toBe('Two.');
    const { id } = both['flow'] as { id: string };
    const version = await project.call('GET', `/v1/flow-versions/${id}`);
    expect(version.body).toMatchObject({ version: 4, isActive: false, flowSchema: { greeting: 'Two.' } });
    for (const ids of [{ conversationId }, { flowId }]) {
      const early = await restoreOnMcp({ ...ids, before: '2026-01-01T12:00:00Z' });
      expect(early).toMatchObject({ error: { code: 'not_found' } });
    }
  });

  test('restores neither of two if one cannot be restored', async () => {
    const [conversationId, flowId] = [await conversation(), await flow()];
    created(await project.write(conversationId, starterDesign));
    expect(await restoreOnMcp({ conversationId, flowId, version: 4 })).toMatchObject({
      error: { code: 'not_found' },
    });
    expect(await project.versions(conversationId)).toHaveLength(4);
  });

  test.each([
    [{}, '/conversationId'],
    [{ version: 1 }, '/conversationId'],
    [{ flowId: 'cflaaaaaaaa' }, '/version'],
    [{ flowId: 'cflaaaaaaaa', version: 1, before: '2026-01-01T00:00:00Z' }, '/before'],
    [{ flowId: 'cflaaaaaaaa', before: '2026-02-30T00:00:00Z' }, '/before'],
  ])('refuses %j on MCP', async (input, path) => {
    const { error } = await restoreOnMcp(input);
    const { details } = error as { details: { issues: Input[] } };
    expect(details.issues.map((issue) => issue['path'])).toContain(path);
  });
});
