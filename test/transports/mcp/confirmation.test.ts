import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { created, type DesignProject, openDesignProject } from '../../helpers/design-project.ts';
import {
  type McpToolResult,
  mcpTransports,
  openWorld,
  type Person,
  type World,
} from '../../helpers/world.ts';
import { modernMessage } from './modern-message.ts';
import { rpc, sender } from './raw-message.ts';

let world: World;
/** Another replica on the same database. */
let replica: World;
let project: DesignProject;
beforeAll(async () => {
  world = await openWorld();
  replica = await openWorld({ database: { url: world.databaseUrl, drop: async () => undefined } });
  project = await openDesignProject(world);
});
afterAll(async () => {
  await replica.close();
  await world.close();
});

/** A person who notes what is asked, and always says the same. */
function personWho(action: 'accept' | 'decline' | 'cancel') {
  const asked: string[] = [];
  const person: Person = async ({ message }) => {
    asked.push(message);
    return { action };
  };
  return { asked, person };
}

const textOf = ({ content }: McpToolResult) => JSON.parse(content[0]?.text ?? '');
const exists = async (id: string) => (await project.call('GET', `/v1/conversations/${id}`)).status === 200;
const deletion = (conversationId: string) => ({
  name: 'delete_conversation',
  arguments: { conversationId },
});

/** Every client that can ask: stateless HTTP of the 2025 protocols carries no question. */
const askingTransports = mcpTransports.filter((transport) => transport !== 'legacy http');

describe.each(askingTransports)('over %s', (transport) => {
  it('asks what will happen, and does it once the person agrees', async () => {
    const { asked, person } = personWho('accept');
    const client = await world.mcp(transport, project.key, {}, person);
    const id = await project.newConversation({ name: 'Night desk' });
    const result = await client.callTool(deletion(id));
    expect(textOf(result)).toMatchObject({ deleted: true });
    expect(asked).toEqual([
      'Delete the conversation "Night desk"? Nothing that callers meet uses it. It goes to the trash, and restore_deleted can bring it back for 30 days.',
    ]);
    expect(await exists(id)).toBe(false);
  });

  it.each([
    ['decline', 'declined'],
    ['cancel', 'cancelled'],
  ] as const)('changes nothing if the person says %s', async (action, code) => {
    const client = await world.mcp(transport, project.key, {}, personWho(action).person);
    const id = await project.newConversation();
    const result = await client.callTool(deletion(id));
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatchObject({ error: { code }, hint: expect.stringContaining('Do not call') });
    expect(await exists(id)).toBe(true);
  });
});

it.each(mcpTransports)('asks nothing of a client over %s that cannot ask', async (transport) => {
  const client = await world.mcp(transport, project.key);
  const id = await project.newConversation();
  expect(textOf(await client.callTool(deletion(id)))).toMatchObject({ deleted: true });
});

it('works as without forms for a client of the 2025 protocols over HTTP', async () => {
  const { asked, person } = personWho('decline');
  const client = await world.mcp('legacy http', project.key, {}, person);
  const id = await project.newConversation();
  expect(textOf(await client.callTool(deletion(id)))).toMatchObject({ deleted: true });
  expect(asked).toEqual([]);
});

it('refuses a call that may not happen, without a question', async () => {
  const { asked, person } = personWho('accept');
  const reader = await world.key(project.projectId, { access: ['read'] });
  const client = await world.mcp('modern http', reader.key, {}, person);
  await expect(client.callTool(deletion(await project.newConversation()))).resolves.toMatchObject({
    isError: true,
  });
  const full = await world.mcp('modern http', project.key, {}, person);
  const other = await openDesignProject(world);
  const foreign = await other.newConversation();
  expect(textOf(await full.callTool(deletion(foreign)))).toMatchObject({ error: { code: 'not_found' } });
  expect(asked).toEqual([]);
});

describe('the words', () => {
  const { asked, person } = personWho('accept');
  const ask = async (name: string, input: Record<string, unknown>) => {
    asked.length = 0;
    const client = await world.mcp('modern http', project.key, {}, person);
    const result = await client.callTool({ name, arguments: input });
    expect(result.isError, JSON.stringify(result.content)).toBeUndefined();
    return asked.join('\n');
  };
  const numberFor = async (conversationId: string | null) => {
    const number = `+49301${String(1e6 + Math.floor(Math.random() * 8e6))}`;
    const made = created(
      await project.call('POST', `/v1/projects/${project.projectId}/phone-numbers`, {
        name: 'Front desk',
        number,
        type: 'external',
        conversationId,
        externalPhoneFields: { provider: 'sip', terminationUri: 'sip.example.com', transport: 'tls' },
      }),
    );
    return { id: made.id as string, number };
  };

  const newFlow = async (type: string, flowSchema: object) =>
    created(
      await project.call('POST', `/v1/projects/${project.projectId}/flows`, {
        name: 'Reception',
        type,
        flowSchema,
      }),
    ).id as string;
  const newVersion = async (flowId: string, flowSchema: object) =>
    created(await project.call('POST', `/v1/flows/${flowId}/versions`, { flowSchema }));

  it('name lost exits and who meets them, when a version is activated', async () => {
    const id = await project.newConversation({ name: 'Reception' });
    const { body: design } = await project.read(id, 1);
    const { number } = await numberFor(id);
    const { help: _, ...steps } = design.steps;
    created(
      await project.write(id, {
        ...design,
        steps: { ...steps, greeting: { ...steps.greeting, on: { next: 'goodbye' } } },
      }),
    );
    const words = await ask('activate_conversation_version', { conversationId: id, version: 2 });
    expect(words).toContain('Activate version 2 of the conversation "Reception" in place of version 1?');
    expect(words).toContain('the step "help"');
    expect(words).toContain(`New calls meet it at once at: ${number} Front desk.`);
    expect(await ask('activate_conversation_version', { conversationId: id, version: 2 })).toBe('');
  });

  it('name what an edit takes away that goes live at once', async () => {
    const id = await project.newConversation({ name: 'Reception' });
    const merge = { steps: { help: null, greeting: { on: { next: 'goodbye' } } } };
    expect(await ask('edit_design', { conversationId: id, version: 1, merge, activate: true })).toContain(
      'Activate this edit of the conversation "Reception" in place of version 1? Callers lose:\n- the step "help"',
    );
    expect(await ask('edit_design', { conversationId: id, version: 2, merge: { tags: null } })).toBe('');
    const longer = await ask('restore_version', { conversationId: id, version: 1, activate: true });
    expect(longer).toBe('');
    expect(await ask('restore_version', { conversationId: id, version: 2, activate: true })).toContain(
      'Activate version 2, restored, of the conversation "Reception"',
    );
  });

  it('are not needed for a version in which callers lose nothing', async () => {
    const id = await project.newConversation();
    const { body: design } = await project.read(id, 1);
    const goodbye = { ...design.steps.goodbye, line: 'Bye.' };
    created(await project.write(id, { ...design, steps: { ...design.steps, goodbye } }));
    expect(await ask('activate_conversation_version', { conversationId: id, version: 2 })).toBe('');
  });

  it('name who answered a number before, and who will', async () => {
    const first = await project.newConversation({ name: 'Day' });
    const second = await project.newConversation({ name: 'Night' });
    const number = await numberFor(null);
    expect(await ask('assign_conversation', { phoneNumberId: number.id, conversationId: first })).toBe('');
    expect(await ask('assign_conversation', { phoneNumberId: number.id, conversationId: second })).toBe(
      `Change who answers ${number.number} ("Front desk")? Now it is the conversation "Day". From now on, the conversation "Night" answers instead.`,
    );
    expect(await ask('assign_conversation', { phoneNumberId: number.id, conversationId: null })).toContain(
      'nobody answers',
    );
    expect(await ask('delete_phone_number', { phoneNumberId: number.id })).toContain(
      'Its calls are no longer answered.',
    );
  });

  it('name what a simple flow offers no more, however its version goes live, and nothing else', async () => {
    const offered = {
      language: 'en',
      languages: ['de'],
      skills: [{ key: 'book' }, { key: 'cancel', enabled: false }],
      questions: [{ key: 'email', prompt: 'Your email?' }],
      faq: [{ question: 'When do you open?', answer: 'At nine.' }],
      handoff: { number: '+4930123' },
    };
    const id = await newFlow('simple', offered);
    const { handoff: _, ...others } = offered;
    const fewer = {
      ...others,
      skills: [{ key: 'book', enabled: false }],
      questions: [],
      faq: [],
      languages: [],
    };
    await newVersion(id, fewer);
    const lost = [
      'Activate version 2 of the flow "Reception" in place of version 1? Callers lose:',
      '- the skill "book"',
      '- the question "email"',
      '- the answer to "When do you open?"',
      '- the language "de"',
      '- the handoff to a person',
      'No phone number leads to it yet. To go back, activate version 1.',
    ].join('\n');
    expect(await ask('activate_flow_version', { flowId: id, version: 2 })).toBe(lost);
    expect(await ask('activate_flow_version', { flowId: id, version: 1 })).toBe('');
    expect(await ask('create_flow_version', { flowId: id, flowSchema: fewer, activate: true })).toBe(
      lost.replace('version 2', 'this configuration'),
    );
    const edit = { flowId: id, version: 'newest', merge: { questions: offered.questions } };
    expect(await ask('edit_flow', { ...edit, activate: true })).toBe('');
    expect(await ask('restore_version', { flowId: id, version: 2, activate: true })).toContain(
      'Activate version 2, restored, of the flow "Reception" in place of version 4? Callers lose:\n- the question',
    );
    expect(await ask('edit_flow', { ...edit, merge: { greeting: 'Hi' } })).toBe('');
    expect(
      await ask('edit_flow', {
        ...edit,
        version: 5,
        onConflict: 'merge',
        merge: { language: null },
        activate: true,
      }),
    ).toContain(
      'Activate this edit of the flow "Reception" in place of version 5? Callers lose:\n- the language "en"',
    );
  });

  it('name the nodes and the ways that a graph has no more', async () => {
    const nodes = [{ id: 'a' }, { id: 'b' }, { id: 'c' }];
    const edges = [
      { id: '1', from: 'a', to: 'b' },
      { id: '2', from: 'a', to: 'c' },
      { id: '3', from: 'c', to: 'b' },
    ];
    const id = await newFlow('graph', { nodes, edges });
    await newVersion(id, { nodes: nodes.slice(0, 2), edges: [{ id: '9', from: 'a', to: 'b' }] });
    expect(await ask('activate_flow_version', { flowId: id, version: 2 })).toContain(
      'Callers lose:\n- the node "c"\n- the way from "a" to "c"\nNo phone number',
    );
  });

  it('name whom callers and visitors no longer reach', async () => {
    const [day, night] = [
      await project.newConversation({ name: 'Day' }),
      await project.newConversation({ name: 'Night' }),
    ];
    const [unused, number] = [await numberFor(null), await numberFor(day)];
    const disabled = { status: 'disabled' };
    expect(await ask('update_phone_number', { phoneNumberId: unused.id, ...disabled })).toBe('');
    expect(await ask('update_phone_number', { phoneNumberId: number.id, name: 'Front desk' })).toBe('');
    expect(await ask('update_phone_number', { phoneNumberId: number.id, ...disabled })).toBe(
      `Disable ${number.number} ("Front desk")? Its callers no longer reach the conversation "Day".`,
    );
    expect(await ask('update_phone_number', { phoneNumberId: number.id, ...disabled })).toBe('');
    const { id: webAgentId } = created(
      await project.call('POST', `/v1/projects/${project.projectId}/web-sessions/agents`, {
        name: 'Site',
        conversationId: day,
        scopes: ['chat'],
      }),
    );
    expect(await ask('update_web_agent', { webAgentId, addOrigins: ['https://example.com'] })).toBe('');
    expect(await ask('update_web_agent', { webAgentId, conversationId: night })).toBe(
      'Change who answers on the web agent "Site"? Now it is the conversation "Day". From now on, the conversation "Night" answers instead.',
    );
    expect(await ask('update_web_agent', { webAgentId, ...disabled })).toBe(
      'Disable the web agent "Site"? Visitors of its websites no longer reach the conversation "Night".',
    );
    expect(await ask('update_web_agent', { webAgentId, conversationId: day })).toBe('');
  });

  it('name the scenarios that no longer expect what they did', async () => {
    const id = await project.newConversation({ name: 'Reception' });
    const save = (name: string, expected: readonly object[]) =>
      ask('save_scenarios', { conversationId: id, scenarios: [{ name, caller: {}, expect: expected }] });
    const [one, two] = [{ reaches: { step: 'greeting' } }, { neverSays: 'Sorry' }];
    expect(await save('Greets', [one])).toBe('');
    expect(await save('Greets', [one, two])).toBe('');
    expect(await save('Greets', [two])).toBe(
      'Replace the scenario "Greets" of the conversation "Reception"? Some of what was expected is lost: nobody notices any more if a change breaks it.',
    );
    expect(await save('Other', [])).toBe('');
  });

  it('name the key that is revoked, the secret that is deleted and the project that is archived', async () => {
    const key = await world.key(project.projectId);
    expect(await ask('revoke_key', { keyId: key.keyId })).toMatch(
      /^Revoke the key ".*for good\? It was never used\./,
    );
    await project.call('PATCH', `/v1/projects/${project.projectId}/secrets/TOKEN`, { value: 'x' });
    expect(await ask('delete_secret', { name: 'TOKEN' })).toMatch(/^Delete the secret TOKEN for good\?/);
    expect(await ask('update_project', { status: 'paused' })).toMatch(
      /to paused\? Web agents start no sessions/,
    );
    expect(await ask('update_project', { status: 'active' })).toBe('');
  });
});

describe('an answer', () => {
  const forms = { elicitation: { form: {} } };
  const call = async (
    at: World,
    id: string,
    reply: object = {},
    {
      key = project.key,
      capabilities = forms,
      name = 'delete_conversation',
    }: { key?: string; capabilities?: object; name?: string } = {},
  ) => {
    const params = { name, arguments: { conversationId: id }, ...reply };
    const { result } = rpc(await sender(at.base, key)(modernMessage('tools/call', params, capabilities)));
    return result;
  };
  const agreed = { question: { action: 'accept', content: {} } };

  it('is accepted by another replica', async () => {
    const id = await project.newConversation();
    const asked = await call(world, id);
    expect(asked).toMatchObject({
      resultType: 'input_required',
      inputRequests: { question: { method: 'elicitation/create', params: { mode: 'form' } } },
    });
    const { requestState } = asked;
    expect(await exists(id)).toBe(true);
    const done = await call(replica, id, { inputResponses: agreed, requestState });
    expect(done.structuredContent).toMatchObject({ deleted: true });
  });

  it('counts only for the call, the key and the words that it was asked for', async () => {
    const [id, otherId] = [await project.newConversation(), await project.newConversation()];
    const { requestState } = await call(world, id);
    const second = await world.key(project.projectId);
    const withState = { inputResponses: agreed, requestState };
    for (const result of [
      await call(world, otherId, withState),
      await call(world, id, withState, { key: second.key }),
      await call(world, id, { inputResponses: agreed, requestState: `${requestState}0` }),
      await call(world, id, { inputResponses: agreed, requestState: 'e30.e30' }),
      await call(world, id, { requestState }),
    ])
      expect(result).toMatchObject({ resultType: 'input_required' });
    await project.call('PATCH', `/v1/conversations/${id}`, { name: 'Renamed meanwhile' });
    const again = await call(world, id, withState);
    expect(again.inputRequests.question.params.message).toContain('Renamed meanwhile');
    expect(await exists(id)).toBe(true);
    expect(await exists(otherId)).toBe(true);
  });

  it('counts once, even if two replicas get it at once', async () => {
    const id = await project.newConversation();
    const { body: design } = await project.read(id, 1);
    const { help: _, ...steps } = design.steps;
    steps.greeting.on.next = 'goodbye';
    created(await project.write(id, { ...design, steps }));
    const input = { name: 'activate_conversation_version' };
    const activate = (at: World, reply: object = {}) =>
      sender(
        at.base,
        project.key,
      )(
        modernMessage(
          'tools/call',
          { ...input, arguments: { conversationId: id, version: 2 }, ...reply },
          forms,
        ),
      ).then((answer) => rpc(answer).result);
    const { requestState } = await activate(world);
    const reply = { inputResponses: agreed, requestState };
    const both = await Promise.all([activate(world, reply), activate(replica, reply)]);
    for (const { structuredContent } of both) expect(structuredContent).toMatchObject({ activeVersion: 2 });
    const activations =
      "select from audit_log where operation = 'activate_conversation_version' and resource_id = $1";
    expect(await world.rows(activations, [id])).toHaveLength(1);
    // Somebody goes back, and the old answer does not put version 2 live once more.
    await project.activate(id, 1);
    expect(await activate(world, reply)).toMatchObject({ structuredContent: { activeVersion: 2 } });
    const { body } = await project.call('GET', `/v1/conversations/${id}`);
    expect(body.activeVersion).toBe(1);
  });

  it('is not asked of a client that shows pages only', async () => {
    const id = await project.newConversation();
    const done = await call(world, id, {}, { capabilities: { elicitation: { url: {} } } });
    expect(done.structuredContent).toMatchObject({ deleted: true });
  });
});

it('changes nothing if the client leaves while the person is asked', async () => {
  const id = await project.newConversation();
  const asked = Promise.withResolvers<void>();
  const client = await world.mcp('legacy stdio', project.key, {}, () => {
    asked.resolve();
    return new Promise(() => undefined);
  });
  const call = client.callTool(deletion(id));
  const failure = call.catch((error: unknown) => error);
  await asked.promise;
  await client.close();
  expect(await failure).toBeInstanceOf(Error);
  expect(await exists(id)).toBe(true);
});
