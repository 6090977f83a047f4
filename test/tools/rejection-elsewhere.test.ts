import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { starterDesign } from '../../src/design/starter.ts';
import { toolsets } from '../../tools/index.ts';
import { created, type DesignProject, openDesignProject } from '../helpers/design-project.ts';
import { type McpClient, openWorld, type World } from '../helpers/world.ts';

let world: World;
let project: DesignProject;
let client: McpClient;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

type Input = Record<string, unknown>;

const text = 'We never close, so call us at night.';
const design = {
  ...starterDesign,
  steps: { ...starterDesign.steps, goodbye: { kind: 'end', line: text } },
};
const flowSchema = { greeting: 'Hello, I am the AI assistant of Bright Bakery.', closing: text };

async function tool(name: string, input: Input): Promise<Input> {
  const { content } = await client.callTool({ name, arguments: input });
  return JSON.parse(content[0]?.text ?? '') as Input;
}

interface Copies {
  readonly conversationId: string;
  readonly flowId: string;
}

/** A flow and a conversation that say what was rejected in another conversation, in version 1 and, with one more change, 2. */
async function openCopies(): Promise<Copies> {
  project = await openDesignProject(world, { plan: 'enterprise' });
  client = await world.mcp('modern http', project.key);
  const rejected = await project.newConversation({ name: 'Rejected' });
  created(await project.write(rejected, design));
  const conversationId = await project.newConversation({ name: 'Copy', design });
  created(await project.write(conversationId, { ...design, variables: [{ id: 'x', type: 'text' }] }));
  const { id: flowId } = await tool('create_flow', { name: 'Copy', flowSchema });
  await tool('create_flow_version', { flowId, flowSchema: { ...flowSchema, instructions: 'Be brief.' } });
  const judged = { conversationId: rejected, version: 2, reason: 'We do close.' };
  expect(await tool('reject_version', judged)).toMatchObject({ rejection: { by: 'Key' } });
  return { conversationId, flowId: flowId as string };
}

const numbered = async () =>
  (
    await tool('import_phone_number', {
      name: 'Line',
      number: `+1202555${String(Date.now()).slice(-4)}`,
      type: 'partner',
    })
  )['id'];
const profiled = async () => (await tool('create_agent_profile', { name: crypto.randomUUID() }))['id'];
const website = { name: 'Site', scopes: ['chat'] };

/** The calls that make a version live or lead callers to one, by the name of the tool. */
const ways: Readonly<Record<string, (copies: Copies) => Promise<Input>>> = {
  create_flow: () => tool('create_flow', { name: 'Another', flowSchema }),
  create_conversation: () => tool('create_conversation', { name: 'Another', design }),
  copy_conversation: ({ conversationId }) => tool('copy_conversation', { conversationId, name: 'Another' }),
  activate_flow_version: ({ flowId }) => tool('activate_flow_version', { flowId, version: 2 }),
  activate_conversation_version: ({ conversationId }) =>
    tool('activate_conversation_version', { conversationId, version: 2 }),
  assign_flow: async ({ flowId }) => tool('assign_flow', { phoneNumberId: await numbered(), flowId }),
  assign_conversation: async ({ conversationId }) =>
    tool('assign_conversation', { phoneNumberId: await numbered(), conversationId }),
  import_phone_number: ({ flowId }) =>
    tool('import_phone_number', { name: 'Line', number: '+12025550100', type: 'partner', flowId }),
  create_web_agent: ({ conversationId }) => tool('create_web_agent', { ...website, conversationId }),
  update_web_agent: async ({ conversationId }) => {
    const other = await project.newConversation({ name: 'Other' });
    const { id } = await tool('create_web_agent', { ...website, conversationId: other });
    return tool('update_web_agent', { webAgentId: id, conversationId });
  },
  create_agent_profile: ({ flowId }) => tool('create_agent_profile', { name: 'Anna', flowIds: [flowId] }),
  update_agent_profile: async ({ flowId }) =>
    tool('update_agent_profile', { agentProfileId: await profiled(), flowIds: [flowId] }),
  replace_agent_profile: async ({ flowId }) => {
    const agentProfileId = await profiled();
    const members = ['name', 'isDefault', 'supportedInputLanguages', 'reasoningMode', 'outputVoiceId'];
    const profile = await tool('get_agent_profile', { agentProfileId });
    const kept = Object.fromEntries(members.map((member) => [member, profile[member]]));
    return tool('replace_agent_profile', { agentProfileId, ...kept, flowIds: [flowId] });
  },
  update_flow: async ({ flowId }) => tool('update_flow', { flowId, agentProfileId: await profiled() }),
  restore_deleted: async ({ flowId }) => {
    await tool('delete_flow', { flowId });
    const { trash } = (await tool('list_trash', {})) as { trash?: Input[] };
    return tool('restore_deleted', { trashId: trash?.[0]?.['id'] });
  },
};

/** Tools that store or show what callers may meet later, and whose inputs name a flow or conversation all the same. */
const others = [
  'create_flow_version',
  'edit_flow',
  'write_design',
  'edit_design',
  'restore_version',
  'restore_flow_version',
  'reject_version',
  'reject_flow_version',
  'update_conversation',
  'delete_flow',
  'delete_conversation',
  'save_scenarios',
  'run_scenarios',
  'delete_scenario',
  'simulate_live',
];

describe('a text that was rejected elsewhere', () => {
  test.each(Object.keys(ways))('is warned of by %s', async (name) => {
    const copies = await openCopies();
    const answer = await ways[name]?.(copies);
    expect(answer, JSON.stringify(answer)).not.toHaveProperty('error');
    expect(JSON.stringify(answer?.['warnings'] ?? 'no warnings')).toContain(
      'Version 2 of the conversation \\"Rejected\\" was rejected by Key: We do close.',
    );
  });

  test('is warned of by every operation that leads callers to a flow or conversation', () => {
    const naming = ['flowId', 'flowIds', 'conversationId', 'versionId', 'trashId'];
    const changing = Object.values(toolsets)
      .flat()
      .filter(
        ({ effect, input }) =>
          !effect.readOnly && Object.keys(input.entries).some((entry) => naming.includes(entry)),
      );
    const found = changing.map(({ name }) => name).filter((name) => !others.includes(name));
    const first = ['create_flow', 'create_conversation'];
    const ofFlows = ['update_flow'];
    expect([...new Set([...found, ...first, ...ofFlows])].toSorted()).toEqual(Object.keys(ways).toSorted());
  });
});
