import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import pino from 'pino';
import { startIndexing } from '../src/command-line/start-indexing.ts';
import type { RestAnswer, World } from '../test/helpers/world.ts';
import { areas, stateOf } from './state.ts';
import type { End, Made, MadeCall, RecordedCall, Task } from './task.ts';

/** A result of a tool, as JSON. */
type Result = Record<string, unknown>;

/** What came of a call. */
type Outcome = Pick<MadeCall, 'failed' | 'text'>;

const greeting = 'Hello, I am the AI assistant of Brook Street Dental.';

/** The conversation of the practice, whose second version is a draft. */
const clinic = {
  schemaVersion: 'cd/1',
  entry: { stepId: 'hello' },
  steps: {
    hello: { kind: 'greeting', introLine: greeting, on: { next: 'menu' } },
    menu: {
      kind: 'route',
      prompt: 'Find out what the caller wants.',
      options: [
        { id: 'hours', title: 'Hours', description: 'Asks when we are open.', target: 'hours' },
        { id: 'billing', title: 'Billing', description: 'Asks about a bill.', target: 'billing' },
      ],
      on: { fallback: 'hours' },
    },
    hours: { kind: 'message', text: 'We are open from 8 to 6.', on: { next: 'bye' } },
    billing: {
      kind: 'transfer',
      destination: { kind: 'phoneNumber', value: '+12025550142' },
      on: { failed: 'bye' },
    },
    bye: { kind: 'end', line: 'Goodbye.' },
  },
};

/** A conversation that says one line. */
export const oneLine = (introLine: string) => ({
  schemaVersion: 'cd/1',
  entry: { stepId: 'hello' },
  steps: { hello: { kind: 'greeting', introLine, on: { next: 'bye' } }, bye: { kind: 'end' } },
});

export const frontDesk = {
  greeting,
  faq: [{ question: 'Do you take insurance?', answer: 'Yes, every private insurance.' }],
  handoff: { number: '+12025550190', when: 'The caller is in pain.' },
};

/** What every task starts with: the id under which tasks know it, and the call that makes it. */
const furniture: readonly (readonly [id: string, ...RecordedCall])[] = [
  ['front', 'create_flow', { name: 'Front desk', flowSchema: frontDesk }],
  ['frontV2', 'create_flow_version', { flowId: '$front', flowSchema: { ...frontDesk, closing: 'Bye.' } }],
  ['', 'activate_flow_version', { versionId: '$frontV2' }],
  ['night', 'create_flow', { name: 'Night line', flowSchema: { greeting: `${greeting} We are closed.` } }],
  ['summer', 'create_flow', { name: 'Summer campaign', flowSchema: { greeting } }],
  [
    'anna',
    'create_agent_profile',
    { name: 'Anna', isDefault: true, flowIds: ['$front'], supportedInputLanguages: ['en'] },
  ],
  ['ben', 'create_agent_profile', { name: 'Ben', outputVoiceId: 'nova' }],
  ['clinic', 'create_conversation', { name: 'Clinic line', design: clinic }],
  [
    '',
    'edit_design',
    {
      conversationId: '$clinic',
      version: 1,
      tag: 'longer-hours',
      merge: { steps: { hours: { text: 'We are open from 8 to 8.' } } },
    },
  ],
  ['recall', 'create_conversation', { name: 'Recall reminders', design: oneLine(greeting) }],
  ['main', 'import_phone_number', { name: 'Main line', number: '+12025550101', type: 'partner' }],
  ['mobile', 'import_phone_number', { name: 'Mobile', number: '+12025550102', type: 'partner' }],
  ['spare', 'import_phone_number', { name: 'Spare line', number: '+12025550103', type: 'partner' }],
  ['', 'assign_flow', { phoneNumberId: '$main', flowId: '$front' }],
  ['', 'assign_conversation', { phoneNumberId: '$mobile', conversationId: '$clinic' }],
  ['', 'update_phone_number', { phoneNumberId: '$spare', status: 'disabled' }],
  [
    'chat',
    'create_web_agent',
    {
      name: 'Homepage chat',
      conversationId: '$clinic',
      scopes: ['chat'],
      allowedOrigins: ['https://www.brook.example'],
    },
  ],
  ['facts', 'create_knowledge_base', { name: 'Practice facts' }],
  ['brochures', 'create_knowledge_base', { name: 'Old brochures' }],
  [
    'prices',
    'add_knowledge_source',
    {
      knowledgeBaseId: '$facts',
      type: 'file',
      name: 'Price list',
      fileName: 'prices.txt',
      mimeType: 'text/plain',
      contentBase64: Buffer.from('A check-up is 80 dollars.').toString('base64'),
      indexing: 'deferred',
    },
  ],
  ['', 'set_secret', { name: 'CRM_TOKEN', value: 'token of the trial' }],
  [
    'crm',
    'create_integration',
    { kind: 'crm', provider: 'hubspot', name: 'Sales CRM', credentials: { accessToken: 'trial' } },
  ],
  ['homepageKey', 'mint_key', { keyType: 'publishable', name: 'Homepage' }],
];

/** Starts the workers that index the knowledge of every practice, as those of a server do. */
export const startWorkers = ({ core }: World) =>
  startIndexing(core, { atOnce: 1, fetchAllow: [], backoff: [1] }, pino({ level: 'silent' }));

/** A new project for one task, with the tools of its key. */
export async function openPractice(world: World, task: Task) {
  const tenant = await world.tenant({ name: 'Brook Street Dental' });
  const client = await world.mcp('modern http', tenant.key);
  const ids: Record<string, string> = { project: tenant.projectId };

  const prepare = async (tool: string, input: Record<string, unknown>): Promise<Outcome> => {
    const { content, isError = false } = await client.callTool({ name: tool, arguments: input });
    return { failed: isError, text: content.map(({ text = '' }) => text).join('\n') };
  };
  const send: End['send'] = (method, route, request) =>
    world.rest(method, route, { key: tenant.key, ...request });
  const get = async (route: string): Promise<RestAnswer['body']> => {
    const { status, body } = await send('GET', route);
    return status === 200 ? body : undefined;
  };
  const indexed: End['indexed'] = async (knowledgeBaseId) => {
    const isWaiting = async () => {
      const list = await get(`/v1/knowledge/${knowledgeBaseId}/sources`);
      return list?.sources.some(({ indexingStatus }: Made) => indexingStatus === 'inProgress');
    };
    const end = Date.now() + 30_000;
    while (Date.now() < end && (await isWaiting())) await sleep(100);
  };
  const calls: MadeCall[] = [];
  const call = async (tool: string, input: Record<string, unknown>): Promise<Outcome> => {
    const outcome = await prepare(tool, input);
    calls.push({ tool, input, ...outcome });
    return outcome;
  };
  /**
   * Returns the answer, with what it takes from the results.
   * @throws if a call fails, because recorded calls do not
   */
  const replay = async (recorded: readonly RecordedCall[], answer = '', make = call): Promise<string> => {
    const results: Result[] = [];
    for (const [tool, members] of recorded) {
      const input = filled(members, ids, results) as Result;
      // An agent asks again until its knowledge is indexed; recorded calls cannot.
      const { knowledgeBaseId } = input;
      if (typeof knowledgeBaseId === 'string') await indexed(knowledgeBaseId);
      const { failed, text } = await make(tool, input);
      if (failed) throw new Error(`${task.name}: ${tool} failed: ${text}`);
      results.push(JSON.parse(text) as Result);
    }
    return answer.replace(/\{(\d[\w.]*)\}/g, (_, place: string) => String(filled(`$${place}`, ids, results)));
  };
  for (const [id, tool, input] of furniture) {
    const { failed, text } = await prepare(tool, filled(input, ids, []) as Result);
    if (failed) throw new Error(`${tool} failed: ${text}`);
    if (id) ids[id] = (JSON.parse(text) as { id: string }).id;
  }
  await replay(task.setUp ?? [], '', prepare);
  const before = await stateOf(get, tenant.projectId);
  return {
    client,
    /** The ids of what every task starts with, under which tasks know it. */
    ids: ids as Readonly<Record<string, string>>,
    call,
    replay,
    /** True if the task is solved and nothing else has changed. */
    async judge(answer: string): Promise<boolean> {
      // Read before the check, because a check may try a key.
      const after = await stateOf(get, tenant.projectId);
      const end: End = { ids, answer, calls, before, after, get, send, indexed };
      if (!(await task.check(end))) return false;
      return areas.every(
        (area) => task.touches?.includes(area) || isDeepStrictEqual(before[area], after[area]),
      );
    },
    close: () => client.close(),
  };
}

/** Puts ids and results in the place of the texts that stand for them. */
function filled(input: unknown, ids: Readonly<Record<string, string>>, results: readonly Result[]): unknown {
  if (Array.isArray(input)) return input.map((item) => filled(item, ids, results));
  if (typeof input === 'object' && input !== null)
    return Object.fromEntries(
      Object.entries(input).map(([name, member]) => [name, filled(member, ids, results)]),
    );
  if (typeof input !== 'string' || !input.startsWith('$')) return input;
  const [first = '', ...path] = input.slice(1).split('.');
  let value: unknown = /^\d+$/.test(first) ? results[Number(first) - 1] : ids[first];
  for (const member of path) value = (value as Result | undefined)?.[member];
  if (value === undefined) throw new Error(`Nothing is known as ${input}.`);
  return value;
}
