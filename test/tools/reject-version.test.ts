import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { starterDesign } from '../../src/design/starter.ts';
import { created, type DesignProject, openDesignProject, refused } from '../helpers/design-project.ts';
import { timestamp } from '../helpers/project.ts';
import { type McpClient, openWorld, type World } from '../helpers/world.ts';

let world: World;
let project: DesignProject;
let client: McpClient;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  project = await openDesignProject(world, { plan: 'enterprise' });
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

/** Rejects a version over REST, or takes its rejection back. */
function reject({ conversationId, flowId, version, ...judgement }: OfVersion) {
  const record = flowId === undefined ? `conversations/${String(conversationId)}` : `flows/${flowId}`;
  return project.call('POST', `/v1/${record}/versions/${String(version)}/reject`, judgement);
}

async function tool(name: string, input: Input, from = client): Promise<Input> {
  const { isError, content } = await from.callTool({ name, arguments: input });
  const value = JSON.parse(content[0]?.text ?? '') as Input;
  return isError ? { isError, ...value } : value;
}

const overview = async () => (await project.call('GET', `/v1/projects/${project.projectId}/overview`)).body;

const farewell = (line: string) => ({ steps: { goodbye: { line } } });

/** A conversation with a draft, and a flow with one. */
async function drafts() {
  const conversationId = await project.newConversation({ name: 'Reception' });
  const steps = { ...starterDesign.steps, goodbye: { kind: 'end', line: 'See you.' } };
  created(await project.write(conversationId, { ...starterDesign, steps }));
  const route = `/v1/projects/${project.projectId}/flows`;
  const flow = created(await project.call('POST', route, { name: 'Desk', flowSchema: { greeting: 'One.' } }));
  const version = created(
    await project.call('POST', `/v1/flows/${flow.id}/versions`, { flowSchema: { greeting: 'Two.' } }),
  );
  return { conversationId, flowId: flow.id as string, versionId: version.id as string };
}

const reason = 'It hangs up too early.';
const by = { by: 'Key', at: timestamp, reason };

describe('reject_version', () => {
  test('keeps the draft, which no longer waits, until the rejection is taken back', async () => {
    const { conversationId, flowId } = await drafts();
    expect((await overview()).draftCount).toBe(2);
    const { status, body } = await reject({ conversationId, version: 2, reason });
    expect([status, body]).toStrictEqual([
      200,
      { conversationId, version: 2, rejection: by, summary: [`rejected: ${reason}`] },
    ]);
    expect(await overview()).toMatchObject({ draftCount: 1, drafts: [{ id: flowId }] });
    expect((await reject({ flowId, version: 2 })).body.rejection).toStrictEqual({ ...by, reason: null });
    expect(await overview()).toMatchObject({ draftCount: 0, drafts: [], next: expect.any(Array) });
    expect(await tool('get_project_overview', {})).toMatchObject({
      conversations: { Reception: 'v1, rejected v2' },
      flows: { Desk: 'v1, rejected v2' },
    });
    expect((await tool('list_flow_versions', { flowId }))['versions']).toMatchObject([
      { version: 2, rejection: { by: 'Key', reason: null } },
      { version: 1 },
    ]);
    expect(await project.versions(conversationId)).toHaveLength(2);

    expect((await reject({ conversationId, version: 2, undo: true })).body).toMatchObject({
      rejection: null,
    });
    expect((await reject({ flowId, version: 2, undo: true })).body).toMatchObject({ rejection: null });
    expect((await overview()).draftCount).toBe(2);
    expect((await reject({ flowId, version: 2, undo: true })).body.summary).toEqual(['was not rejected']);
  });

  test('leaves the records of the contract as they are', async () => {
    const { conversationId, flowId, versionId } = await drafts();
    const routes = [`/v1/flows/${flowId}/versions`, `/v1/flow-versions/${versionId}`];
    routes.push(`/v1/conversations/${conversationId}/versions`, `/v1/conversations/${conversationId}`);
    const read = () => Promise.all(routes.map(async (route) => (await project.call('GET', route)).body));
    const before = await read();
    await reject({ conversationId, version: 2, reason });
    await reject({ flowId, version: 2, reason });
    expect(await read()).toStrictEqual(before);
    const { body } = await project.call('GET', `/v1/flow-versions/${versionId}?details=true`);
    expect(body).toStrictEqual({ ...before[1], author: 'Key', liveAt: null, rejection: by });
  });

  test('keeps a version from going live on REST and MCP, and says how to take the rejection back', async () => {
    const { conversationId, flowId, versionId } = await drafts();
    await reject({ conversationId, version: 2, reason });
    await reject({ flowId, version: 2, reason });
    const details = { version: 2, ...by };
    const message = `Version 2 was rejected by Key: ${reason} It does not go live.`;
    const ofConversation = refused(await project.activate(conversationId, 2), 409, 'version_rejected');
    expect(ofConversation).toMatchObject({ message, details });
    const activation = await project.call('POST', `/v1/flow-versions/${versionId}/activate`);
    expect(refused(activation, 409, 'version_rejected')).toMatchObject({ message, details });
    expect(await tool('activate_flow_version', { flowId, version: 'newest' })).toMatchObject({
      isError: true,
      error: { code: 'version_rejected', details },
      hint: `reject_version {"flowId":"${flowId}","version":2,"undo":true} takes the rejection back, if a person wants that.`,
    });
    expect((await project.versions(conversationId))[0]).toMatchObject({ n: 2, isActive: false });

    await reject({ conversationId, version: 2, undo: true });
    await reject({ flowId, version: 2, undo: true });
    expect((await project.activate(conversationId, 2)).status).toBe(200);
    expect(await tool('activate_flow_version', { flowId, version: 2 })).toMatchObject({ isActive: true });
  });

  test('warns an agent that builds on a rejected version, and puts nothing of it live in the same call', async () => {
    const { conversationId, flowId } = await drafts();
    await reject({ conversationId, version: 2, reason });
    await reject({ flowId, version: 2, reason });
    const restore = (of: Input) => `restore_version ${JSON.stringify({ ...of, version: 'active' })}`;
    const builds = (of: Input, version: number) => ({
      path: '',
      message: `Version ${version} was rejected by Key: ${reason} This builds on it.`,
      hint: `Correct what was rejected. To start from the live version instead, ${restore(of)} first.`,
    });
    const says = {
      held: 'This holds what it brought',
      reworded: 'This says something else there, which nobody has accepted',
    };
    const keeps = (of: Input, [version, stored]: [number, number], how: keyof typeof says, path: string) => ({
      path,
      message: `Version ${version} was rejected by Key: ${reason} ${says[how]}: ${path}.`,
      hint: `Put back what was live, or remove it. Other words stay rejected until a reviewer with access publish lifts that: reject_version ${JSON.stringify({ ...of, version: stored, undo: true })}. To start from the live version instead, ${restore(of)} first.`,
    });
    const line = '/steps/goodbye/line';
    const merge = { greeting: 'Three.' };
    const edit = { conversationId, version: 'newest', merge: farewell('Bye.') };
    const whole = { flowId, flowSchema: { greeting: 'Three.' } };
    for (const [name, input] of [
      ['edit_design', { ...edit, activate: true }],
      ['edit_flow', { flowId, version: 2, merge, activate: true }],
      ['create_flow_version', { ...whole, activate: true }],
      ['restore_version', { conversationId, version: 2, activate: true }],
      ['restore_version', { flowId, version: 2, activate: true }],
    ] as const)
      expect(await tool(name, input), name).toMatchObject({
        error: { code: 'version_rejected', message: expect.stringContaining('Nothing was stored') },
      });
    expect(await project.versions(conversationId)).toHaveLength(2);

    expect((await tool('edit_flow', { flowId, version: 2, merge }))['warnings']).toContainEqual(
      keeps({ flowId }, [2, 3], 'reworded', '/greeting'),
    );
    expect((await tool('edit_design', edit))['warnings']).toContainEqual(
      keeps({ conversationId }, [2, 3], 'reworded', line),
    );
    const again = await tool('edit_design', { ...edit, merge: farewell('Good bye.') });
    expect(again['warnings']).toContainEqual(keeps({ conversationId }, [2, 4], 'reworded', line));
    expect(await overview()).toMatchObject({ draftCount: 2 });

    await reject({ conversationId, version: 4, reason });
    await reject({ flowId, version: 3, reason });
    expect((await tool('create_flow_version', whole))['warnings']).toContainEqual(
      keeps({ flowId }, [3, 4], 'held', '/greeting'),
    );
    const written = await tool('write_design', { conversationId, design: starterDesign, version: 'newest' });
    expect(written['warnings']).toContainEqual(builds({ conversationId }, 4));
    const rename = { steps: { goodbye: { name: 'End' } } };
    await reject({ conversationId, version: 5, reason });
    const merged = { ...edit, version: 3, onConflict: 'merge', merge: rename };
    expect((await tool('edit_design', merged))['warnings']).toContainEqual(builds({ conversationId }, 5));
    const restored = await tool('restore_version', { conversationId, version: 4 });
    expect(restored).toMatchObject({
      conversation: {
        warnings: [
          keeps({ conversationId }, [4, 7], 'held', line),
          keeps({ conversationId }, [2, 7], 'reworded', line),
        ],
      },
    });
  });

  test('writes no warning if the live version is changed instead', async () => {
    const { conversationId } = await drafts();
    await reject({ conversationId, version: 2, reason });
    const merge = { steps: { help: { instruction: 'Answer in one sentence.' } } };
    const edit = { conversationId, version: 1, onConflict: 'branch', merge };
    expect(JSON.stringify(await tool('edit_design', edit))).not.toContain('rejected');
  });

  test('names in the changes who rejected what and why', async () => {
    const { flowId } = await drafts();
    await tool('reject_version', { conversationId: 'reception', version: 'newest', reason });
    await tool('reject_version', { flowId: 'Desk', version: 2 });
    await tool('reject_version', { flowId, version: 2, undo: true });
    const { changes } = await tool('list_changes', { operation: 'reject_version' });
    expect((changes as { what: string }[]).map(({ what }) => what)).toStrictEqual([
      'reject_version "Desk": version 2; rejection taken back',
      'reject_version "Desk": version 2; rejected',
      `reject_version "Reception": version 2; rejected: ${reason}`,
    ]);
  });

  test('replaces the reason, and leaves the first time if the reason is the same', async () => {
    const { conversationId } = await drafts();
    const first = (await reject({ conversationId, version: 2, reason })).body;
    expect((await reject({ conversationId, version: 2, reason })).body).toStrictEqual(first);
    expect(
      (await reject({ conversationId, version: 2, reason: 'Wrong number.' })).body.rejection.reason,
    ).toBe('Wrong number.');
  });

  test('comes back with its flow or conversation from the trash', async () => {
    const { conversationId } = await drafts();
    await reject({ conversationId, version: 2, reason });
    const { body } = await project.call('DELETE', `/v1/conversations/${conversationId}`);
    await project.call('POST', `/v1/projects/${project.projectId}/trash/${body.trashId}/restore`, {});
    refused(await project.activate(conversationId, 2), 409, 'version_rejected');
  });

  test('refuses the live version, versions that do not exist, and a key that may only draft', async () => {
    const { conversationId, flowId } = await drafts();
    expect(refused(await reject({ conversationId, version: 1 }), 409, 'in_use').details).toStrictEqual({
      references: [{ kind: 'conversation', id: conversationId, name: 'Reception' }],
    });
    refused(await reject({ flowId, version: 1 }), 409, 'in_use');
    refused(await reject({ conversationId, version: 3 }), 404, 'not_found');
    refused(await reject({ flowId, version: 3, undo: true }), 404, 'not_found');
    const { body } = await project.call('POST', `/v1/projects/${project.projectId}/restricted-keys`, {
      name: 'Drafts',
      access: ['read', 'draft'],
    });
    const answer = await world.rest('POST', `/v1/conversations/${conversationId}/versions/2/reject`, {
      key: body.key,
      body: { undo: true },
    });
    refused(answer, 403, 'forbidden');
  });

  test.each([
    [{ version: 1 }, '/conversationId'],
    [{ flowId: 'cflaaaaaaaa', conversationId: 'ccvaaaaaaaa', version: 1 }, '/flowId'],
    [{ flowId: 'cflaaaaaaaa' }, '/version'],
    [{ flowId: 'cflaaaaaaaa', version: 1, reason: '' }, '/reason'],
    [{ flowId: 'cflaaaaaaaa', version: 1, reason, undo: true }, '/reason'],
  ])('refuses %j on MCP', async (input, path) => {
    const { details } = (await tool('reject_version', input))['error'] as { details: { issues: Input[] } };
    expect(details.issues.map((issue) => issue['path'])).toContain(path);
  });

  test('refuses a reason together with undo on REST', async () => {
    const { conversationId, flowId } = await drafts();
    for (const of of [{ conversationId }, { flowId }]) {
      const { details } = refused(
        await reject({ ...of, version: 2, reason, undo: true }),
        400,
        'invalid_request',
      );
      expect(details.issues).toMatchObject([{ path: '/reason' }]);
    }
  });
});
