import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Design, Step } from '../../../src/design/schema/design.ts';
import { speaks, transcribes } from '../../helpers/openai-wire.ts';
import {
  desk,
  eventsIn,
  openSessionProject,
  type SessionProject,
  saidIn,
  visitOf,
} from '../../helpers/session-project.ts';
import { wav } from '../../helpers/wav.ts';
import { openWorld, type World } from '../../helpers/world.ts';

let world: World;
let project: SessionProject;
let purpose: Awaited<ReturnType<typeof purposeOf>>;

beforeAll(async () => {
  world = await openWorld({ liveKit: undefined });
  project = await openSessionProject(world);
  purpose = await purposeOf(desk);
});
beforeEach(() => {
  world.upstream.received.length = 0;
});
afterAll(() => world.close());

/** What LiveKit hands to a worker for a call of a web agent with this design. */
async function purposeOf(design: Design) {
  const { projectId } = project;
  const webAgentId = await project.agentOf(design, { scopes: ['voice'] });
  const [agent] = await world.rows('select conversation_id as id from web_agents where id = $1', [
    webAgentId,
  ]);
  return { projectId, web: { webAgentId, conversationId: String(agent?.['id']), version: 1 } };
}

async function asWorker(path: string, body: unknown, key = world.core.runtime.voiceKey) {
  const response = await fetch(`${world.base}/v1/voice${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as ReturnType<typeof JSON.parse> };
}

const newRoom = () => `room-${randomUUID()}`;

/** Answers a call in a new room. */
async function answered(room = newRoom(), worker = 'w1', of: object = purpose) {
  const { status, body } = await asWorker('/calls', { room, worker, ...of });
  expect(status, JSON.stringify(body)).toBe(201);
  const visit = visitOf(body.roomUrl, body.token);
  const send = async (message: object) => {
    const response = await visit.request('POST', '/messages', { messageId: randomUUID(), ...message });
    const text = await response.text();
    return { status: response.status, events: response.ok ? eventsIn(text) : [], text };
  };
  return { room, visit, send, ...body };
}

test('a worker hears what the agent waits for, and which lines nobody may interrupt', async () => {
  const { visit } = await answered();
  expect(await visit.start()).toEqual([
    { event: 'step', step: 'hello' },
    { event: 'step', step: 'menu' },
    { event: 'say', text: 'Hello, I am an AI assistant.', step: 'hello', interruptible: false },
    { event: 'say', text: 'Book a table, or speak to a person?', step: 'menu' },
    { event: 'listen', step: 'menu', expects: 'choice', silence: 8, digits: { most: 1, pause: 1.5 } },
    { event: 'done', turn: 0 },
  ]);
});

test('a key chooses the option of its number, and a silence gets the question again', async () => {
  const { visit, send } = await answered();
  await visit.start();
  const silence = await send({ silent: true });
  expect(saidIn(silence.events)).toContain('Book a table, or speak to a person?');
  const { events } = await send({ digits: '1' });
  expect(saidIn(events)).toEqual(['For which date?']);
  expect(events.at(-2)).toMatchObject({ event: 'listen', expects: 'date' });
});

test('the transcript says what a caller heard of a turn that they interrupted', async () => {
  const { visit, send, sessionId } = await answered();
  await visit.start();
  const heard = { turn: 0, text: 'Hello, I am an AI assistant. Book a ta' };
  const { events } = await send({ digits: '1', heard });
  expect(events[0]).toEqual({ event: 'interrupted', ...heard });
  const { body } = await project.call('GET', `/v1/sessions/${sessionId}`);
  expect(
    body.transcript.map(({ who, text, heard: part }: { who: string; text: string; heard?: string }) => [
      who,
      text,
      part,
    ]),
  ).toEqual([
    ['agent', 'Hello, I am an AI assistant.', undefined],
    ['agent', 'Book a table, or speak to a person?', 'Book a ta'],
    ['caller', '1', undefined],
    ['agent', 'For which date?', undefined],
  ]);
});

test.each([
  { turn: 0, text: 'Hello, I am a human.' },
  { turn: 0, text: 'Hello, I am an AI assistant. Book a table, or speak to a person? You agreed to pay.' },
  { turn: 1, text: '' },
])('nobody puts words into the transcript: $turn "$text"', async (heard) => {
  const { visit, send } = await answered();
  await visit.start();
  const { status, text } = await send({ digits: '1', heard });
  expect(status).toBe(400);
  expect(JSON.parse(text).error.code).toBe('invalid_request');
  expect((await visit.show()).turns).toHaveLength(1);
});

test('a second worker gets the session of the room, and the first one learns that it lost it', async () => {
  const first = await answered();
  await first.visit.start();
  const { body } = await asWorker('/calls', { room: first.room, worker: 'w2' });
  const resumed = { isResumed: true, resumeLine: 'Sorry, I lost you for a moment.' };
  expect(body).toMatchObject({ sessionId: first.sessionId, ...resumed });
  expect((await visitOf(body.roomUrl, body.token).show()).turns).toHaveLength(1);
  const beat = { capacity: 10, rooms: [first.room], isDraining: false };
  expect((await asWorker('/heartbeat', { worker: 'w1', ...beat })).body).toEqual({ rooms: [] });
  expect((await asWorker('/heartbeat', { worker: 'w2', ...beat })).body).toEqual({ rooms: [first.room] });
});

test('nobody but a worker answers calls', async () => {
  const call = { room: newRoom(), worker: 'w1', ...purpose };
  for (const key of [project.key, project.publishableKey, 'pvk_', `pvk_${'0'.repeat(64)}`]) {
    const { status, body } = await asWorker('/calls', call, key);
    expect([status, body.error.code]).toEqual([401, 'unauthorized']);
    expect((await asWorker('/heartbeat', {}, key)).status).toBe(401);
  }
  // The credential of workers opens nothing else.
  const list = await fetch(`${world.base}/v1/projects/${project.projectId}/flows`, {
    headers: { authorization: `Bearer ${world.core.runtime.voiceKey}` },
  });
  expect(list.status).toBe(401);
});

test.each<[string, (known: typeof purpose) => object]>([
  ['a room without a call', () => ({})],
  ['a web agent of another project', ({ web }) => ({ projectId: 'cpj00000000000000', web })],
  ['an unknown web agent', ({ projectId, web }) => ({ projectId, web: { ...web, webAgentId: 'cwa0' } })],
])('nothing answers %s', async (_, of) => {
  const { status, body } = await asWorker('/calls', { room: newRoom(), worker: 'w1', ...of(purpose) });
  expect([status, body.error.code]).toEqual([404, 'not_found']);
});

test('a worker speaks lines and understands recordings; the page of a visitor does neither', async () => {
  const samples = Buffer.from('samples of 24 kHz');
  world.upstream.reacts((request, response) =>
    (request.path.endsWith('/speech') ? speaks(samples) : transcribes('book a table'))(request, response),
  );
  const { visit } = await answered();
  await visit.start();
  const spoken = await visit.request('POST', '/say', { text: 'One moment.' });
  expect([spoken.status, Buffer.from(await spoken.arrayBuffer())]).toEqual([200, samples]);
  expect(world.upstream.received[0]?.body).toMatchObject({ input: 'One moment.', response_format: 'pcm' });
  const recording = { method: 'POST', body: new Uint8Array(wav()) };
  const headers = { authorization: `Bearer ${visit.token}`, 'content-type': 'audio/wav' };
  const understood = await fetch(`${visit.roomUrl}/transcriptions`, { ...recording, headers });
  expect([understood.status, await understood.json()]).toEqual([200, { text: 'book a table' }]);
  const page = await project.visit(await project.agentOf(desk));
  await page.start();
  expect((await page.request('POST', '/say', { text: 'One moment.' })).status).toBe(403);
  const refused = await fetch(`${page.roomUrl}/transcriptions`, {
    ...recording,
    headers: { ...headers, authorization: `Bearer ${page.token}` },
  });
  expect(refused.status).toBe(403);
});

/** A phone number that a conversation of this design answers, as LiveKit hands it to a worker. */
async function phonePurpose(answers: Design | { flowId: string }, number: string) {
  const { projectId } = project;
  const { body } = await project.call('POST', `/v1/projects/${projectId}/phone-numbers`, {
    type: 'external',
    name: 'Desk',
    number,
    externalPhoneFields: { provider: 'sip', terminationUri: 'sip.example.com', transport: 'udp' },
  });
  const call = { projectId, phone: { phoneNumberId: body.id, callerPhone: '+12025550143' } };
  const unanswered = await asWorker('/calls', { room: newRoom(), worker: 'w1', ...call });
  expect(unanswered.body.error).toMatchObject({
    code: 'not_found',
    message: expect.stringContaining('Nothing answers'),
  });
  if ('flowId' in answers) await project.call('PATCH', `/v1/phone-numbers/${body.id}/flow`, answers);
  else {
    const conversationId = await project.newConversation();
    await project.store(conversationId, 1, answers);
    await project.call('PATCH', `/v1/numbers/${body.id}`, { conversationId });
  }
  return call;
}

const transfers: Design = {
  ...desk,
  steps: {
    hello: { kind: 'greeting', introLine: 'I am an AI assistant.', on: { next: 'connect' } },
    connect: {
      kind: 'transfer',
      line: 'I connect you.',
      destination: { kind: 'phoneNumber', value: '+12025550155' },
      on: { failed: 'bye' },
    },
    bye: { kind: 'end', line: 'Nobody answers there. Goodbye.' },
  },
};

test('a worker carries out the transfer of a telephone call, and a failure leads to the exit of the design', async () => {
  const call = await phonePurpose(transfers, '+12025550101');
  const begin = async () => {
    const answer = await answered(newRoom(), 'w1', call);
    const opening = await answer.visit.start();
    expect(opening.slice(-2)).toEqual([
      { event: 'transfer', kind: 'phoneNumber', value: '+12025550155', mode: 'cold', isAwaited: true },
      { event: 'done', turn: 0 },
    ]);
    return answer;
  };
  const failing = await begin();
  expect((await failing.send({ text: 'hello?' })).status).toBe(409);
  const { events } = await failing.send({ transferred: false, reason: 'busy' });
  expect(saidIn(events)).toEqual(['Nobody answers there. Goodbye.']);
  expect(events.at(-2)).toEqual({ event: 'end', reason: 'completed' });
  const succeeding = await begin();
  expect((await succeeding.send({ transferred: true })).events.at(-2)).toEqual({
    event: 'end',
    reason: 'transferred',
  });
  const { visit, send } = await answered();
  await visit.start();
  expect((await send({ transferred: true })).status).toBe(400);
});

test('a call of a telephone knows who calls which number, and counts its minutes', async () => {
  const hello: Step = {
    kind: 'greeting',
    introLine: 'I am an AI. You call from {{callerPhone}}.',
    on: { next: 'bye' },
  };
  const call = await phonePurpose({ ...desk, steps: { ...desk.steps, hello } }, '+12025550100');
  const { visit, sessionId, room } = await answered(newRoom(), 'w1', call);
  const events = await visit.start();
  expect(saidIn(events)[0]).toBe('I am an AI. You call from +12025550143.');
  expect(events.at(-2)).toMatchObject({ event: 'end', reason: 'completed' });
  await world.rows(`update sessions set ended_at = started_at + interval '90 seconds' where id = $1`, [
    sessionId,
  ]);
  // The caller still hears the last line.
  const beat = { worker: 'w1', capacity: 10, rooms: [room], isDraining: false };
  await world.core.runtime.voiceCalls.watch(async () => undefined);
  expect((await asWorker('/heartbeat', beat)).body).toEqual({ rooms: [room] });
  await world.rows(`update voice_calls set seen_at = now() - interval '4 seconds' where room = $1`, [room]);
  await world.core.runtime.voiceCalls.watch(async () => undefined);
  await vi.waitFor(async () => {
    const rows = await world.rows(
      `select quantity from usage_events where project_id = $1 and service = 'voice_minutes'`,
      [project.projectId],
    );
    // The calls of other tests took some milliseconds.
    const minutes = rows.reduce((sum, { quantity }) => sum + Number(quantity), 0);
    expect(minutes).toBeCloseTo(1.5, 1);
  });
  expect(await world.rows('select room from voice_calls where session_id = $1', [sessionId])).toEqual([]);
});

test('a flow answers its number, and the record names it', async () => {
  const flowSchema = {
    greeting: 'Hello, I am an AI assistant of Sunny Dental.',
    questions: [{ key: 'name', prompt: 'What is your name?' }],
  };
  const flow = await project.call('POST', `/v1/projects/${project.projectId}/flows`, {
    name: 'Front desk',
    flowSchema,
  });
  const call = await phonePurpose({ flowId: flow.body.id }, '+12025550102');
  const { visit, send, sessionId } = await answered(newRoom(), 'w1', call);
  expect(saidIn(await visit.start())[0]).toBe(flowSchema.greeting);
  await send({ text: 'Ana Souza' });
  const { body } = await project.call('GET', `/v1/sessions/${sessionId}`);
  expect(body).toMatchObject({ conversationId: null, flowId: flow.body.id, version: 1 });
  expect(Object.values(body.variables)).toContain('Ana Souza');
});

test('the session of a call whose caller has left ends, and one that never began needs no end', async () => {
  const { projectId } = project;
  const unheard = await answered();
  await world.sessions.endCall({ projectId, sessionId: unheard.sessionId });
  expect(await world.rows('select id from sessions where id = $1', [unheard.sessionId])).toEqual([]);
  const left = await answered();
  await left.visit.start();
  await world.sessions.endCall({ projectId, sessionId: left.sessionId });
  expect((await left.visit.show()).reason).toBe('hungUp');
});
