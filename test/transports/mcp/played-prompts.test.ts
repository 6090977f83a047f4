import { afterAll, beforeAll, expect, it } from 'vitest';
import { toolNamesIn } from '../../contract/tool-names.ts';
import { created, type DesignProject, openDesignProject } from '../../helpers/design-project.ts';
import { type McpClient, openWorld, type World } from '../../helpers/world.ts';

let world: World;
let project: DesignProject;
let client: McpClient;
let conversationId: string;
beforeAll(async () => {
  world = await openWorld();
  project = await openDesignProject(world);
  client = await world.mcp('modern http', project.key);
  conversationId = await project.newConversation({ name: 'Front desk' });
  const { body: design } = await project.read(conversationId, 1);
  const goodbye = { ...design.steps.goodbye, line: 'Goodbye, and have a nice day.' };
  created(await project.write(conversationId, { ...design, steps: { ...design.steps, goodbye } }));
});
afterAll(() => world.close());

type PlayedCall = readonly [name: string, input?: Record<string, unknown>];

const named = { conversationId: 'Front desk' };
const merge = { steps: { goodbye: { line: 'Bye.' } } };
const said = { caller: { script: ['Until when are you open?', 'No.', 'Hm?'] } };
const play = (more: object = {}): PlayedCall => ['simulate_conversation', { ...named, ...said, ...more }];
const save: PlayedCall = ['save_scenarios', { ...named, proposed: true }];

/** The calls that a model makes that follows a prompt to the letter. It stops where the prompt tells it to ask. */
const played: Record<string, { given: Record<string, string>; calls: () => Promise<readonly PlayedCall[]> }> =
  {
    review_change: {
      given: { conversation: 'Front desk', version: '2' },
      calls: async () => [
        ['get_conversation', named],
        ['list_conversation_versions', named],
        ['diff_designs', { ...named, version: 2, against: 'active' }],
        ['prove_design', { ...named, version: [2, 'active'] }],
        ['run_scenarios', { ...named, version: 2 }],
        play({ version: 2 }),
        ['search_project', { text: 'Front desk' }],
      ],
    },
    build_agent: {
      given: { purpose: 'Says when a hairdresser is open.' },
      calls: async () => [
        ['get_project_overview'],
        ['list_templates'],
        ['create_conversation', { name: 'Salon' }],
        ['read_design', { conversationId: 'Salon', outline: true }],
        ['describe_design', { kind: 'answer' }],
        ['validate_design', { conversationId: 'Salon', version: 1, merge }],
        ['edit_design', { conversationId: 'Salon', version: 1, merge }],
        ['prove_design', { conversationId: 'Salon' }],
        ['simulate_conversation', { conversationId: 'Salon', ...said }],
        ['save_scenarios', { conversationId: 'Salon', proposed: true }],
        ['draw_design', { conversationId: 'Salon' }],
      ],
    },
    investigate_call: {
      given: { conversation: 'Front desk', complaint: 'It hung up on me.' },
      calls: async () => [
        ['list_sessions', named],
        ['read_design', { ...named, version: 2, steps: ['goodbye'] }],
        play({ version: 2 }),
        ['list_conversation_versions', named],
        ['diff_designs', { ...named, version: 2, against: 1 }],
        ['list_changes', { resource: 'Front desk' }],
        ['validate_design', { ...named, version: 2, merge }],
        play({ version: 2, merge }),
        save,
      ],
    },
    translate_agent: {
      given: { conversation: 'Front desk', language: 'Spanish' },
      async calls() {
        const { body: design } = await project.read(conversationId, 1);
        return [
          ['read_design', { ...named, version: 'active', outline: true }],
          ['read_design', { ...named, version: 'active' }],
          ['validate_design', { design }],
          ['create_conversation', { name: 'Front desk (Spanish)', design }],
          ['prove_design', { conversationId: 'Front desk (Spanish)' }],
          play({ version: 'active' }),
          ['simulate_conversation', { conversationId: 'Front desk (Spanish)', ...said }],
          ['list_agent_profiles'],
          ['list_voices'],
        ];
      },
    },
  };

/** What a prompt leaves to the person, and what needs the chat of a visitor. */
const leftOut = ['activate_conversation_version', 'assign_conversation', 'get_session'];

it.each(Object.keys(played))('%s names calls that succeed, in an order that works', async (name) => {
  const { given = {}, calls } = played[name] ?? {};
  const { messages } = await client.getPrompt({ name, arguments: given });
  const steps = (messages[0]?.content.text ?? '').split('\n').filter((line) => /^\d+\. /.test(line));
  const made: string[] = [];
  for (const [tool, input = {}] of (await calls?.()) ?? []) {
    const result = await client.callTool({ name: tool, arguments: input });
    expect(result.isError, `${tool}: ${JSON.stringify(result.content)}`).toBeUndefined();
    made.push(tool);
  }
  const wanted = new Set(steps.flatMap((step) => toolNamesIn(step)));
  expect([...wanted].filter((tool) => !made.includes(tool) && !leftOut.includes(tool))).toEqual([]);
  expect(made.filter((tool) => !wanted.has(tool))).toEqual([]);
});
