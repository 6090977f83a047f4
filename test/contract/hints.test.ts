import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { starterDesign } from '../../src/design/starter.ts';
import { type ErrorCode, errorStatus, ToolError } from '../../src/platform/errors.ts';
import { kindOfId, newId } from '../../src/platform/id.ts';
import { failureOf } from '../../src/transports/mcp/result.ts';
import {
  type McpClient,
  type McpToolDescription,
  openWorld,
  type Tenant,
  type World,
} from '../helpers/world.ts';
import { arrangeIn } from './arrange.ts';
import { type Door, openDoor, refusal, success } from './doors.ts';
import { exampleOf, inputsWithIds } from './examples.ts';
import { idAt, placesOf, withIdAt } from './references.ts';
import { toolNamed, tools } from './registry.ts';
import { toolNamesIn, unknownNamesIn } from './tool-names.ts';

let world: World;
let tenant: Tenant;
let door: Door;
let client: McpClient;
let listed: McpToolDescription[];

beforeAll(async () => {
  world = await openWorld();
  tenant = await world.tenant({ plan: 'enterprise' });
  door = await openDoor(world, 'modern http', tenant.key);
  client = await world.mcp('modern http', tenant.key);
  listed = (await client.listTools()).tools;
});
afterAll(() => world.close());

/** The inputs that a hint leaves open: those that a tool requires and that stand neither beside its name nor in the call. */
function leftOpen(hint: string, sent: object = {}): string[] {
  return toolNamesIn(hint).flatMap((name) => {
    const { inputSchema } = listed.find((tool) => tool.name === name) ?? {};
    const { required = [] } = (inputSchema ?? {}) as { required?: string[] };
    const beside = new RegExp(`\\b${name} (\\{.*?\\})(?= |[.,;:]|$)`, 'g');
    const given = [...hint.matchAll(beside)].map(([, text = '']) => JSON.parse(text) as object);
    const known = Object.assign({}, sent, ...given) as object;
    return required.filter((input) => !(input in known)).map((input) => `${name}: ${input}`);
  });
}

const inputAt = inputsWithIds(() => arrangeIn(world, tenant));

describe('the hint beside "not found"', () => {
  test.each(placesOf(tools))('of $name names a tool whose answer shows such ids', async (place) => {
    const { tool, reference } = place;
    const input = await inputAt(place);
    const outcome = await door.call(tool, withIdAt(input, reference.path, newId(reference.name)));
    refusal(outcome, 'not_found');
    const { hint = '' } = outcome;
    expect(unknownNamesIn(hint), hint).toEqual([]);
    expect(leftOpen(hint), hint).toEqual([]);

    const [hinted] = toolNamesIn(hint);
    if (!hinted) throw new Error(`the hint names no tool: ${hint}`);
    const listing = toolNamed(hinted);
    const answer = success(
      await door.call(listing, await exampleOf(listing).input(arrangeIn(world, tenant))),
    );
    const kinds = JSON.stringify(answer)
      .match(/\bc[0-9a-z]{6,}\b/g)
      ?.map(kindOfId);
    expect(kinds).toContain(reference.name);
  });

  test.each(placesOf(tools))('of $name tells an id of another kind from the one wanted', async (place) => {
    const { tool, reference } = place;
    const input = await inputAt(place);
    const other = reference.name === 'project' ? tenant.keyId : tenant.projectId;
    const { hint } = await door.call(tool, withIdAt(input, reference.path, other));
    expect(hint).toContain(`${other} is the id of a ${reference.name === 'project' ? 'key' : 'project'}`);
    expect(hint).toContain(idAt(input, place).slice(0, 3));
  });
});

test.each(Object.keys(errorStatus) as ErrorCode[])('the hint of %s names only tools that exist', (code) => {
  const { hint } = failureOf(new ToolError(code, 'Refused.'), 'request');
  expect(hint).toMatch(/\S/);
  expect(unknownNamesIn(hint)).toEqual([]);
});

interface Ids {
  readonly conversationId: string;
  readonly flowId: string;
  readonly versionId: string;
  readonly design: object;
}

let ids: Promise<Ids> | undefined;

/** A conversation with two versions, and a flow with one. */
function made(): Promise<Ids> {
  ids ??= make();
  return ids;
}

async function make(): Promise<Ids> {
  const { key, projectId } = tenant;
  const post = async (route: string, body: object) => {
    const response = await world.rest('POST', `/v1/projects/${projectId}/${route}`, { key, body });
    expect(response.status, JSON.stringify(response.body)).toBe(201);
    return response.body;
  };
  const conversation = { name: 'Desk', kind: 'advanced', design: starterDesign };
  const [{ id: conversationId }, { id: flowId }] = await Promise.all([
    post('conversations', conversation),
    post('flows', { name: 'Line', flowSchema: {} }),
  ]);
  const route = `/v1/conversations/${conversationId}/versions`;
  const { body: written } = await world.rest('POST', route, { key, body: { design: starterDesign } });
  const { body } = await world.rest('GET', `/v1/flows/${flowId}/versions`, { key });
  return { conversationId, flowId, versionId: body.versions[0].id, design: written.design };
}

/** A call that fails, or whose result is shortened or warns, and a part of a hint that it returns. */
type Hinted = readonly [tool: string, input: Record<string, unknown>, hint: string];

describe('a hint names the call that helps, with its arguments', () => {
  const failing: [what: string, of: (ids: Ids) => Hinted][] = [
    [
      'for an unknown version',
      ({ conversationId }) => [
        'read_design',
        { conversationId, version: 9 },
        `list_conversation_versions {"conversationId":"${conversationId}"}`,
      ],
    ],
    [
      'for an unknown version of a flow',
      ({ flowId }) => [
        'edit_flow',
        { flowId, version: 9, merge: {} },
        `list_flow_versions {"flowId":"${flowId}"}`,
      ],
    ],
    [
      'for an unknown step',
      ({ conversationId }) => [
        'read_design',
        { conversationId, version: 1, steps: ['nobody'] },
        `read_design {"conversationId":"${conversationId}","version":1,"outline":true}`,
      ],
    ],
    [
      'for an unknown step of a property',
      ({ conversationId }) => [
        'prove_design',
        {
          conversationId,
          properties: [{ property: 'neverAfter', never: { step: 'nobody' }, after: { step: 'nobody' } }],
        },
        `read_design {"conversationId":"${conversationId}","version":2,"outline":true}`,
      ],
    ],
    [
      'for an unknown step of a simulation',
      ({ conversationId }) => [
        'simulate_conversation',
        { conversationId, caller: { script: [] }, mocks: { nodes: { nobody: { fail: 'timeout' } } } },
        `read_design {"conversationId":"${conversationId}","version":2,"outline":true}`,
      ],
    ],
    [
      'for a patch that fails',
      ({ conversationId }) => [
        'edit_design',
        { conversationId, version: 2, patch: [{ op: 'remove', path: '/steps/nobody' }] },
        `read_design {"conversationId":"${conversationId}","version":2}`,
      ],
    ],
    [
      'for a patch of a flow that fails',
      ({ flowId, versionId }) => [
        'edit_flow',
        { flowId, version: 1, patch: [{ op: 'remove', path: '/nothing' }] },
        `get_flow_version {"versionId":"${versionId}"}`,
      ],
    ],
    [
      'for an edit of an older version',
      ({ conversationId }) => [
        'edit_design',
        { conversationId, version: 1, merge: {} },
        `diff_designs {"conversationId":"${conversationId}","version":2,"against":1}`,
      ],
    ],
    [
      'for a write over a newer version',
      ({ conversationId, design }) => [
        'write_design',
        { conversationId, version: 1, design },
        `read_design {"conversationId":"${conversationId}","version":2}`,
      ],
    ],
    [
      'for a time before the first version',
      ({ flowId }) => [
        'restore_version',
        { flowId, before: '2001-01-01T00:00:00Z' },
        `list_flow_versions {"flowId":"${flowId}"}`,
      ],
    ],
  ];

  test.each(failing)('%s', async (_, of) => {
    const [name, input, expected] = of(await made());
    const { isError, content } = await client.callTool({ name, arguments: input });
    const { hint } = JSON.parse(content[0]?.text ?? '') as { hint: string };
    expect(isError).toBe(true);
    expect(hint).toContain(expected);
    expect(leftOpen(hint, input), hint).toEqual([]);
  });

  test('for problems of a design', async () => {
    const { conversationId } = await made();
    const secret = { 'x-key': '{{secret.CRM}}', authorization: 'Bearer 1' };
    const design = {
      ...starterDesign,
      steps: {
        ...starterDesign.steps,
        sample: { kind: 'message', text: '[[name: Ann]]', on: { next: 'nobody' } },
      },
      integrations: [{ id: 'crm', kind: 'crm', integrationId: newId('integration') }],
      hooks: {
        before: {
          rootNodeId: 'send',
          nodes: {
            send: { id: 'send', webhook: { url: 'https://crm.example', headers: secret, payload: [] } },
          },
        },
      },
    };
    const input = { conversationId, design };
    const { content } = await client.callTool({ name: 'validate_design', arguments: input });
    const { problems } = JSON.parse(content[0]?.text ?? '') as { problems: { hint: string }[] };
    const hints = problems.map(({ hint }) => hint);
    for (const hint of hints) expect(leftOpen(hint, { ...input, version: 1 }), hint).toEqual([]);
    const text = hints.join('\n');
    expect(text).toContain('set_secret {"name":"CRM"');
    expect(text).toContain('create_integration {"kind":"crm"');
  });
});
