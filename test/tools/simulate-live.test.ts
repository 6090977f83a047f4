import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished, test } from 'vitest';
import type { Design } from '../../src/design/schema/design.ts';
import { openSimulationProject } from '../helpers/simulation-project.ts';
import { openSite } from '../helpers/wall-trial.ts';
import { openWorld } from '../helpers/world.ts';
import { hubSpotToken, openHubSpot, openTwilio, twilioAccount } from '../services/providers/stand-in.ts';

const signingSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const shopKey = 'the-key-of-the-shop';

/** A shop that repeats the headers of a request in its response, and Twilio and HubSpot. */
async function openLive(contacts: readonly Record<string, string>[] = []) {
  const received: { url: string; headers: Record<string, unknown>; body: string }[] = [];
  const site = await openSite((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (part: string) => (body += part));
    request.on('end', () => {
      received.push({ url: request.url ?? '', headers: request.headers, body });
      response.end(JSON.stringify({ state: 'on its way', echo: request.headers.authorization }));
    });
  });
  const [twilio, hubSpot] = [await openTwilio(), await openHubSpot(contacts)];
  const world = await openWorld({
    models: undefined,
    outbound: { allow: site.allow, twilioUrl: twilio.url, hubSpotUrl: hubSpot.url },
  });
  onTestFinished(() => world.close());
  const project = await openSimulationProject(world);
  const setSecret = (name: string, value: string, binding: object = {}) =>
    project.call('PATCH', `/v1/projects/${project.projectId}/secrets/${name}`, { value, ...binding });
  await setSecret('SHOP_KEY', shopKey, { hosts: [new URL(site.url).host] });
  return {
    world,
    project,
    setSecret,
    site,
    received,
    twilio,
    hubSpot,
    async live(design: Design, body: Record<string, unknown> = {}) {
      const id = await project.conversationOf(design);
      return project.call('POST', `/v1/conversations/${id}/live-simulations`, {
        caller: { script: [{ hangUp: true }] },
        ...body,
      });
    },
  };
}

const steps: Design['steps'] = {
  hello: { kind: 'greeting', introLine: 'Hello, I am an AI assistant. {{orderState}}', on: { next: 'bye' } },
  bye: { kind: 'end', line: 'Goodbye.' },
};

/** A design with one hook node before the call and one after it. */
const hooked = (before: object, after: object = {}, more: Partial<Design> = {}): Design => ({
  schemaVersion: 'cd/1',
  entry: { stepId: 'hello' },
  variables: [
    { id: 'orderState', type: 'text' },
    { id: 'echo', type: 'text' },
    { id: 'firstName', type: 'text' },
  ],
  steps,
  hooks: {
    before: { rootNodeId: 'first', nodes: { first: { id: 'first', ...before, next: { step: 'hello' } } } },
    after: { entryPoints: { bye: 'last' }, nodes: { last: { id: 'last', ...after } } },
  },
  ...more,
});

const fetchOf = (url: string) => ({
  fetch: {
    url: `${url}/orders`,
    method: 'GET' as const,
    query: { phone: '{{callerPhone}}' },
    headers: { authorization: 'Bearer {{secret.SHOP_KEY}}' },
    responseMappings: [
      { id: 'state', variableId: 'orderState', path: 'state' },
      { id: 'echo', variableId: 'echo', path: 'echo' },
    ],
  },
});
const webhookOf = (url: string) => ({
  webhook: {
    url: `${url}/calls`,
    payload: [{ id: 'a', key: 'order', source: 'variable' as const, variableId: 'orderState' }],
  },
});

test('sends the requests of a call with their secrets, signed, and shows no secret', async () => {
  const { live, setSecret, site, received } = await openLive();
  await setSecret('WEBHOOK_SIGNING_SECRET', signingSecret);
  const { status, body } = await live(hooked(fetchOf(site.url), webhookOf(site.url)), {
    variables: { callerPhone: '+12025550143' },
  });
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body).toMatchObject({
    ended: { reason: 'completed' },
    requests: [
      { node: 'first', result: 'sent', headers: { authorization: 'Bearer {{secret.SHOP_KEY}}' } },
      { node: 'last', result: 'sent', body: { order: 'on its way' } },
    ],
    variables: { orderState: 'on its way', echo: 'Bearer {{secret.SHOP_KEY}}' },
    notes: [],
    deterministic: false,
  });
  expect(JSON.stringify(body)).not.toContain(shopKey);
  const [order, call] = received;
  expect(order).toMatchObject({
    url: '/orders?phone=%2B12025550143',
    headers: { authorization: `Bearer ${shopKey}` },
  });
  const signed = Object.fromEntries(
    ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [
      name,
      String(call?.headers[name]),
    ]),
  );
  expect(new Webhook(signingSecret).verify(call?.body ?? '', signed)).toEqual({ order: 'on its way' });
});

test('signs and asks as the node that is played says, also if the other hook has a node of the same id', async () => {
  const { live, setSecret, site, received, project } = await openLive([
    { phone: '+12025550143', firstname: 'Ada', company: 'Babbage' },
  ]);
  const other = 'whsec_dGhlIHNlY3JldCBvZiB0aGUgb3RoZXIgaG9vaw==';
  await setSecret('BEFORE_SECRET', signingSecret);
  await setSecret('AFTER_SECRET', other);
  const integration = await project.call('POST', `/v1/projects/${project.projectId}/integrations`, {
    kind: 'crm',
    provider: 'hubspot',
    name: 'Customers',
    credentials: { accessToken: hubSpotToken },
  });
  const integrationRef = 'customers';
  const lookUp = (field: string, variableId: string) => ({
    crmLookup: {
      integrationRef,
      matchBy: ['phone' as const],
      phoneSource: { systemVariable: 'callerPhone' },
      fieldMappings: [{ id: 'f', field, variableId }],
    },
  });
  const { webhook } = webhookOf(site.url);
  const design = hooked(
    {},
    {},
    { integrations: [{ id: integrationRef, kind: 'crm', integrationId: integration.body.id }] },
  );
  const shared = (secretHint: string, field: string, variableId: string, next: object) => ({
    nodes: {
      shared: { id: 'shared', webhook: { ...webhook, secretHint }, ...lookUp(field, variableId), ...next },
    },
  });
  const { status, body } = await live(
    {
      ...design,
      hooks: {
        before: {
          rootNodeId: 'shared',
          ...shared('BEFORE_SECRET', 'firstname', 'firstName', { next: { step: 'hello' } }),
        },
        after: { entryPoints: { bye: 'shared' }, ...shared('AFTER_SECRET', 'company', 'echo', {}) },
      },
    },
    { variables: { callerPhone: '+12025550143' } },
  );
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body.notes).toEqual(['{{orderState}} has no value at hello']);
  expect(body.variables).toMatchObject({ firstName: 'Ada', echo: 'Babbage' });
  expect(received).toHaveLength(2);
  for (const [index, secret] of [signingSecret, other].entries()) {
    const { headers = {}, body: sent = '' } = received[index] ?? {};
    const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
    const signed = Object.fromEntries(names.map((name) => [name, String(headers[name])]));
    expect(new Webhook(secret).verify(sent, signed)).toBeDefined();
  }
});

test('fills members of an object, each encoded for its place', async () => {
  const { live, site, received } = await openLive();
  const member = '{{order.state}}';
  const before = {
    nodes: {
      first: {
        id: 'first',
        fetch: {
          url: `${site.url}/orders`,
          method: 'GET' as const,
          responseMappings: [{ id: 'm', variableId: 'order', path: '' }],
        },
        next: { hookNode: 'second' },
      },
      second: {
        id: 'second',
        webhook: {
          url: `${site.url}/calls/${member}?q=${member}&none={{order.missing}}{{order.__proto__}}`,
          payload: [{ id: 'a', key: 'state', source: 'custom' as const, value: `"${member}"` }],
        },
        next: { step: 'hello' },
      },
    },
    rootNodeId: 'first',
  };
  const design = hooked({}, {}, { variables: [{ id: 'order', type: 'object' }] });
  const { hello, bye } = steps;
  const { status, body } = await live({
    ...design,
    steps: {
      hello: { ...hello, introLine: `I am an AI assistant. It is ${member}.` } as typeof hello,
      bye,
    } as typeof steps,
    hooks: { before },
  });
  expect(status, JSON.stringify(body)).toBe(200);
  expect(received[1]).toMatchObject({
    url: '/calls/on%20its%20way?q=on%20its%20way&none=',
    body: expect.stringContaining('on its way'),
  });
  expect(JSON.stringify(body.transcript)).toContain('It is on its way.');
});

test('sends nothing that has a mock', async () => {
  const { live, site, received } = await openLive();
  const { body } = await live(hooked(fetchOf(site.url), webhookOf(site.url)), {
    mocks: { nodes: { first: { body: { state: 'lost' } }, last: { fail: 'no network' } } },
  });
  expect(received).toEqual([]);
  expect(body).toMatchObject({
    requests: [{ result: 'mocked' }, { result: 'failed' }],
    variables: { orderState: 'lost' },
    notes: ['request at last failed: no network'],
  });
});

test('a request to a private address and a missing secret fail, and the call goes on', async () => {
  const { live, setSecret } = await openLive();
  await setSecret('SHOP_KEY', shopKey, { hosts: ['http://10.0.0.1'] });
  const node = fetchOf('http://10.0.0.1');
  const other = { fetch: { ...node.fetch, headers: { authorization: '{{secret.NOT_THERE}}' } } };
  const { body } = await live(hooked(node, other));
  expect(body.ended.reason).toBe('completed');
  expect(body.notes).toEqual([
    expect.stringContaining('request at first failed: The site could not be reached.'),
    '{{orderState}} has no value at hello',
    'request at last failed: The project has no secret NOT_THERE. set_secret {name: "NOT_THERE", value} adds it.',
  ]);
});

test('sends a text message over Twilio, or says which secrets are missing', async () => {
  const { live, setSecret, twilio } = await openLive();
  const sms = { sendSms: { to: { systemVariable: 'callerPhone' }, message: 'See you {{orderState}}' } };
  const design = hooked({ setVariable: { variableId: 'orderState', value: 'soon' } }, sms);
  const before = await live(design);
  expect(before.body.notes).toEqual([
    'sms at last failed: Text messages are sent over Twilio. Set the secrets TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN, TWILIO_FROM with set_secret.',
  ]);
  await setSecret('TWILIO_ACCOUNT_SID', twilioAccount.accountSid);
  await setSecret('TWILIO_AUTH_TOKEN', twilioAccount.authToken);
  await setSecret('TWILIO_FROM', twilioAccount.from);
  const after = await live(design, { variables: { callerPhone: '+12025550143' } });
  expect(after.body.notes).toEqual([]);
  expect(twilio.messages).toEqual([{ To: '+12025550143', From: twilioAccount.from, Body: 'See you soon' }]);
});

test('looks a caller up in HubSpot, and writes the call back', async () => {
  const { live, project, hubSpot } = await openLive([{ phone: '+12025550143', firstname: 'Ana' }]);
  const integration = await project.call('POST', `/v1/projects/${project.projectId}/integrations`, {
    kind: 'crm',
    provider: 'hubspot',
    name: 'CRM',
    credentials: { accessToken: hubSpotToken },
  });
  const design = hooked(
    {
      crmLookup: {
        integrationRef: 'crm',
        matchBy: ['phone'],
        phoneSource: { systemVariable: 'callerPhone' },
        fieldMappings: [{ id: 'n', field: 'firstname', variableId: 'firstName' }],
      },
    },
    {
      crmWrite: {
        integrationRef: 'crm',
        contactIdSource: { systemVariable: 'contactId' },
        operations: ['log_call', 'create_note'],
        logCall: {
          subjectTemplate: 'Call of {{firstName}}',
          includeTranscript: true,
          includeSummary: false,
          includeRecordingUrl: false,
        },
        createNote: { bodyTemplate: '{{firstName}} called.' },
      },
    },
    { integrations: [{ id: 'crm', kind: 'crm', integrationId: integration.body.id }] },
  );
  const { body } = await live(design, { variables: { callerPhone: '+12025550143' } });
  expect(body).toMatchObject({ variables: { firstName: 'Ana' } });
  expect(hubSpot.objects).toMatchObject({
    notes: [{ properties: { hs_note_body: 'Ana called.' }, associations: [{ to: { id: '1000' } }] }],
    calls: [
      {
        properties: {
          hs_call_title: 'Call of Ana',
          hs_call_from_number: '+12025550143',
          hs_call_body: expect.stringContaining('agent: Hello, I am an AI assistant.'),
        },
      },
    ],
  });
  expect(JSON.stringify(body)).not.toContain(hubSpotToken);
});

test('needs the access run, and leaves a change in the audit log', async () => {
  const { live, world, project } = await openLive();
  const design = hooked({}, {});
  const conversationId = await project.conversationOf(design);
  const { key } = await world.key(project.projectId, { access: ['read', 'draft'] });
  const route = `/v1/conversations/${conversationId}/live-simulations`;
  const refused = await world.rest('POST', route, { key, body: { caller: { script: [] } } });
  expect(refused.status).toBe(403);
  await live(design);
  const { body } = await project.call(
    'GET',
    `/v1/projects/${project.projectId}/changes?operation=simulate_live`,
  );
  expect(body.changes).toHaveLength(1);
});
