import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { charactersPerSecond } from '../../../src/calls/speaking-rate.ts';
import type { Design, Step } from '../../../src/design/schema/design.ts';
import { readConfig } from '../../../src/platform/config/config.ts';
import { recordingTypes } from '../../../src/resources/sessions/playing/speech.ts';
import type { SpendingSettings } from '../../../src/resources/usage/spending-limits.ts';
import { openMetrics } from '../../../src/transports/ops/metrics.ts';
import { speaks } from '../../helpers/openai-wire.ts';
import { fillsForms } from '../../helpers/response-form.ts';
import {
  desk,
  eventsIn,
  openSessionProject,
  type SessionProject,
  type Streamed,
  saidIn,
  type Visit,
} from '../../helpers/session-project.ts';
import { answers, hangs, type Reaction } from '../../helpers/upstream.ts';
import { wav } from '../../helpers/wav.ts';
import { openWorld, type World, type WorldOptions } from '../../helpers/world.ts';
import { openReceiver } from './receiver.ts';

/** A window in which every test ends. */
const seconds = 86_400;
const unlimited = { session: {}, address: {}, webAgent: {}, project: {}, seconds };

const handsOver = 'I have to stop here, and hand you over to somebody else. Thank you for your patience.';
const ends =
  'I have to end our conversation here. Thank you for talking to me. Please come back later. Goodbye.';

async function openLimited(spending: Partial<SpendingSettings>, more: WorldOptions = {}) {
  const world = await openWorld({ liveKit: undefined, spending: { ...unlimited, ...spending }, ...more });
  onTestFinished(() => world.close());
  world.upstream.reacts(fillsForms({}));
  return { world, project: await openSessionProject(world) };
}

const calls = ({ upstream }: World) =>
  upstream.received.filter(({ path }) => path.endsWith('/completions')).length;
const without = (step: string): Design => {
  const { [step]: _, ...steps } = desk.steps;
  const { menu } = steps;
  const options = menu?.kind === 'route' ? menu.options.filter(({ target }) => target !== step) : [];
  return { ...desk, steps: { ...steps, menu: { ...menu, options } as Step } };
};
const isOver = (events: readonly Streamed[]) => events.some(({ event }) => event === 'end');

/** Sends messages until the session ends, at most so many; returns the events of the last one. */
async function talk(visit: Visit, most: number, base?: string): Promise<{ sent: number; last: Streamed[] }> {
  const more = base === undefined ? {} : { base };
  let last = await visit.start(more);
  let sent = 0;
  while (sent < most && !isOver(last)) {
    last = await visit.say('xyzzy', undefined, more);
    sent += 1;
  }
  return { sent, last };
}

test.for([
  [{ turns: 3 }, 3, 'session turns', 'The session has reached its limit of 3 turns.'],
  [{ calls: 2 }, 2, 'session calls', 'The session has reached its limit of 2 calls of models.'],
  [{ tokens: 5 }, 3, 'session tokens', 'The session has reached its limit of 5 tokens of models.'],
] as const)(
  'a session that has spent %j says its last line, is handed over, and says why in its record',
  async ([session, most, limit, note]) => {
    const { world, project } = await openLimited({ session });
    const visit = await project.visit(await project.agentOf(desk));
    const { sent, last } = await talk(visit, 20);
    expect([sent, calls(world)]).toEqual([most + 1, most]);
    expect(last.slice(-4)).toEqual([
      { event: 'say', text: handsOver, step: 'menu' },
      { event: 'transfer', kind: 'phoneNumber', value: '+12025550155', handedOver: false },
      { event: 'end', reason: 'transferred' },
      { event: 'done', turn: most + 1 },
    ]);
    const { body: record } = await project.call('GET', `/v1/sessions/${visit.id}`);
    expect(record).toMatchObject({
      outcome: 'transferred',
      usage: { modelCalls: most, modelTokens: 2 * most },
    });
    expect(record.notes).toContain(note);
    expect(record.transcript.at(-2)).toMatchObject({ who: 'caller', text: 'xyzzy' });
    const { body: overview } = await project.call('GET', `/v1/projects/${project.projectId}/overview`);
    expect(overview.problems).toContain(
      `1 session of the last 24 hours reached the limit "${limit}". get_session shows the notes.`,
    );
    // Another visitor is not concerned.
    expect(saidIn(await (await project.visit(record.webAgentId)).say('xyzzy'))).not.toContain(handsOver);
  },
);

test('a session that nobody takes over ends politely, in the language of its agent', async () => {
  const { project } = await openLimited({ session: { turns: 1 } });
  const visit = await project.visit(await project.agentOf(without('connect')));
  expect((await talk(visit, 5)).last.slice(-3, -1)).toEqual([
    { event: 'say', text: ends, step: 'menu' },
    { event: 'end', reason: 'limit' },
  ]);
  const german = without('connect');
  const greeting: Step = {
    kind: 'greeting',
    introLine: 'Guten Tag, ich bin die KI-Assistentin der Praxis. Was kann ich für Sie tun?',
    on: { next: 'menu' },
  };
  const inGerman = await project.visit(
    await project.agentOf({ ...german, steps: { ...german.steps, hello: greeting } }),
  );
  expect(saidIn((await talk(inGerman, 5)).last).at(-1)).toMatch(/^Ich muss unser Gespräch hier beenden\./);
  expect((await visit.request('POST', '/messages', { text: 'and?', messageId: 'm' })).status).toBe(404);
});

test("a session at its limit goes to the web agent's own address, although its design transfers nowhere", async () => {
  const { project, url, received } = await openReceiver({
    spending: { ...unlimited, session: { turns: 1 } },
  });
  const webAgentId = await project.agentOf(without('connect'));
  await project.call('PATCH', `/v1/web-sessions/agents/${webAgentId}`, { handoverUrl: `${url}/own` });
  const { last } = await talk(await project.visit(webAgentId), 5);
  expect(last.slice(-4, -1)).toMatchObject([
    { event: 'say', text: handsOver },
    { event: 'transfer', handedOver: true },
    { event: 'end', reason: 'transferred' },
  ]);
  const { destination, transcript } = JSON.parse(received[0]?.body ?? '{}');
  expect(destination).toEqual({ kind: 'none', value: '' });
  expect(transcript.at(-1)).toEqual({ who: 'caller', text: 'xyzzy' });
});

test('a flooded web agent spends its own share; other websites and short visits go on', async () => {
  const metrics = openMetrics({ version: '0', gitSha: '0' });
  const spending = { session: { turns: 60 }, webAgent: { calls: 10 }, project: { calls: 25 } };
  const { world, project } = await openLimited(spending, { metrics });
  const websites = [];
  for (let index = 0; index < 3; index++) websites.push(await project.agentOf(desk));
  const [flooded = '', second = '', third = ''] = websites;
  const flood = await Promise.all(
    Array.from({ length: 4 }, async () => talk(await project.visit(flooded), 20)),
  );
  expect(calls(world)).toBe(10);
  for (const { last } of flood) expect(saidIn(last)).toEqual([handsOver]);
  const readers = async (webAgentId: string) => {
    const visit = await project.visit(webAgentId);
    const events = [await visit.say('I want to book a table'), await visit.say('on 2026-12-24')];
    const { body } = await project.call('GET', `/v1/sessions/${visit.id}`);
    const read = body.transcript.flatMap(({ understoodBy }: { understoodBy?: string }) => understoodBy ?? []);
    return { said: events.flatMap(saidIn), read, notes: body.notes };
  };
  // The rule books the table.
  const short = await readers(flooded);
  expect(short.said.slice(-2)).toEqual(['For which date?', 'Goodbye.']);
  expect(short).toMatchObject({
    read: ['rule', 'rule'],
    notes: ['The web agent has reached its limit of 10 calls of models.'],
  });
  expect((await readers(second)).read).toEqual(['model', 'model']);
  await Promise.all([second, third].map(async (id) => talk(await project.visit(id), 20)));
  expect(calls(world)).toBeLessThanOrEqual(25);
  for (const id of websites) expect((await readers(id)).said.slice(-1)).toEqual(['Goodbye.']);
  expect(calls(world)).toBeLessThanOrEqual(25);
  expect(await metrics.text()).toMatch(
    /parley_session_limits_reached_total\{scope="webAgent",kind="calls"\} [1-9]/,
  );
});

describe('a client address', () => {
  const [greedy, victim] = ['203.0.113.66', '198.51.100.7'];
  const trustedProxies = '127.0.0.1';
  /** The visit of a browser at this address, as a trusted proxy passes it on. */
  const from = (visit: Visit, address: string): Visit => {
    const headers = { 'x-forwarded-for': address };
    return {
      ...visit,
      say: (text, messageId, more) => visit.say(text, messageId, { headers, ...more }),
      start: (more) => visit.start({ headers, ...more }),
    };
  };

  test('spends its share in any number of sessions, and leaves the rest of their web agent to the others', async () => {
    const metrics = openMetrics({ version: '0', gitSha: '0' });
    const spending = { address: { calls: 10 }, webAgent: { calls: 100 } };
    const { world, project } = await openLimited(spending, { metrics, trustedProxies });
    const webAgentId = await project.agentOf(desk);
    const arrive = async (address: string) => from(await project.visit(webAgentId), address);
    for (let session = 0; session < 4; session++) await talk(await arrive(greedy), 4);
    expect(calls(world)).toBe(10);
    const refused = await arrive(greedy);
    expect((await talk(refused, 5)).last.slice(-4)).toMatchObject([
      { event: 'say', text: handsOver },
      { event: 'transfer' },
      { event: 'end', reason: 'transferred' },
      { event: 'done', turn: 1 },
    ]);
    expect(calls(world)).toBe(10);
    const { body: record } = await project.call('GET', `/v1/sessions/${refused.id}`);
    expect(record.notes).toContain('The client address has reached its limit of 10 calls of models.');
    const { body: overview } = await project.call('GET', `/v1/projects/${project.projectId}/overview`);
    expect(overview.problems.join()).toContain('reached the limit "address calls"');
    expect(await metrics.text()).toMatch(/limits_reached_total\{scope="address",kind="calls"\} [1-9]/);

    const other = await arrive(victim);
    expect(isOver((await talk(other, 5)).last)).toBe(false);
    expect(calls(world)).toBe(15);
  });

  test('counts by its line in IPv6, and on all replicas', async () => {
    const spending = { ...unlimited, address: { turns: 6 } };
    const { world, project } = await openLimited(spending, { trustedProxies });
    const webAgentId = await project.agentOf(desk);
    const played = async (base: string, address: string, most: number) =>
      talk(from(await project.visit(webAgentId), address), most, base);
    expect((await played(world.base, '2001:db8:0:1::1', 5)).sent).toBe(5);
    const other = await openWorld({
      liveKit: undefined,
      spending,
      trustedProxies,
      database: { url: world.databaseUrl, drop: async () => undefined },
    });
    onTestFinished(() => other.close());
    other.upstream.reacts(fillsForms({}));
    // The sixth turn is the last; the seventh ends the session.
    expect((await played(other.base, '2001:db8:0:ff::2', 9)).sent).toBe(2);
    expect((await played(other.base, '2001:db8:0:100::1', 4)).sent).toBe(4);
  });

  test.for([
    ['addresses of one /24', (index: number) => `203.0.113.${index}`, 20],
    ['/56 of one /48', (index: number) => `2001:db8:0:${index}00::1`, 20],
    ['/24 of one /16', (index: number) => `203.0.${index}.1`, 40],
    ['/48 of one /32', (index: number) => `2001:db8:${index}::1`, 40],
    ['unrelated addresses', (index: number) => `${20 + index}.0.0.1`, 68],
  ] as const)(
    'in one of ten %s goes on by rule when they have spent their part, and leaves the rest to the others',
    async ([, addressAt, part]) => {
      const metrics = openMetrics({ version: '0', gitSha: '0' });
      const spending = { address: { calls: 10 }, webAgent: { calls: 100 }, project: { calls: 300 } };
      const { world, project } = await openLimited(spending, { metrics, trustedProxies });
      const webAgentId = await project.agentOf(desk);
      const arrive = async (address: string) => from(await project.visit(webAgentId), address);
      for (let index = 0; index < 10; index++) await talk(await arrive(addressAt(index)), 12);
      expect(calls(world)).toBe(part);
      const visit = await arrive(addressAt(9));
      expect(saidIn(await visit.say('I want to book a table')).at(-1)).toBe('For which date?');
      expect(calls(world)).toBe(part);
      const { body: record } = await project.call('GET', `/v1/sessions/${visit.id}`);
      expect(record.notes.join()).toMatch(
        /^The network of the client has reached its limit of \d+ calls of models\.$/,
      );
      expect(await metrics.text()).toMatch(/limits_reached_total\{scope="network",kind="calls"\} [1-9]/);

      await talk(await arrive(victim), 3);
      expect(calls(world)).toBe(part + 3);
    },
  );

  test('of a proxy that is not trusted does not count', async () => {
    const { project } = await openLimited({ address: { turns: 1 } });
    const visit = from(await project.visit(await project.agentOf(desk)), greedy);
    expect(isOver((await talk(visit, 4)).last)).toBe(false);
  });

  test('needs no statement before it has spent a fiftieth of its limit', async () => {
    const spending = { address: { turns: 200, calls: 200, tokens: 10_000 } };
    const { world, project } = await openLimited(spending, { trustedProxies });
    const visit = from(await project.visit(await project.agentOf(desk)), victim);
    const counted = () =>
      world.rows(`select policy, taken from rate_limit_windows where policy like 'spending-address-%'`);
    await talk(visit, 4);
    expect(await counted()).toEqual([]);
    await visit.say('xyzzy');
    expect(new Set(await counted())).toEqual(
      new Set([
        { policy: 'spending-address-turns', taken: 8 },
        { policy: 'spending-address-calls', taken: 8 },
      ]),
    );
  });

  test('may spend a tenth of what its web agent and project may, unless the environment says otherwise', () => {
    const of = (environment: Record<string, string>) => readConfig(environment).spending.address;
    expect(of({})).toEqual({ turns: 1_000, calls: 2_000, tokens: 5_000_000, speech: 7_200 });
    expect(
      of({
        PARLEY_SPENDING_WEB_AGENT: 'calls=100,tokens=off,speech=off',
        PARLEY_SPENDING_PROJECT: 'turns=95,speech=off',
        PARLEY_SPENDING_ADDRESS: 'tokens=7',
      }),
    ).toEqual({ turns: 10, calls: 10, tokens: 7 });
    expect(of({ PARLEY_SPENDING_ADDRESS: 'turns=off' })).toMatchObject({ turns: undefined, calls: 2_000 });
  });
});

test('the limits of a project hold for all replicas and after a restart', async () => {
  const spending = { ...unlimited, project: { calls: 6 } };
  const { world, project } = await openLimited(spending);
  const webAgentId = await project.agentOf(desk);
  const sendOn = async (base: string) => {
    const visit = await project.visit(webAgentId);
    for (let sent = 0; sent < 5; sent++) await visit.say('xyzzy', randomUUID(), { base });
  };
  await sendOn(world.base);
  expect(calls(world)).toBe(5);
  const other = await openWorld({
    liveKit: undefined,
    spending,
    database: { url: world.databaseUrl, drop: async () => undefined },
  });
  onTestFinished(() => other.close());
  other.upstream.reacts(fillsForms({}));
  await sendOn(other.base);
  expect(calls(other)).toBe(1);
  await sendOn(world.base);
  expect(calls(world)).toBe(5);
});

const cycles: Readonly<Record<string, Record<string, Step>>> = {
  'an answer that leads to itself': {
    ask: { kind: 'answer', instruction: 'Answer.', on: { next: 'ask', noAnswer: 'ask' } },
  },
  'answers and routes that lead to each other': {
    ask: { kind: 'answer', instruction: 'Answer.', on: { next: 'choose' } },
    choose: {
      kind: 'route',
      options: [{ id: 'bye', title: 'Goodbye', description: 'The end.', target: 'bye' }],
      on: { fallback: 'ask' },
    },
    bye: { kind: 'end' },
  },
  'generated messages that lead to each other': {
    ask: { kind: 'message', mode: 'generated', text: 'Say something.', on: { next: 'more' } },
    more: { kind: 'message', mode: 'generated', text: 'Say more.', on: { next: 'ask' } },
  },
};

test.for(Object.entries(cycles))(
  '%s end a call after ten calls of a model, without a limit on spending',
  async ([, steps]) => {
    const { world, project } = await openLimited({});
    world.upstream.reacts(fillsForms({ message: { text: 'So.' } }));
    const hello: Step = { kind: 'greeting', introLine: 'Hello, I am an AI assistant.', on: { next: 'ask' } };
    const visit = await project.visit(await project.agentOf({ ...desk, steps: { hello, ...steps } }));
    const { last } = await talk(visit, 2);
    expect(calls(world)).toBe(10);
    expect(last.slice(-3, -1)).toMatchObject([
      { event: 'say', text: ends },
      { event: 'end', reason: 'limit' },
    ]);
    const { body } = await project.call('GET', `/v1/sessions/${visit.id}`);
    expect(body.notes.join()).toContain('limit of 10 questions to a model');
  },
);

/** Hears this text in recordings, and speaks. `more` comes with the transcript. */
const hears =
  (text: string, more: object = {}): Reaction =>
  (request, response) => {
    if (request.path.endsWith('/transcriptions')) return answers(200, { text, ...more })(request, response);
    if (request.path.endsWith('/speech')) return speaks(Buffer.from('speech'))(request, response);
    return fillsForms({})(request, response);
  };

async function record(
  visit: Visit,
  messageId: string,
  recording: Uint8Array = wav(),
  contentType = 'audio/webm',
): Promise<Streamed[]> {
  const response = await fetch(`${visit.roomUrl}/speech?messageId=${messageId}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${visit.token}`, 'content-type': contentType },
    body: new Uint8Array(recording),
  });
  return eventsIn(await response.text());
}

test('a session speaks and hears as long as its limit allows, also if a recording is sent again and again', async () => {
  const { world, project } = await openLimited({ session: { speech: 30 } });
  world.upstream.reacts(hears('xyzzy'));
  const sent = (what: string) => world.upstream.received.filter(({ path }) => path.endsWith(what)).length;
  const visit = await project.visit(await project.agentOf(desk, { scopes: ['voice', 'chat'] }));
  for (let again = 0; again < 20; again++) await record(visit, 'the same');
  const spoken = sent('/speech');
  expect(sent('/transcriptions')).toBe(1);
  // The line takes 2.4 seconds; 5 were heard, and the opening was spoken.
  expect(spoken).toBeGreaterThan(5);
  expect(spoken).toBeLessThan(15);
  // The last line is spoken, once.
  const last = ['say', 'audio', 'transfer', 'end', 'done'];
  expect((await record(visit, 'another one')).map(({ event }) => event)).toEqual(last);
  expect((await record(visit, 'another one')).map(({ event }) => event)).not.toContain('audio');
  expect([sent('/transcriptions'), sent('/speech')]).toEqual([1, spoken + 1]);
});

describe('a recording counts', () => {
  let world: World;
  let webAgentId: string;
  let project: SessionProject;
  beforeAll(async () => {
    world = await openWorld({ liveKit: undefined, spending: unlimited });
    project = await openSessionProject(world);
    webAgentId = await project.agentOf(desk, { scopes: ['voice', 'chat'] });
  });
  afterAll(() => world.close());

  /** Seconds that a session has spent on this recording, without the lines that it was told. `more` comes with the transcript. */
  async function secondsOf(recording: Uint8Array, contentType: string, more: object = {}): Promise<number> {
    world.upstream.reacts(hears('xyzzy', more));
    const visit = await project.visit(webAgentId);
    const spent = async () => {
      const [row] = await world.rows('select speech_seconds from sessions where id = $1', [visit.id]);
      return Number(row?.['speech_seconds']);
    };
    await visit.start();
    const before = await spent();
    const said = saidIn(await record(visit, 'm1', recording, contentType)).join('');
    return (await spent()) - before - said.length / charactersPerSecond;
  }

  /** What the header of a WAV file may claim. */
  const claims: Readonly<Record<string, (recording: Buffer) => unknown>> = {
    'the truth': () => undefined,
    'any bytes of a second': (recording) => recording.writeUInt32LE(4_000_000_000, 28),
    '192,000 samples a second': (recording) => recording.writeUInt32LE(192_000, 24),
    'a rate that nobody records': (recording) => recording.writeUInt32LE(4_000_000_000, 24),
    'one sample a second': (recording) => recording.writeUInt32LE(1, 24),
    '65,535 channels': (recording) => recording.writeUInt16LE(65_535, 22),
    'two bytes of sound': (recording) => recording.writeUInt32LE(2, 40),
    ADPCM: (recording) => recording.writeUInt16LE(2, 20),
    MP3: (recording) => recording.writeUInt16LE(0x55, 20),
    'an unnamed codec': (recording) => recording.writeUInt16LE(0xff_fe, 20),
  };
  type Row = readonly [type: string, claim: string, least: number, most: number];
  /** What 320,044 bytes count, at least and at most: ten seconds of 16 kHz, 16 bits and one channel, or what a codec makes of them. */
  const table: readonly Row[] = [
    ['audio/wav', 'the truth', 10, 10.1],
    ['audio/wav', 'any bytes of a second', 10, 10.1],
    ['audio/wav', '192,000 samples a second', 10, 10.1],
    ['audio/wav', 'a rate that nobody records', 10, 10.1],
    ['audio/wav', '65,535 channels', 10, 10.1],
    ['audio/wav', 'two bytes of sound', 10, 10.1],
    ['audio/wav', 'one sample a second', 40, 40.1],
    ['audio/wav', 'ADPCM', 80, 81],
    ['audio/wav', 'MP3', 80, 81],
    ['audio/wav', 'an unnamed codec', 80, 81],
    ['audio/x-wav', 'two bytes of sound', 10, 10.1],
    ['audio/webm', 'two bytes of sound', 80, 81],
    ['audio/ogg', 'two bytes of sound', 80, 81],
    ['audio/mp4', 'two bytes of sound', 80, 81],
    ['audio/mpeg', 'two bytes of sound', 80, 81],
  ];

  test('as the table says, which has every type and every claim', () => {
    expect(new Set(table.map(([type]) => type))).toEqual(new Set(Object.keys(recordingTypes)));
    expect(new Set(table.map(([, claim]) => claim))).toEqual(new Set(Object.keys(claims)));
  });

  test.each(table)('by its bytes, if it has the type %s and claims %s', async (type, claim, least, most) => {
    const recording = wav(320_000);
    claims[claim]?.(recording);
    const counts = await secondsOf(recording, type);
    expect(counts).toBeGreaterThanOrEqual(least - 0.01);
    expect(counts).toBeLessThanOrEqual(most);
  });

  test.each([
    [7_500, 10],
    [45_000, 60],
    [240_000, 60],
    [480_000, 120],
  ])(
    'as if its codec took the fewest bytes, up to a minute: %d bytes, %d seconds',
    async (bytes, seconds) => {
      expect(await secondsOf(Buffer.alloc(bytes), 'audio/webm;codecs=opus')).toBeCloseTo(seconds, 0);
    },
  );

  test.each([
    ['seconds', { usage: { type: 'duration', seconds: 7 } }],
    ['tokens', { usage: { type: 'tokens', input_tokens: 75, input_token_details: { audio_tokens: 70 } } }],
  ] as const)('the %s that the model bills, whatever its size', async (_, more) => {
    expect(await secondsOf(wav(320_000), 'audio/webm', more)).toBeCloseTo(7, 1);
  });
});

test('a session ends after its seconds of speech, although its recordings claim to have none', async () => {
  const { world, project } = await openLimited({ session: { speech: 30 } });
  world.upstream.reacts(hears('xyzzy'));
  const heard = () => world.upstream.received.filter(({ path }) => path.endsWith('/transcriptions')).length;
  const recording = wav(320_000);
  recording.writeUInt32LE(2, 40);
  const visit = await project.visit(await project.agentOf(desk, { scopes: ['voice', 'chat'] }));
  let events: Streamed[] = [];
  for (let again = 0; again < 6 && !isOver(events); again++)
    events = await record(visit, `recording-${again}`, recording, 'audio/wav');
  // Each recording takes ten seconds, and each line that the agent says 2.4.
  expect(heard()).toBeLessThanOrEqual(3);
  expect(events.map(({ event }) => event)).toEqual(['say', 'audio', 'transfer', 'end', 'done']);
});

test('a web agent without speech left hears nobody, and says so in writing', async () => {
  const { world, project } = await openLimited({ webAgent: { speech: 6 } });
  world.upstream.reacts(hears('xyzzy'));
  const webAgentId = await project.agentOf(desk, { scopes: ['voice', 'chat'] });
  const visit = await project.visit(webAgentId);
  expect((await record(visit, 'm1')).map(({ event }) => event)).toContain('audio');
  const second = await project.visit(webAgentId);
  const events = await record(second, 'm2');
  expect(events.map(({ event }) => event)).not.toContain('audio');
  expect(saidIn(events)).toContain(handsOver);
  expect(isOver(await (await project.visit(webAgentId)).say('xyzzy'))).toBe(false);
});

test('a turn that fails counts what it has spent', async () => {
  const { world, project } = await openLimited({});
  const visit = await project.visit(await project.agentOf(desk));
  await visit.start();
  world.upstream.reacts(hangs);
  const response = visit.request('POST', '/messages', { text: 'xyzzy', messageId: 'm1' });
  await vi.waitFor(() => expect(calls(world)).toBe(1));
  // A stop cuts the turn.
  await world.sessions.close();
  expect(await (await response).text()).toContain('internal_error');
  const [row] = await world.rows('select model_calls, turns, lease from sessions where id = $1', [visit.id]);
  expect(row).toEqual({ model_calls: 1, turns: 0, lease: null });
});

test('a limit in the environment changes what it names, and is refused with anything else', () => {
  const { session } = readConfig({}).spending;
  const PARLEY_SPENDING_SESSION = 'turns=7,speech=off';
  expect(readConfig({ PARLEY_SPENDING_SESSION }).spending.session).toEqual({
    ...session,
    turns: 7,
    speech: undefined,
  });
  for (const value of [
    'turns',
    'turns=0',
    'turns=-1',
    'calls=1e9',
    'calls=1000000001',
    'words=1',
    'turns=1;calls=1',
  ])
    expect(() => readConfig({ PARLEY_SPENDING_PROJECT: value }), value).toThrow(
      /^PARLEY_SPENDING_PROJECT is not valid/,
    );
});

test('a chat of 200 turns reaches no limit that holds by default', async () => {
  const { spending } = readConfig({});
  const { world, project } = await openLimited(spending);
  const visit = await project.visit(await project.agentOf(desk));
  const { sent, last } = await talk(visit, 200);
  expect([sent, isOver(last), calls(world)]).toEqual([200, false, 200]);
  const [row] = await world.rows('select reached_limit from sessions where id = $1', [visit.id]);
  expect(row).toEqual({ reached_limit: null });
});
