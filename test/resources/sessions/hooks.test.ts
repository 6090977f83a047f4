import { Webhook } from 'standardwebhooks';
import { expect, test, vi } from 'vitest';
import type { Design } from '../../../src/design/schema/design.ts';
import { desk, saidIn } from '../../helpers/session-project.ts';
import { openReceiver, shopKey, signingSecret } from './receiver.ts';

/** The desk with a lookup before it, and a webhook after it, also if the visitor leaves. */
const hooked = (url: string): Design => ({
  ...desk,
  variables: [
    { id: 'day', type: 'text' },
    { id: 'orderState', type: 'text' },
    { id: 'echo', type: 'text' },
  ],
  steps: {
    ...desk.steps,
    hello: { kind: 'greeting', introLine: 'I am an AI. Your order is {{orderState}}.', on: { next: 'menu' } },
  },
  hooks: {
    before: {
      rootNodeId: 'lookup',
      nodes: {
        lookup: {
          id: 'lookup',
          fetch: {
            url: `${url}/orders`,
            method: 'GET',
            headers: { authorization: 'Bearer {{secret.SHOP_KEY}}' },
            responseMappings: [
              { id: 'state', variableId: 'orderState', path: 'state' },
              { id: 'echo', variableId: 'echo', path: 'echo' },
            ],
          },
          next: { step: 'hello' },
        },
      },
    },
    after: {
      entryPoints: { bye: 'log' },
      prematureHangupNodeId: 'log',
      nodes: {
        log: {
          id: 'log',
          webhook: {
            url: `${url}/calls`,
            payload: [
              { id: 'd', key: 'day', source: 'variable', variableId: 'day' },
              { id: 'e', key: 'endedAt', source: 'variable', systemVariable: 'endedAtStep' },
              { id: 's', key: 'seconds', source: 'variable', systemVariable: 'callDurationSeconds' },
            ],
          },
        },
      },
    },
  },
});

test('hooks run for real, before the greeting and after the end, and no secret is stored or shown', async () => {
  const receiver = await openReceiver();
  const visit = await receiver.project.visit(await receiver.project.agentOf(hooked(receiver.url)));
  expect(saidIn(await visit.start())[0]).toBe('I am an AI. Your order is on its way.');
  await visit.say('Book a table');
  expect(receiver.to('/calls')).toEqual([]);
  expect((await visit.say('on 2026-12-24')).at(-2)).toEqual({ event: 'end', reason: 'completed' });
  expect(receiver.received.map(({ url }) => url)).toEqual(['/orders', '/calls']);
  const [lookup, log] = receiver.received;
  expect(lookup?.headers['authorization']).toBe(`Bearer ${shopKey}`);
  expect(new Webhook(signingSecret).verify(log?.body ?? '', log?.headers ?? {})).toMatchObject({
    endedAt: 'bye',
    seconds: expect.any(Number),
  });
  const stored = [
    await receiver.world.rows('select * from sessions'),
    await receiver.world.rows('select * from session_turns order by number'),
  ];
  expect(JSON.stringify(stored)).not.toContain(shopKey);
  expect(JSON.stringify(await visit.show())).not.toContain(shopKey);
  expect(stored[0]?.[0]).toMatchObject({ variables: { echo: 'Bearer {{secret.SHOP_KEY}}' } });
  expect(stored[1]?.at(-1)).toMatchObject({ requests: [{ node: 'log', block: 'webhook', result: 'sent' }] });
});

test('a silent session ends after fifteen minutes, with its hook, and only once on two servers', async () => {
  const receiver = await openReceiver();
  const { world, project } = receiver;
  const webAgentId = await project.agentOf(hooked(receiver.url));
  const [silent, active] = [await project.visit(webAgentId), await project.visit(webAgentId)];
  await silent.start();
  await active.start();
  await world.rows(`update sessions set active_at = now() - interval '14 minutes' where id = $1`, [
    active.id,
  ]);
  await world.rows(`update sessions set active_at = now() - interval '15 minutes' where id = $1`, [
    silent.id,
  ]);
  await Promise.all([world.sessions.endIdle(), world.sessions.endIdle()]);
  expect(await receiver.session(silent.id)).toMatchObject({
    reason: 'idle',
    outcome: 'abandoned',
    state: null,
    played: 2,
  });
  expect(await receiver.session(active.id)).toMatchObject({ ended_at: null });
  expect(receiver.to('/calls').map(({ body }) => JSON.parse(body))).toMatchObject([{ endedAt: 'menu' }]);
  expect((await visitAgain(silent)).status).toBe(404);
});

const visitAgain = (visit: { request(method: string, path: string, body: unknown): Promise<Response> }) =>
  visit.request('POST', '/messages', { text: 'Still there?', messageId: 'late' });

test('a session whose end fails, or whose state is gone, ends as lost', async () => {
  const { world, project, url, ...receiver } = await openReceiver();
  const webAgentId = await project.agentOf(hooked(url));
  const visits = await Promise.all([1, 2, 3].map(() => project.visit(webAgentId)));
  for (const visit of visits) await visit.start();
  const [copied, failing, fresh] = visits.map(({ id }) => id);
  await world.rows(
    `update sessions set state = null, active_at = now() - interval '16 minutes' where id = $1`,
    [copied],
  );
  await world.rows(`update sessions set active_at = now() - interval '25 hours' where id = $1`, [failing]);
  await world.sessions.endIdle();
  const ends = [copied, failing, fresh].map(async (id = '') => (await receiver.session(id))?.['reason']);
  expect(await Promise.all(ends)).toEqual(['lost', 'lost', null]);
  expect(receiver.to('/calls')).toEqual([]);
});

test('a turn that is played again after a kill sends its webhook with the same id', async () => {
  const receiver = await openReceiver();
  const { world, project } = receiver;
  const visit = await project.visit(await project.agentOf(hooked(receiver.url)));
  await visit.start();
  await visit.say('Book a table');
  // Another server takes the session over while this one waits for the receiver.
  receiver.responds(async ({ url }) => {
    if (url === '/calls' && receiver.to('/calls').length === 1)
      await world.rows(
        `update sessions set lease = 'of another server', leased_until = now() where id = $1`,
        [visit.id],
      );
    return 200;
  });
  const cut = await visit.say('on 2026-12-24', 'last');
  expect(cut.at(-1)).toMatchObject({ event: 'error', error: { code: 'internal_error' } });
  expect(await receiver.session(visit.id)).toMatchObject({ ended_at: null, played: 2 });
  expect((await visit.say('on 2026-12-24', 'last')).at(-1)).toEqual({ event: 'done', turn: 2 });
  const [first, second] = receiver.to('/calls').map(({ headers }) => headers['webhook-id']);
  expect(first).toMatch(/^msg_cws/);
  expect(second).toBe(first);
});

test('a transfer hands the transcript over by a signed webhook, and fails if nobody takes it', async () => {
  const receiver = await openReceiver();
  const { project, setSecret, url } = receiver;
  await setSecret('HANDOVER_WEBHOOK_URL', `${url}/handover?key=of-the-desk`);
  const webAgentId = await project.agentOf(desk);
  const visit = await project.visit(webAgentId);
  await visit.start();
  expect((await visit.say('A person, please')).slice(1)).toEqual(
    [
      { event: 'step', step: 'connect' },
      { event: 'say', text: 'I connect you.', step: 'connect' },
      { event: 'transfer', kind: 'phoneNumber', value: '+12025550155', handedOver: true },
      { event: 'end', reason: 'transferred' },
      { event: 'done', turn: 1 },
    ].slice(1),
  );
  const [handover] = receiver.received;
  expect(new Webhook(signingSecret).verify(handover?.body ?? '', handover?.headers ?? {})).toEqual({
    type: 'session.transfer',
    sessionId: visit.id,
    conversationId: expect.stringMatching(/^ccv/),
    version: 1,
    webAgentId,
    destination: { kind: 'phoneNumber', value: '+12025550155' },
    mode: 'cold',
    variables: {},
    transcript: [
      { who: 'agent', text: 'Hello, I am an AI assistant.' },
      { who: 'agent', text: 'Book a table, or speak to a person?' },
      { who: 'caller', text: 'A person, please' },
      { who: 'agent', text: 'I connect you.' },
    ],
  });
  expect(await receiver.session(visit.id)).toMatchObject({ outcome: 'transferred' });
  receiver.responds(() => 404);
  const other = await project.visit(webAgentId);
  await other.start();
  const failed = await other.say('A person, please');
  expect(saidIn(failed)).toEqual(['I connect you.', 'Goodbye.']);
  expect(failed.some(({ event }) => event === 'transfer')).toBe(false);
});

test('without a receiver of transfers, the page gets the number', async () => {
  const { project } = await openReceiver();
  const visit = await project.visit(await project.agentOf(desk));
  await visit.start();
  expect(await visit.say('A person, please')).toContainEqual({
    event: 'transfer',
    kind: 'phoneNumber',
    value: '+12025550155',
    handedOver: false,
  });
});

test('a stop waits for a turn whose visitor has left, and stores it', async () => {
  const receiver = await openReceiver();
  const { world, project } = receiver;
  const visit = await project.visit(await project.agentOf(hooked(receiver.url)));
  const reached = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  receiver.responds(async () => {
    reached.resolve();
    await release.promise;
    return 200;
  });
  const cut = new AbortController();
  const lost = visit.start({ signal: cut.signal });
  await reached.promise;
  cut.abort();
  await expect(lost).rejects.toThrow(/abort/);
  const closed = world.sessions.close();
  release.resolve();
  await closed;
  expect(await receiver.session(visit.id)).toMatchObject({ played: 1, lease: null });
});

test('a stop cuts a turn that takes too long, and gives its lease back at once', {
  timeout: 15_000,
}, async () => {
  const receiver = await openReceiver();
  const { world, project } = receiver;
  const visit = await project.visit(await project.agentOf(hooked(receiver.url)));
  const release = Promise.withResolvers<void>();
  receiver.responds(async () => {
    await release.promise;
    return 200;
  });
  const started = visit.request('POST', '/messages', { start: true });
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1));
  await world.sessions.close();
  release.resolve();
  expect((await started).status).toBe(500);
  expect(await receiver.session(visit.id)).toMatchObject({ played: 0, lease: null });
});
