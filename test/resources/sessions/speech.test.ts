import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { speaks, transcribes } from '../../helpers/openai-wire.ts';
import { fillsForms } from '../../helpers/response-form.ts';
import {
  desk,
  eventsIn,
  openSessionProject,
  type SessionProject,
  type Visit,
} from '../../helpers/session-project.ts';
import { answers, type Reaction } from '../../helpers/upstream.ts';
import { wav } from '../../helpers/wav.ts';
import { openWorld, type World } from '../../helpers/world.ts';

const speech = Buffer.from('the speech of a line');

let world: World;
let project: SessionProject;
let webAgentId: string;
beforeAll(async () => {
  world = await openWorld({ liveKit: undefined });
  project = await openSessionProject(world);
  webAgentId = await project.agentOf(desk, { scopes: ['voice', 'chat'] });
});
beforeEach(() => {
  world.upstream.received.length = 0;
  world.upstream.reacts(models('I want to book a table'));
});
afterAll(() => world.close());

/** Models that hear this text, choose to book, and speak. */
const models =
  (heard: string, spoken: Reaction = speaks(speech)): Reaction =>
  (request, response) => {
    if (request.path.endsWith('/transcriptions')) return transcribes(heard)(request, response);
    if (request.path.endsWith('/speech')) return spoken(request, response);
    return fillsForms({ route: { option: 'book' } })(request, response);
  };

const record = (
  visit: Visit,
  messageId: string,
  body: Uint8Array = wav(),
  contentType = 'audio/webm;codecs=opus',
) =>
  fetch(`${visit.roomUrl}/speech?messageId=${messageId}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${visit.token}`, 'content-type': contentType },
    body: new Uint8Array(body),
  });

test('a recorded turn is transcribed, played and spoken, and stored as text', async () => {
  const visit = await project.visit(webAgentId);
  await visit.start();
  const response = await record(visit, 'm1');
  const events = eventsIn(await response.text());
  expect(events).toEqual([
    { event: 'heard', text: 'I want to book a table' },
    { event: 'step', step: 'ask' },
    { event: 'say', text: 'For which date?', step: 'ask' },
    { event: 'audio', type: 'audio/mpeg', data: speech.toString('base64') },
    { event: 'done', turn: 1 },
  ]);
  const asked = world.upstream.received.map(({ path, body }) => [path.split('/').at(-1), body]);
  expect(asked).toMatchObject([
    ['transcriptions', { model: 'transcription', file: { name: 'recording.webm' } }],
    // The route reads the turn, and the next step looks for its date in it.
    ['completions', { response_format: { json_schema: { name: 'route' } } }],
    ['completions', { response_format: { json_schema: { name: 'collect' } } }],
    ['speech', { model: 'speech', input: 'For which date?', voice: 'alloy', response_format: 'mp3' }],
  ]);
  const { turns } = await visit.show();
  expect(turns[1]).toEqual({
    turn: 1,
    messageId: 'm1',
    text: 'I want to book a table',
    events: events.slice(0, 3),
  });
  await vi.waitFor(async () => {
    const used = await world.rows(
      `select distinct service, mode from usage_events where project_id = $1 and service <> 'kb' order by 1`,
      [project.projectId],
    );
    expect(used).toEqual(['llm', 'stt', 'tts'].map((service) => ({ service, mode: 'realtime' })));
  });
});

test('the same recording sent twice is transcribed once, and spoken again', async () => {
  const visit = await project.visit(webAgentId);
  await visit.start();
  const messageId = randomUUID();
  const replies = await Promise.all([record(visit, messageId), record(visit, messageId)]);
  const [first, second] = await Promise.all(replies.map((reply) => reply.text()));
  expect(second).toBe(first);
  expect(world.upstream.received.filter(({ path }) => path.endsWith('/transcriptions'))).toHaveLength(1);
});

test('a silent recording is a silent turn', async () => {
  world.upstream.reacts(models('  '));
  const visit = await project.visit(webAgentId);
  await visit.start();
  const events = eventsIn(await (await record(visit, 'm1')).text());
  expect(events[0]).toEqual({ event: 'heard', text: '' });
  expect(events.at(-1)).toEqual({ event: 'done', turn: 1 });
  expect((await visit.show()).turns[1].text).toBeNull();
});

test('a line that cannot be spoken stays a text, and a recording that cannot be transcribed plays nothing', async () => {
  const visit = await project.visit(webAgentId);
  await visit.start();
  world.upstream.reacts(models('Book a table', answers(500, {})));
  const events = eventsIn(await (await record(visit, 'm1')).text());
  expect(events.map(({ event }) => event)).toEqual(['heard', 'step', 'say', 'done']);
  world.upstream.reacts(answers(500, {}));
  const failed = await record(visit, 'm2');
  expect(failed.status).toBe(502);
  await failed.text();
  expect((await visit.show()).turns).toHaveLength(2);
});

test('refuses what is not a recording, what is too large, and recordings of a chat', async () => {
  const visit = await project.visit(webAgentId);
  await visit.start();
  for (const [response, status] of [
    [await record(visit, 'm', wav(), 'application/json'), 400],
    [await record(visit, ''), 400],
    [await record(visit, 'x'.repeat(101)), 400],
    [await record(visit, 'm', Buffer.alloc(26_214_401)), 413],
  ] as const)
    expect(response.status).toBe(status);
  const chat = await project.visit(await project.agentOf(desk));
  expect((await record(chat, 'm')).status).toBe(403);
  expect(world.upstream.received).toEqual([]);
});
