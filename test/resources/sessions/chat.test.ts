import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSecondReplica } from '../../helpers/second-replica.ts';
import {
  desk,
  eventsIn,
  openSessionProject,
  type SessionProject,
  saidIn,
} from '../../helpers/session-project.ts';
import { openWorld, type World } from '../../helpers/world.ts';

let world: World;
let project: SessionProject;
let webAgentId: string;
beforeAll(async () => {
  world = await openWorld({ models: undefined });
  project = await openSessionProject(world);
  webAgentId = await project.agentOf(desk);
});
afterAll(() => world.close());

const turnsOf = (sessionId: string) =>
  world.rows(
    'select number, message_id, caller_text from session_turns where session_id = $1 order by number',
    [sessionId],
  );
const sessionOf = async (sessionId: string) =>
  (await world.rows('select * from sessions where id = $1', [sessionId]))[0];

test('a visitor chats with an agent from its greeting to its end, and finds the transcript again', async () => {
  const visit = await project.visit(webAgentId);
  expect(visit.roomUrl).toBe(`${world.base}/v1/web-sessions/${visit.id}`);
  expect(visit.id).toMatch(/^cws/);
  expect(await visit.show()).toEqual({
    id: visit.id,
    status: 'waiting',
    step: null,
    reason: null,
    turns: [],
  });
  expect(await sessionOf(visit.id)).toBeUndefined();
  const opening = await visit.start();
  expect(opening).toEqual([
    { event: 'step', step: 'hello' },
    { event: 'step', step: 'menu' },
    { event: 'say', text: 'Hello, I am an AI assistant.', step: 'hello' },
    { event: 'say', text: 'Book a table, or speak to a person?', step: 'menu' },
    { event: 'done', turn: 0 },
  ]);
  expect(saidIn(await visit.say('I want to book a table', 'm1'))).toEqual(['For which date?']);
  expect((await visit.show()).step).toBe('ask');
  const last = await visit.say('on 2026-12-24', 'm2');
  expect(last.slice(-3)).toEqual([
    { event: 'say', text: 'Goodbye.', step: 'bye' },
    { event: 'end', reason: 'completed' },
    { event: 'done', turn: 2 },
  ]);
  const shown = await visit.show();
  expect(shown).toMatchObject({ status: 'ended', reason: 'completed', step: 'bye' });
  expect(shown.turns.map(({ turn, text }: { turn: number; text: string }) => [turn, text])).toEqual([
    [0, null],
    [1, 'I want to book a table'],
    [2, 'on 2026-12-24'],
  ]);
  expect([...shown.turns[0].events, { event: 'done', turn: 0 }]).toEqual(opening);
  expect(await sessionOf(visit.id)).toMatchObject({
    project_id: project.projectId,
    web_agent_id: webAgentId,
    version: '1',
    channel: 'chat',
    outcome: 'completed',
    played: 3,
    turns: 2,
    variables: { day: expect.stringContaining('2026-12-24') },
    state: null,
    lease: null,
  });
});

test('a message before the start plays the opening first', async () => {
  const visit = await project.visit(webAgentId);
  const events = await visit.say('Book a table, please');
  expect(saidIn(events)).toEqual([
    'Hello, I am an AI assistant.',
    'Book a table, or speak to a person?',
    'For which date?',
  ]);
  expect(events.filter(({ event }) => event === 'done')).toEqual([
    { event: 'done', turn: 0 },
    { event: 'done', turn: 1 },
  ]);
});

test('a message that is sent twice is played once, also at once and on two replicas', async () => {
  const replica = await openSecondReplica(world);
  try {
    const visit = await project.visit(webAgentId);
    const starts = await Promise.all([visit.start(), visit.start({ base: replica.base })]);
    expect(starts[1]).toEqual(starts[0]);
    const messageId = randomUUID();
    const replies = await Promise.all([
      visit.say('Book a table', messageId),
      visit.say('Book a table', messageId, { base: replica.base }),
      visit.say('Book a table', messageId),
    ]);
    expect(new Set(replies.map((reply) => JSON.stringify(reply))).size).toBe(1);
    await visit.say('on 2026-12-24', 'last', { base: replica.base });
    expect(await visit.say('Book a table', messageId)).toEqual(replies[0]);
    expect(await turnsOf(visit.id)).toEqual([
      { number: 0, message_id: null, caller_text: null },
      { number: 1, message_id: messageId, caller_text: 'Book a table' },
      { number: 2, message_id: 'last', caller_text: 'on 2026-12-24' },
    ]);
  } finally {
    await replica.close();
  }
});

test('messages that come at once are played one after the other, each on the state that the one before left', async () => {
  const replica = await openSecondReplica(world);
  try {
    const visit = await project.visit(webAgentId);
    await visit.start();
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        visit.say('xyzzy', `m${index}`, { base: index % 2 === 0 ? world.base : replica.base }),
      ),
    );
    const numbers = replies.map((reply) => reply.at(-1)?.['turn']).toSorted((a, b) => Number(a) - Number(b));
    expect(numbers).toEqual(Array.from({ length: 12 }, (_, index) => index + 1));
    expect(await sessionOf(visit.id)).toMatchObject({ played: 13, turns: 12 });
  } finally {
    await replica.close();
  }
});

test('fifty visitors chat at once, and each has a session of its own', async () => {
  const visits = await Promise.all(Array.from({ length: 50 }, () => project.visit(webAgentId)));
  const ends = await Promise.all(
    visits.map(async (visit, index) => {
      await visit.start();
      await visit.say('Book a table');
      return (await visit.say(`on 2027-01-${String((index % 28) + 1).padStart(2, '0')}`)).at(-2);
    }),
  );
  expect(ends).toEqual(ends.map(() => ({ event: 'end', reason: 'completed' })));
  for (const [index, { id }] of visits.entries())
    expect((await sessionOf(id))?.['variables']).toMatchObject({
      day: expect.stringContaining(`2027-01-${String((index % 28) + 1).padStart(2, '0')}`),
    });
});

test('the visitor leaves, and a session that has ended takes no further message', async () => {
  const visit = await project.visit(webAgentId);
  expect((await visit.request('POST', '/end', {})).status).toBe(404);
  await visit.start();
  for (const _ of ['once', 'again'])
    expect(await (await visit.request('POST', '/end', {})).json()).toEqual({
      id: visit.id,
      status: 'ended',
      reason: 'hungUp',
      step: 'menu',
    });
  const refused = await visit.request('POST', '/messages', { text: 'Hello?', messageId: 'late' });
  expect(refused.status).toBe(404);
  expect(await refused.json()).toMatchObject({ error: { code: 'not_found', details: { reason: 'hungUp' } } });
  expect(await sessionOf(visit.id)).toMatchObject({ outcome: 'abandoned', state: null });
  // The opening can still be read.
  expect((await visit.start()).at(-1)).toEqual({ event: 'done', turn: 0 });
});

test('a message that cannot be one is refused with every issue, and changes nothing', async () => {
  const visit = await project.visit(webAgentId);
  await visit.start();
  for (const [body, path] of [
    [{ text: '', messageId: 'm' }, '/text'],
    [{ text: ' \n', messageId: 'm' }, '/text'],
    [{ text: 'x'.repeat(4_001), messageId: 'm' }, '/text'],
    [{ text: 'a\u0000b', messageId: 'm' }, '/text'],
    [{ text: 'Hello' }, '/messageId'],
    [{ text: 'Hello', messageId: '' }, '/messageId'],
    [{ text: 'Hello', messageId: 'm', more: 1 }, '/more'],
    [{ start: false }, '/start'],
    [[], '/text'],
  ] as const) {
    const response = await visit.request('POST', '/messages', body);
    expect(response.status, JSON.stringify(body)).toBe(400);
    const { error } = (await response.json()) as { error: { details: { issues: { path: string }[] } } };
    expect(error.details.issues.map((issue) => issue.path)).toContain(path);
  }
  const large = await visit.request('POST', '/messages', { text: 'x'.repeat(70_000), messageId: 'm' });
  expect(large.status).toBe(413);
  expect(await turnsOf(visit.id)).toHaveLength(1);
});

test('a visitor who loses the connection in the middle of a turn finds it played', async () => {
  const visit = await project.visit(webAgentId);
  await visit.start();
  const messageId = randomUUID();
  const cut = new AbortController();
  const response = await visit.request(
    'POST',
    '/messages',
    { text: 'Book a table', messageId },
    { signal: cut.signal },
  );
  cut.abort();
  await expect(response.text()).rejects.toThrow(/abort/);
  expect(saidIn(await visit.say('Book a table', messageId))).toEqual(['For which date?']);
  expect(await turnsOf(visit.id)).toHaveLength(2);
});

test('a lease that a killed server leaves is taken over when it ends, and the turn is played once', async () => {
  const visit = await project.visit(webAgentId);
  await visit.start();
  await world.rows(
    `update sessions set lease = 'of a killed server', leased_until = now() + interval '1 second' where id = $1`,
    [visit.id],
  );
  const began = performance.now();
  expect(saidIn(await visit.say('Book a table', 'm1', { signal: AbortSignal.timeout(4_000) }))).toEqual([
    'For which date?',
  ]);
  expect(performance.now() - began).toBeGreaterThan(800);
  expect(await turnsOf(visit.id)).toHaveLength(2);
});

test('a paused project plays no turn, and goes on later', async () => {
  const other = await openSessionProject(world);
  const visit = await other.visit(await other.agentOf(desk));
  await visit.start();
  await world.rows(`update projects set status = 'paused' where id = $1`, [other.projectId]);
  expect((await visit.request('POST', '/messages', { text: 'Book', messageId: 'm' })).status).toBe(403);
  await world.rows(`update projects set status = 'active' where id = $1`, [other.projectId]);
  expect(saidIn(await visit.say('Book a table', 'm'))).toEqual(['For which date?']);
});

test('a conversation that was deleted plays no turn', async () => {
  const conversationId = await project.newConversation();
  await project.store(conversationId, 1, desk);
  const visit = await project.visit(await project.newWebAgent({ conversationId, scopes: ['chat'] }));
  await visit.start();
  await world.rows('delete from web_agents where conversation_id = $1', [conversationId]);
  expect((await project.call('DELETE', `/v1/conversations/${conversationId}`)).status).toBeLessThan(300);
  const response = await visit.request('POST', '/messages', { text: 'Book', messageId: 'm' });
  expect(response.status).toBe(404);
  expect(await sessionOf(visit.id)).toMatchObject({ lease: null, played: 1 });
});

test('the events of a stream are complete lines that browsers read', async () => {
  const visit = await project.visit(webAgentId);
  const response = await visit.request('POST', '/messages', { start: true });
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(eventsIn(await response.text())).toHaveLength(5);
});
