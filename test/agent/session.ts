import { expect } from 'vitest';
import type { McpClient } from '../helpers/world.ts';

/** One tool call of an agent: the arguments that it wrote and the response that it read. */
export interface AgentCall {
  readonly tool: string;
  readonly purpose: string;
  readonly sent: string;
  readonly received: string;
  readonly refused: boolean;
}

type Value = ReturnType<typeof JSON.parse>;

/**
 * Plays an agent with the task "take a booking line from a template, send urgent callers to a person first, and prove
 * that nothing is collected before the AI is disclosed". It uses MCP only, and knows only what the tools return.
 */
export async function agentSession(client: McpClient): Promise<readonly AgentCall[]> {
  const calls: AgentCall[] = [];

  /** Calls a tool. The agent learns from its response, even from an error, and from nothing else. */
  const use = async (purpose: string, tool: string, input: Record<string, unknown> = {}): Promise<Value> => {
    const { content, isError = false } = await client.callTool({ name: tool, arguments: input });
    const received = content.map(({ text, data = '' }) => text ?? data).join('\n');
    calls.push({ tool, purpose, sent: JSON.stringify(input), received, refused: isError });
    const [block] = content;
    return block?.text === undefined ? block : JSON.parse(block.text);
  };

  const { projects } = await use('find the project', 'list_projects');
  const projectId = projects[0].id;
  const { templates } = await use('see what there is to start from', 'list_templates');
  const template = templates.find(({ name }: { name: string }) => name === 'Appointment booking');
  const { id: conversationId, activeVersion } = await use('make the conversation', 'create_conversation', {
    projectId,
    name: 'Booking line',
    templateKey: template.key,
    templateFields: {
      ...Object.fromEntries(template.required.map((key: string) => [key, key])),
      businessName: 'Harbour Vets',
      transferNumber: '+12025550143',
      notifyNumber: '+12025550144',
    },
  });
  const outline = await use('see its steps', 'read_design', {
    conversationId,
    version: activeVersion,
    outline: true,
  });
  const entry = outline.entry.stepId;
  const opening = outline.steps.find(({ id }: { id: string }) => id === entry);
  const { steps } = await use('read the step to change', 'read_design', {
    conversationId,
    version: activeVersion,
    steps: [entry],
  });
  expect(steps[entry].introLine).toContain('Harbour Vets');

  // The agent forgets to create the next step, and to declare the variable that this one collects.
  const asking = {
    kind: 'collect',
    prompt: 'Before anything else: is an animal in danger right now?',
    collect: [{ id: 'danger', variableId: 'danger' }],
    on: { next: 'danger' },
  };
  const urgent = { entry: { stepId: 'urgent' }, steps: { urgent: asking } };
  const refusal = await use('ask about urgent cases first', 'edit_design', {
    conversationId,
    version: activeVersion,
    merge: urgent,
  });
  expect(refusal.error).toMatchObject({ code: 'invalid_transition' });
  // The refusal itself lists what is wrong, also under other codes.
  expect(refusal.problems.map(({ path }: { path: string }) => path)).toStrictEqual([
    '/steps/urgent/on/next',
    '/steps/urgent/collect/0/variableId',
  ]);
  const { example } = await use('see how variables are declared', 'describe_design');
  expect(example).toHaveProperty('entry');

  const edited = await use('mend both', 'edit_design', {
    conversationId,
    version: activeVersion,
    patch: [
      { op: 'add', path: '/variables/-', value: { id: 'danger', type: 'text' } },
      { op: 'add', path: '/steps/urgent', value: { ...asking, on: { next: opening.exits.next } } },
      { op: 'replace', path: '/entry/stepId', value: 'urgent' },
    ],
    tag: 'urgent first',
  });
  const { summary } = await use('compare with what callers meet', 'diff_designs', {
    conversationId,
  });
  expect(summary.join('\n')).toContain('urgent');
  const picture = await use('look at it', 'draw_design', {
    conversationId,
    version: edited.version,
    format: 'png',
    against: activeVersion,
  });
  expect(picture).toMatchObject({ type: 'image', mimeType: 'image/png' });

  const { versions } = await use('prove it', 'prove_design', { conversationId });
  expect(versions).toMatchObject([
    { version: edited.version, isActive: false, holds: false },
    { version: activeVersion, isActive: true, holds: true },
  ]);
  const broken = versions[0].proofs.filter(({ holds }: { holds: boolean }) => !holds);
  const call = [`urgent asks ${JSON.stringify(asking.prompt)}`];
  expect(broken).toMatchObject([
    { property: { property: 'disclosedBeforeCollecting' }, call },
    { property: { property: 'disclosedFirst' }, call },
  ]);
  const mended = await use('greet first, then ask', 'edit_design', {
    conversationId,
    version: edited.version,
    patch: [
      { op: 'replace', path: '/entry/stepId', value: entry },
      { op: 'replace', path: `/steps/${entry}/on/next`, value: 'urgent' },
    ],
    tag: 'urgent after the greeting',
  });
  const proved = await use('prove it again', 'prove_design', {
    conversationId,
    version: mended.version,
    properties: [
      { property: 'disclosedBeforeCollecting' },
      { property: 'everyPathEnds' },
      { property: 'alwaysBefore', always: { step: 'urgent' }, before: { kind: 'transfer' } },
    ],
  });
  expect(proved.holds).toBe(true);

  const activated = await use('take it live', 'activate_conversation_version', {
    conversationId,
    version: mended.version,
  });
  expect(activated.activeVersion).toBe(mended.version);
  const back = await use('roll back', 'activate_conversation_version', {
    conversationId,
    version: activeVersion,
  });
  expect(back.activeVersion).toBe(activeVersion);
  return calls;
}
