import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openProject, type Project } from '../helpers/project.ts';
import { openSite } from '../helpers/wall-trial.ts';
import { type McpClient, openWorld, type World } from '../helpers/world.ts';

let world: World;
let project: Project;
let client: McpClient;
beforeAll(async () => {
  // Without a model, the rule reads each turn.
  world = await openWorld({ models: undefined });
  project = await openProject(world);
  client = await world.mcp('modern http', project.key);
});
afterAll(() => world.close());

const clinic = {
  greeting: 'Hello, this is Sunny Dental. How can I help you?',
  questions: [
    { key: 'name', prompt: 'May I have your name?', required: true },
    { key: 'phone', prompt: 'Which number can we reach you on?', required: true },
  ],
  faq: [
    { question: 'When are you open?', answer: 'Monday to Friday, 9 to 5.' },
    { question: 'Where are you?', answer: '12 Quay Street.' },
  ],
  handoff: { number: '+12025550143' },
  closing: 'Thank you, {{name}}. Goodbye!',
};

const shop = {
  entry: 'start',
  nodes: [
    { id: 'start', say: 'Hello from Harbour Books, this is the AI assistant. Sales or support?' },
    { id: 'menu', type: 'branch' },
    { id: 'sales', type: 'question', prompt: 'What would you like to buy?', variable: 'product' },
    { id: 'support', type: 'transfer', number: '+12025550143' },
    { id: 'stock', type: 'httpRequest', url: 'https://shop.example/stock' },
    { id: 'noted', type: 'end', text: 'We have noted {{product}}. Goodbye!' },
  ],
  edges: [
    { id: 'e1', from: 'start', to: 'menu' },
    { id: 'e2', from: 'menu', to: 'sales', label: 'Sales' },
    { id: 'e3', from: 'menu', to: 'support', label: 'Support' },
    { id: 'e4', from: 'sales', to: 'stock' },
    { id: 'e5', from: 'stock', to: 'noted' },
  ],
};

async function onMcp(name: string, input: Record<string, unknown>) {
  const { content, isError } = await client.callTool({ name, arguments: input });
  return { isError: isError === true, value: JSON.parse(content[0]?.text ?? '') };
}

const agentLines = ({ transcript }: { transcript: { who: string; text: string }[] }) =>
  transcript.flatMap(({ who, text }) => (who === 'agent' ? [text] : []));

describe('a simple flow', () => {
  it('is simulated over REST and MCP, also by its name, and a call goes on from its state', async () => {
    const flowId = await project.newFlow({ name: 'Front desk', flowSchema: clinic });
    const script = ['When are you open?', "I'd like an appointment", 'Ana Silva', '202 555 0144'];
    const whole = await project.call('POST', `/v1/flows/${flowId}/simulations`, { caller: { script } });
    expect(whole.status).toBe(200);
    expect(agentLines(whole.body)).toEqual([
      'Hello, this is Sunny Dental. I am an AI assistant. How can I help you?',
      'Monday to Friday, 9 to 5.',
      'Is there anything else I can do for you?',
      'May I have your name?',
      'Which number can we reach you on?',
      'Thank you, Ana Silva. Goodbye!',
    ]);
    expect(whole.body).toMatchObject({
      version: 1,
      ended: { reason: 'completed', step: 'closing' },
      variables: { name: 'Ana Silva', phone: '2025550144' },
      deterministic: true,
    });
    const { value } = await onMcp('simulate_conversation', { flowId: 'Front desk', caller: { script } });
    expect(value.transcript).toEqual(whole.body.transcript);

    const begun = await project.call('POST', `/v1/flows/${flowId}/simulations`, {
      caller: { script: script.slice(0, 2) },
    });
    const went = await project.call('POST', `/v1/flows/${flowId}/simulations`, {
      caller: { script: script.slice(2) },
      state: begun.body.state,
    });
    expect(went.body.variables).toEqual(whole.body.variables);
    const other = await project.newFlow({ flowSchema: clinic });
    const stolen = await project.call('POST', `/v1/flows/${other}/simulations`, { state: begun.body.state });
    expect(stolen.body.error).toMatchObject({ code: 'invalid_request' });
  });

  it('is proved over REST and MCP, and the proof says what Parley adds', async () => {
    const flowId = await project.newFlow({ name: 'Proved', flowSchema: clinic });
    const { body } = await project.call('POST', `/v1/flows/${flowId}/designs/prove`, {});
    expect(body).toMatchObject({
      holds: true,
      versions: [{ version: 1, isActive: true, note: expect.stringContaining('discloses the AI') }],
    });
    const { value } = await onMcp('prove_design', { flowId });
    expect(value.holds).toBe(true);
    const named = await project.call('POST', `/v1/flows/${flowId}/designs/prove`, {
      properties: [{ property: 'neverAfter', never: { step: 'questions' }, after: { step: 'answers' } }],
    });
    expect(named.body.versions[0].proofs[0]).toMatchObject({ holds: false });
    const unknown = await project.call('POST', `/v1/flows/${flowId}/designs/prove`, {
      properties: [{ property: 'neverAfter', never: { step: 'nowhere' }, after: { step: 'answers' } }],
    });
    expect(unknown.status).toBe(400);
  });

  it('is read with the place that each step comes from, also its outline and some steps', async () => {
    const flowId = await project.newFlow({ name: 'Read', flowSchema: clinic });
    const { body } = await project.call('GET', `/v1/flows/${flowId}/versions/1/design`);
    expect(body.sources).toMatchObject({
      greeting: '/greeting',
      answers: '/faq',
      questions: '/questions',
      handoff: '/handoff',
      closing: '/closing',
    });
    expect(body.meaningless).toEqual([]);
    const outline = await onMcp('read_design', { flowId: 'Read', outline: true });
    expect(outline.value).toMatchObject({ version: 1, sources: body.sources, meaningless: [] });
    expect(outline.value.steps.map(({ id }: { id: string }) => id)).toEqual(Object.keys(body.design.steps));
    const some = await onMcp('read_design', { flowId, steps: ['questions'] });
    expect(some.value.steps).toEqual({ questions: body.design.steps.questions });
    const none = await onMcp('read_design', { flowId, steps: ['nowhere'] });
    expect(none.value).toMatchObject({
      error: { code: 'not_found' },
      hint: expect.stringContaining('"flowId"'),
    });
  });

  it('is read and played as the version that a call names', async () => {
    const flowId = await project.newFlow({ flowSchema: clinic });
    await project.newVersion(flowId, { ...clinic, closing: 'Bye, {{name}}.' });
    const closing = async (version: string | number) => {
      const { value } = await onMcp('read_design', { flowId, version, steps: ['closing'] });
      return [value.version, value.steps.closing.line];
    };
    expect(await closing('newest')).toEqual([2, 'Bye, {{name}}.']);
    expect(await closing('active')).toEqual([1, 'Thank you, {{name}}. Goodbye!']);
    expect(await closing(1)).toEqual([1, 'Thank you, {{name}}. Goodbye!']);
    const missing = await onMcp('read_design', { flowId, version: 3 });
    expect(missing.value.error.code).toBe('not_found');
  });

  it('is drawn as Mermaid and SVG, with what changed and with the way of a call', async () => {
    const flowId = await project.newFlow({ flowSchema: clinic });
    await project.newVersion(flowId, { ...clinic, handoff: undefined });
    const drawn = await project.call('GET', `/v1/flows/${flowId}/versions/1/diagram`);
    expect(drawn.body.mermaid).toContain('Put through');
    const { value } = await onMcp('draw_design', { flowId, version: 2, against: 1 });
    expect(value.mermaid).toMatch(/removed/i);
    const run = await onMcp('draw_design', {
      flowId,
      version: 1,
      run: { caller: { script: ['When are you open?'] } },
    });
    expect(run.isError).toBe(false);
    const scenarios = await onMcp('draw_design', { flowId, run: { scenarios: true } });
    expect(scenarios.value.error.code).toBe('invalid_request');
  });

  it('is played live, with the webhook of its skill', async () => {
    const flowSchema = {
      ...clinic,
      skills: [{ key: 'callWebhooks', settings: { url: 'https://shop.example/calls' } }],
    };
    const flowId = await project.newFlow({ flowSchema });
    const script = ["I'd like an appointment", 'Ana Silva', '202 555 0144'];
    const { body } = await project.call('POST', `/v1/flows/${flowId}/live-simulations`, {
      caller: { script },
      mocks: { nodes: { post: { status: 200 } } },
    });
    expect(body.requests).toMatchObject([{ node: 'post', result: 'mocked' }]);
    expect(JSON.stringify(body.requests)).toContain('Ana Silva');
  });

  it('has its webhook signed as a draft only for a key that may publish, and live for every key', async () => {
    const received: object[] = [];
    const site = await openSite((request, response) => {
      received.push(request.headers);
      request.resume().on('end', () => response.end('{}'));
    });
    const signing = await openWorld({ models: undefined, outbound: { allow: site.allow } });
    onTestFinished(() => signing.close());
    const owner = await openProject(signing);
    const secret = `/v1/projects/${owner.projectId}/secrets/WEBHOOK_SIGNING_SECRET`;
    expect((await owner.call('PATCH', secret, { value: 'the-secret-that-signs' })).status).toBe(200);
    const flowSchema = {
      ...clinic,
      skills: [{ key: 'callWebhooks', settings: { url: `${site.url}/calls` } }],
    };
    const flowId = await owner.newFlow({ flowSchema });
    await owner.newVersion(flowId, { ...flowSchema, closing: 'Bye, {{name}}.' });
    const script = ["I'd like an appointment", 'Ana Silva', '202 555 0144'];
    const drafter = ['read', 'draft', 'run'] as const;
    for (const access of [drafter, [...drafter, 'publish'] as const]) {
      const { key } = await signing.key(owner.projectId, { access });
      for (const version of [1, 2]) {
        received.length = 0;
        const route = `/v1/flows/${flowId}/live-simulations`;
        const { status, body } = await signing.rest('POST', route, {
          key,
          body: { version, caller: { script } },
        });
        const what = `version ${version}, ${access.join()}: ${JSON.stringify(body)}`;
        expect(status, what).toBe(200);
        expect(received, what).toHaveLength(1);
        const isSigned = JSON.stringify(received).includes('"webhook-signature":"v1,');
        expect(isSigned, what).toBe(version === 1 || access.length > drafter.length);
        if (!isSigned) expect(JSON.stringify(body), what).toMatch(/may not publish|access \\"publish\\"/);
        expect(JSON.stringify([received, body]), what).not.toContain('the-secret-that-signs');
      }
    }
  });

  it('becomes a conversation, which takes calls on numbers and websites', async () => {
    const flowId = await project.newFlow({ name: 'Copied', flowSchema: clinic });
    const { body: flow } = await project.call('GET', `/v1/flows/${flowId}/versions/1/design`);
    const copy = await onMcp('create_conversation', {
      projectId: project.projectId,
      name: 'Copied',
      flowId: 'Copied',
    });
    expect(copy.value.warnings).toBeUndefined();
    const { body } = await project.call('GET', `/v1/conversations/${copy.value.id}/versions/1/design`);
    expect(body.steps).toEqual(flow.design.steps);
    const agent = await project.call('POST', `/v1/projects/${project.projectId}/web-sessions/agents`, {
      name: 'Website',
      conversationId: copy.value.id,
      scopes: ['chat'],
      allowedOrigins: [],
    });
    expect(agent.status).toBe(201);
    const both = await onMcp('create_conversation', { name: 'Both', flowId, templateKey: 'faq' });
    expect(both.value.error.code).toBe('invalid_request');
  });
});

describe('a graph', () => {
  it('is played as far as its nodes say what they do, and lists the rest', async () => {
    const flowId = await project.newFlow({ type: 'graph', flowSchema: shop });
    const { body } = await project.call('POST', `/v1/flows/${flowId}/simulations`, {
      caller: { script: ['Sales, please', 'An atlas'] },
    });
    expect(agentLines(body).at(-1)).toBe('We have noted An atlas. Goodbye!');
    const read = await project.call('GET', `/v1/flows/${flowId}/versions/1/design?outline=true`);
    expect(read.body.sources).toMatchObject({ start: '/nodes/0', sales: '/nodes/2', support: '/nodes/3' });
    expect(read.body.meaningless).toEqual([
      { path: '/nodes/4', message: 'Does not say what happens in the call.' },
    ]);
    const copy = await onMcp('create_conversation', { name: 'Shop', flowId });
    expect(copy.value.warnings).toMatchObject([
      { path: '/steps/noted/line', message: expect.stringContaining('{{product}} may be empty') },
      { message: expect.stringContaining('/nodes/4') },
    ]);
  });

  it('that says nothing is read with the reasons, and is not played', async () => {
    const flowId = await project.newFlow({
      type: 'graph',
      flowSchema: { nodes: [{ id: 'a', type: 'httpRequest' }] },
    });
    const read = await project.call('GET', `/v1/flows/${flowId}/versions/1/design`);
    expect(read.body).toMatchObject({ design: null, meaningless: [{ path: '/nodes/0' }] });
    const played = await project.call('POST', `/v1/flows/${flowId}/simulations`, {});
    expect(played.status).toBe(501);
    expect(played.body.error.code).toBe('not_yet_supported');
    const { value } = await onMcp('simulate_conversation', { flowId });
    expect(value.hint).toContain('read_design');
    const proof = await project.call('POST', `/v1/flows/${flowId}/designs/prove`, {});
    expect(proof.body).toMatchObject({ holds: false, versions: [{ proofs: [] }] });
  });
});

it('refuses a call that names a conversation and a flow, or neither, or an edit of a flow', async () => {
  const flowId = await project.newFlow({ flowSchema: clinic });
  const conversation = await onMcp('create_conversation', { name: 'Other' });
  const conversationId = conversation.value.id;
  for (const input of [{ flowId, conversationId }, {}, { flowId, merge: {} }]) {
    const { value } = await onMcp('simulate_conversation', input);
    expect(value.error.code, JSON.stringify(input)).toBe('invalid_request');
  }
  const missing = await onMcp('read_design', {});
  expect(missing.value.error.message).toContain('One of conversationId, flowId is required');
});
