import { afterAll, beforeAll, expect, test } from 'vitest';
import { inputSchemas } from '../../src/operation/json-schema.ts';
import { newId } from '../../src/platform/id.ts';
import { openWorld, type RestAnswer, type RestRequest, type Tenant, type World } from '../helpers/world.ts';
import { arrangeIn } from './arrange.ts';
import { exampleOf } from './examples.ts';
import { operations } from './registry.ts';
import { bodyOf, partsOf, routeOf } from './rest-request.ts';

// Sentences of docs/contract/decisions.md that no other test holds, by their headings.

let world: World;
let tenant: Tenant;
let at: Record<
  'project' | 'conversation' | 'flow' | 'profile' | 'agent' | 'kb' | 'number' | 'simple',
  string
>;

const call = (method: string, route: string, body?: unknown, more: RestRequest = {}): Promise<RestAnswer> =>
  world.rest(method, route, { key: tenant.key, body, ...more });
async function made(route: string, body: unknown): Promise<string> {
  const answer = await call('POST', route, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.id;
}

beforeAll(async () => {
  world = await openWorld();
  tenant = await world.tenant();
  const project = `/v1/projects/${tenant.projectId}`;
  const conversation = await made(`${project}/conversations`, { name: 'Desk' });
  const simple = await made(`${project}/conversations`, { name: 'Simple', kind: 'simple' });
  const flow = await made(`${project}/flows`, { name: 'Flow', flowSchema: {} });
  const profile = await made(`${project}/agent-profiles`, { name: 'Anna' });
  const agent = await made(`${project}/web-sessions/agents`, {
    name: 'Web',
    conversationId: conversation,
    scopes: ['chat'],
  });
  const kb = await made(`${project}/knowledge-bases`, { name: 'FAQ' });
  const number = await made(`${project}/phone-numbers`, {
    name: 'Line',
    number: '+12025550143',
    type: 'partner',
  });
  at = {
    project,
    conversation: `/v1/conversations/${conversation}`,
    simple: `/v1/conversations/${simple}`,
    flow: `/v1/flows/${flow}`,
    profile: `/v1/agent-profiles/${profile}`,
    agent: `/v1/web-sessions/agents/${agent}`,
    kb: `/v1/knowledge/${kb}`,
    number: `/v1/phone-numbers/${number}`,
  };
});
afterAll(() => world.close());

/** A claim: the heading and the sentence, a call, and what comes back. */
type Claim = readonly [claim: string, send: () => Promise<RestAnswer>, status: number, body?: unknown];

const usage = (query: string) => () => call('GET', `${at.project}/usage?${query}`);
const issue = (path: string) => ({ error: { code: 'invalid_request', details: { issues: [{ path }] } } });

const claims: readonly Claim[] = [
  ['ids: a well-formed id of any length is 404', () => call('GET', `/v1/flows/c${'a'.repeat(5000)}`), 404],
  ['ids: an id of another kind is 404', () => call('GET', `/v1/flows/${newId('conversation')}`), 404],
  ['ids: any other text is 400', () => call('GET', '/v1/flows/xyz'), 400, issue('/flowId')],
  ['timestamps: a time needs a zone', usage('from=2026-01-01T00:00:00'), 400, issue('/from')],
  ['timestamps: a time must exist in the calendar', usage('from=2026-02-29T00:00:00Z'), 400, issue('/from')],
  [
    'timestamps: before 1970',
    usage('from=1969-12-31T23:59:59Z&to=1970-01-02T00:00:00Z'),
    400,
    issue('/from'),
  ],
  [
    'timestamps: T and Z may be in lower case',
    usage('from=2026-01-01t00:00:00z&to=2026-01-02T00:00:00Z'),
    200,
    { from: '2026-01-01T00:00:00.000Z' },
  ],
  [
    'timestamps: more digits than nine',
    usage('from=2026-01-01T00:00:00.12345678901234567890Z&to=2026-01-02T00:00:00Z'),
    200,
    { from: '2026-01-01T00:00:00.123Z' },
  ],
  [
    'timestamps: a leap second on any day is the second after it',
    usage('from=2026-03-04T23:59:60Z&to=2026-03-06T00:00:00Z'),
    200,
    { from: '2026-03-05T00:00:00.000Z' },
  ],
  [
    'timestamps: 23:59:60 in UTC, with an offset',
    usage('from=2026-03-05T01:59:60%2B02:00&to=2026-03-06T00:00:00Z'),
    200,
    { from: '2026-03-05T00:00:00.000Z' },
  ],
  [
    'timestamps: no other :60',
    usage('from=2026-03-04T22:59:60Z&to=2026-03-06T00:00:00Z'),
    400,
    issue('/from'),
  ],
  ['usage: from alone ends now', usage('from=2026-01-01T00:00:00Z'), 200],
  [
    'usage: if from is not before to',
    usage('from=2026-01-01T00:00:00Z&to=2026-01-01T00:00:00Z'),
    400,
    issue('/from'),
  ],
  [
    'usage: more than 10,000 periods',
    usage('from=2020-01-01T00:00:00Z&to=2026-01-01T00:00:00Z&granularity=hour'),
    400,
  ],
  [
    'usage: the finest of day, week and month with at most 1,000 periods',
    usage('from=2020-01-01T00:00:00Z&to=2026-01-01T00:00:00Z'),
    200,
    { granularity: 'week' },
  ],
  ['members: an unknown member is 400', () => call('PATCH', at.flow, { surplus: 1 }), 400, issue('/surplus')],
  [
    'members: a PUT of a profile ignores what is read only',
    async () => {
      const read = await call('GET', at.profile);
      return call('PUT', at.profile, read.body);
    },
    200,
  ],
  ['members: a repeated query parameter is 400', usage('granularity=day&granularity=week'), 400],
  [
    'members: a POST without members takes nothing, with any Content-Type',
    () =>
      call('POST', `${at.conversation}/versions/1/activate`, undefined, {
        headers: { 'content-type': 'text/plain' },
      }),
    200,
  ],
  ['status: another method on a known path is 404', () => call('PUT', at.flow, {}), 404],
  ['lists: limit is 1 to 1000', () => call('GET', `${at.project}/flows?limit=1001`), 400, issue('/limit')],
  [
    'conversations: a simple one has version 1 without a design',
    () => call('GET', `${at.simple}/versions/1/design`),
    501,
    { error: { code: 'not_yet_supported' } },
  ],
  [
    'conversations: design and templateKey exclude each other',
    () => call('POST', `${at.project}/conversations`, { name: 'x', templateKey: 'front-desk', design: {} }),
    400,
  ],
  [
    'conversations: details adds the active design',
    () => call('GET', `${at.conversation}?details=true`),
    200,
    { design: { schemaVersion: 'cd/1' } },
  ],
  [
    'conversations: name has 1 to 200 characters',
    () => call('POST', `${at.project}/conversations`, { name: '' }),
    400,
    issue('/name'),
  ],
  [
    'flows: null is 422',
    () => call('POST', `${at.project}/flows`, { name: 'x', flowSchema: null }),
    422,
    { error: { code: 'flow_schema_invalid' } },
  ],
  [
    'flows: no flowSchema is 400',
    () => call('POST', `${at.project}/flows`, { name: 'x' }),
    400,
    issue('/flowSchema'),
  ],
  [
    'profiles: languages are tags of BCP 47',
    () => call('PATCH', at.profile, { supportedInputLanguages: ['not a tag'] }),
    400,
  ],
  [
    'profiles: PUT takes any texts',
    async () => {
      const { body } = await call('GET', at.profile);
      return call('PUT', at.profile, { ...body, supportedInputLanguages: ['not a tag'] });
    },
    200,
  ],
  ['profiles: an unknown voice is 404', () => call('PATCH', at.profile, { outputVoiceId: 'nobody' }), 404],
  ['voices: a built-in voice cannot be deleted', () => call('DELETE', '/v1/voices/alloy'), 404],
  [
    'numbers: a number that the project has is in_use',
    () =>
      call('POST', `${at.project}/phone-numbers`, { name: 'Again', number: '+12025550143', type: 'partner' }),
    409,
    { error: { code: 'in_use' } },
  ],
  [
    'numbers: externalPhoneFields is required for external ones',
    () =>
      call('POST', `${at.project}/phone-numbers`, { name: 'Ext', number: '+12025550144', type: 'external' }),
    400,
    issue('/externalPhoneFields'),
  ],
  [
    'numbers: native ones cannot be imported',
    () =>
      call('POST', `${at.project}/phone-numbers`, { name: 'Nat', number: '+12025550145', type: 'native' }),
    400,
    issue('/type'),
  ],
  [
    'numbers: E.164',
    () => call('POST', `${at.project}/phone-numbers`, { name: 'Bad', number: '2025550145', type: 'partner' }),
    400,
    issue('/number'),
  ],
  [
    'numbers: null clears a handler of its own kind only',
    async () => {
      await call('PATCH', `${at.number}/flow`, { flowId: at.flow.split('/').at(-1) });
      await call('PATCH', `/v1/numbers/${at.number.split('/').at(-1)}`, { conversationId: null });
      return call('GET', at.number);
    },
    200,
    { handler: { kind: 'flow' } },
  ],
  [
    'trash: a flow that a number refers to is kept',
    () => call('DELETE', at.flow),
    409,
    { error: { code: 'in_use', details: { references: [{ kind: 'phoneNumber' }] } } },
  ],
  [
    'trash: a conversation that a web agent refers to is kept',
    () => call('DELETE', at.conversation),
    409,
    { error: { code: 'in_use', details: { references: [{ kind: 'webAgent' }] } } },
  ],
  [
    'web sessions: mode must be one of the scopes',
    () => call('POST', '/v1/web-sessions', { webAgentId: at.agent.split('/').at(-1), mode: 'voice' }),
    400,
    issue('/mode'),
  ],
  [
    'web agents: at most 1,000 origins',
    () =>
      call('PATCH', at.agent, {
        allowedOrigins: Array.from({ length: 1001 }, (_, one) => `https://${one}.example`),
      }),
    400,
  ],
  [
    'web agents: a disabled one starts no session',
    async () => {
      await call('PATCH', at.agent, { status: 'disabled' });
      return call('POST', '/v1/web-sessions', { webAgentId: at.agent.split('/').at(-1) });
    },
    403,
    { error: { code: 'forbidden', details: { reason: 'disabled' } } },
  ],
  [
    'knowledge: limit of a query is 1 to 50',
    () => call('POST', `${at.kb}/query`, { query: 'x', limit: 51 }),
    400,
    issue('/limit'),
  ],
  [
    'knowledge: maxPages is 1 to 1000',
    () =>
      call('POST', `${at.kb}/sources`, {
        type: 'website',
        name: 'x',
        url: 'https://example.com',
        maxPages: 1001,
      }),
    400,
    issue('/maxPages'),
  ],
  [
    'knowledge: an address without user and password',
    () => call('POST', `${at.kb}/sources`, { type: 'website', name: 'x', url: 'https://a:b@example.com' }),
    400,
    issue('/url'),
  ],
  [
    'keys: keyType secret comes before any other error',
    () => call('POST', `${at.project}/keys`, { keyType: 'secret', name: 7, surplus: 1 }),
    400,
    { error: { code: 'secret_keys_not_mintable' } },
  ],
  ['keys: a missing keyType is 400', () => call('POST', `${at.project}/keys`, {}), 400, issue('/keyType')],
  [
    'keys: name and scope have defaults',
    () => call('POST', `${at.project}/keys`, { keyType: 'publishable' }),
    201,
    { name: 'Publishable key', scope: 'service_app' },
  ],
  [
    'restricted keys: a key lasts at least a day',
    () => call('POST', `${at.project}/restricted-keys`, { name: 'x', access: ['read'], days: 0 }),
    400,
    issue('/days'),
  ],
  [
    'idempotency: a key of 256 characters is 400',
    () =>
      call(
        'POST',
        `${at.project}/flows`,
        { name: 'x', flowSchema: {} },
        { headers: { 'idempotency-key': 'k'.repeat(256) } },
      ),
    400,
  ],
  [
    'idempotency: operations that read ignore it',
    () => call('GET', at.flow, undefined, { headers: { 'idempotency-key': 'k'.repeat(256) } }),
    200,
  ],
  [
    'secrets: a name starts with a letter',
    () => call('PATCH', `${at.project}/secrets/1x`, { value: 'x' }),
    400,
    issue('/name'),
  ],
  ['secrets: needs value or hosts', () => call('PATCH', `${at.project}/secrets/X`, {}), 400, issue('/value')],
  [
    'secrets: hosts of a secret that does not exist',
    () => call('PATCH', `${at.project}/secrets/NONE`, { hosts: ['a.example'] }),
    404,
  ],
  [
    'templates: templateKey lists one',
    () => call('GET', '/v1/catalogue/templates?templateKey=order-status'),
    200,
    { templates: [{ key: 'order-status' }] },
  ],
  [
    'projects: sessionRetentionDays is 1 to 365',
    () => call('PATCH', at.project, { sessionRetentionDays: 366 }),
    400,
    issue('/sessionRetentionDays'),
  ],
  [
    'projects: an offset is not a time zone',
    () => call('PATCH', at.project, { timeZone: '+01:00' }),
    400,
    issue('/timeZone'),
  ],
  [
    'projects: GET shows the settings that PATCH sets',
    () => call('GET', at.project),
    200,
    { requireDisclosure: false, timeZone: 'UTC', openingHours: null, closedOn: [] },
  ],
  [
    'proofs: a property of one design is 400 for all',
    () =>
      call('POST', `${at.project}/designs/prove`, {
        properties: [{ kind: 'alwaysBefore', always: { step: 'a' }, before: { step: 'b' } }],
      }),
    400,
  ],
  [
    'proofs: at most 10 versions',
    () => call('POST', `${at.conversation}/designs/prove`, { version: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] }),
    400,
  ],
  [
    'rejections: a version that is live cannot be rejected',
    () => call('POST', `${at.conversation}/versions/1/reject`, { reason: 'x' }),
    409,
    { error: { code: 'in_use' } },
  ],
  [
    'rejections: a reason has up to 1,000 characters',
    () => call('POST', `${at.conversation}/versions/1/reject`, { reason: 'x'.repeat(1001) }),
    400,
    issue('/reason'),
  ],
  [
    'models: an unknown tier is realtime, null too, and a number is 422',
    () =>
      call('POST', '/v1/chat/completions', {
        model: 'auto',
        messages: [{ role: 'user', content: 'x' }],
        tier: 7,
      }),
    422,
  ],
  [
    'models: model and messages are required',
    () => call('POST', '/v1/chat/completions', {}),
    422,
    { detail: [{ loc: ['body', 'model'] }, { loc: ['body', 'messages'] }] },
  ],
  [
    'models: a body that is not JSON is 422',
    () =>
      call('POST', '/v1/chat/completions', undefined, { headers: { 'content-type': 'application/json' } }),
    422,
  ],
  [
    'health: ignores unknown parameters',
    () => world.rest('GET', '/healthz?x=1&x=2'),
    200,
    { service: 'service-api' },
  ],
];

test.each(claims.map(([claim, send, status, body]) => ({ claim, send, status, body })))(
  '$claim',
  async ({ send, status, body }) => {
    const answer = await send();
    expect(answer.status, JSON.stringify(answer.body)).toBe(status);
    if (body !== undefined) expect(answer.body).toMatchObject(body as object);
  },
);

test.each(operations.filter(({ rest }) => rest.method === 'PATCH'))(
  'members: an empty PATCH of $name changes nothing, and is refused if an input is required',
  async (tool) => {
    const parts = partsOf(tool, await exampleOf(tool).input(arrangeIn(world, tenant)));
    const route = routeOf(tool, { ...parts, querystring: {} });
    const before = await call('GET', route);
    const { status } = await call('PATCH', route, {});
    const takesAnything = tool.name.startsWith('update_') || tool.name === 'assign_conversation';
    expect([status, (await call('GET', route)).body.updatedAt]).toEqual([
      takesAnything ? 200 : 400,
      before.body.updatedAt,
    ]);
  },
);

test.each(operations.filter(({ rest }) => rest.method === 'DELETE'))(
  'status codes: $name returns what it has deleted',
  async (tool) => {
    const parts = partsOf(tool, await exampleOf(tool).input(arrangeIn(world, tenant)));
    const { status, body } = await call('DELETE', routeOf(tool, parts), bodyOf(tool, parts));
    const trashId = expect.stringMatching(/^ctr/);
    const forms: Readonly<Record<string, object>> = {
      delete_session: { id: expect.any(String), deleted: true },
      delete_secret: { name: expect.any(String), deleted: true },
    };
    expect([status, body]).toEqual([
      200,
      forms[tool.name] ?? { id: expect.any(String), deleted: true, trashId },
    ]);
  },
);

test('status codes: 201 for what creates a record or a version, and for a session', () => {
  const created = operations.filter(({ rest }) => rest.status === 201);
  const editing = created.filter(({ rest }) => rest.method !== 'POST').map(({ name }) => name);
  expect(editing.toSorted()).toEqual(['edit_design', 'edit_flow']);
  expect(created.map(({ name }) => name)).toContain('create_web_session');
});

test('lists: the items without a limit', () => {
  const defaults = operations.flatMap((tool) => {
    const { limit } = inputSchemas(tool).properties;
    return limit && tool.rest.method === 'GET' ? [[tool.name, limit['default']] as const] : [];
  });
  const whole = ['flows', 'flow_versions', 'conversation_versions', 'agent_profiles', 'integrations'];
  expect(defaults.length).toBeGreaterThan(15);
  for (const [name, most] of defaults)
    expect([name, most]).toEqual([
      name,
      whole.some((list) => name === `list_${list}`) ? undefined : name === 'list_changes' ? 20 : 50,
    ]);
});
