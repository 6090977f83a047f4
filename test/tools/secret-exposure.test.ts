import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Design } from '../../src/design/schema/design.ts';
import type { McpTool } from '../../src/environment/mcp-view.ts';
import { operations } from '../contract/registry.ts';
import { openSessionProject, type SessionProject } from '../helpers/session-project.ts';
import { openWorld, type World } from '../helpers/world.ts';

const value = 'sk-live/4+2"q&9 Zk?x=%41?>?~?>y_7';
const [half, otherHalf] = [value.slice(0, 14), value.slice(14)];

const everyByte = (text: string, write: (code: number) => string) =>
  [...Buffer.from(text)].map((code) => write(code)).join('');
const hexOf = (code: number, digits: number) => code.toString(16).padStart(digits, '0');

/** How a receiver writes the secret into its response. */
const echoes: Readonly<Record<string, (secret: string) => string>> = {
  plain: (secret) => secret,
  reversed: (secret) => Array.from(secret).toReversed().join(''),
  upperCase: (secret) => secret.toUpperCase(),
  lowerCase: (secret) => secret.toLowerCase(),
  mixedCase: (secret) =>
    secret.replaceAll(/(.)(.)/g, (_, one: string, two: string) => one.toUpperCase() + two),
  base64: (secret) => Buffer.from(secret).toString('base64'),
  base64AfterOne: (secret) => Buffer.from(`x${secret}yz`).toString('base64'),
  base64AfterTwo: (secret) => Buffer.from(`xx${secret}y`).toString('base64'),
  base64url: (secret) => Buffer.from(`x${secret}`).toString('base64url'),
  hex: (secret) => Buffer.from(secret).toString('hex'),
  upperHex: (secret) => Buffer.from(secret).toString('hex').toUpperCase(),
  percent: (secret) => encodeURIComponent(secret),
  percentTwice: (secret) => encodeURIComponent(encodeURIComponent(secret)),
  everyPercent: (secret) => everyByte(secret, (code) => `%${hexOf(code, 2)}`),
  form: (secret) => new URLSearchParams({ secret }).toString(),
  html: (secret) => secret.replaceAll('&', '&amp;').replaceAll('"', '&quot;'),
  json: (secret) => JSON.stringify({ secret }),
  unicode: (secret) => everyByte(secret, (code) => `\\u${hexOf(code, 4)}`),
};

/** The texts of which none may appear: the start and the end of a coded text depend on what stands around it. */
const readable = Object.values(echoes).flatMap((echo) => {
  const text = echo(value);
  return [text, JSON.stringify(text).slice(1, -1)];
});
const cores = ['base64', 'base64AfterOne', 'base64AfterTwo', 'base64url'].map(
  (name) => echoes[name]?.(value).slice(4, -6) ?? '',
);
const shownIn = (text: string) =>
  [...readable, ...cores, half, otherHalf]
    .filter((form) => text.includes(form))
    .map((form) => form.slice(0, 12));
/** Two halves in two members are no longer a secret that can be recognized. */
const wholeIn = (text: string) => [...readable, ...cores].filter((form) => text.includes(form));

/** A host of its own for all tests of this file. */
async function openHost(listener: http.RequestListener): Promise<string> {
  const server = http.createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  servers.push(server);
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const servers: http.Server[] = [];
const logged: string[] = [];
const received: { readonly host: string; readonly url: string; readonly headers: string }[] = [];
let world: World;
let project: SessionProject;
let shop: string;
let stranger: string;
let conversationId: string;
let sessionId: string;
beforeAll(async () => {
  // The shop repeats what it got, in the way that its path names. It remembers it, too.
  let last = '';
  [shop, stranger] = [
    await openHost((request, response) => {
      const [, mode = ''] = (request.url ?? '').split('/');
      received.push({ host: 'shop', url: request.url ?? '', headers: JSON.stringify(request.headers) });
      const got = request.headers.authorization?.replace('Bearer ', '');
      if (got !== undefined) last = got;
      const parts = mode === 'split' ? [last.slice(0, 14), last.slice(14)] : [echoes[mode]?.(last) ?? last];
      response.end(JSON.stringify({ first: parts[0], second: parts[1] }));
    }),
    await openHost((request, response) => {
      received.push({ host: 'stranger', url: request.url ?? '', headers: JSON.stringify(request.headers) });
      response.end(JSON.stringify({ first: request.url }));
    }),
  ];
  world = await openWorld({
    models: undefined,
    outbound: { allow: [shop, stranger].map((url) => new URL(url).host) },
    log: pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) }),
  });
  project = await openSessionProject(world);
  await setSecret({ value, hosts: [new URL(shop).host] });
});
afterAll(async () => {
  await world.close();
  for (const server of servers) server.closeAllConnections();
  for (const server of servers) server.close();
});

const setSecret = async (body: object) => {
  const answer = await project.call('PATCH', `/v1/projects/${project.projectId}/secrets/KEY`, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
};

type Fetch = NonNullable<NonNullable<NonNullable<Design['hooks']>['before']>['nodes'][string]['fetch']>;

/** A design that sends these fetches one after the other, and speaks what they return. */
function fetching(fetches: readonly Partial<Fetch>[]): Design {
  const names = fetches.map((_, index) => `f${index}`);
  return {
    schemaVersion: 'cd/1',
    entry: { stepId: 'hello' },
    variables: names.flatMap((name) => [
      { id: `${name}a`, type: 'text' as const },
      { id: `${name}b`, type: 'text' as const },
    ]),
    steps: {
      hello: {
        kind: 'greeting',
        introLine: `Hello, I am an AI assistant. ${names.map((name) => `{{${name}a}} {{${name}b}}`).join(' ')}`,
        on: { next: 'bye' },
      },
      bye: { kind: 'end', line: 'Goodbye.' },
    },
    hooks: {
      before: {
        rootNodeId: 'f0',
        nodes: Object.fromEntries(
          fetches.map((fetch, index) => [
            `f${index}`,
            {
              id: `f${index}`,
              fetch: {
                url: shop,
                method: 'GET' as const,
                responseMappings: [
                  { id: 'a', variableId: `f${index}a`, path: 'first' },
                  { id: 'b', variableId: `f${index}b`, path: 'second' },
                ],
                ...fetch,
              },
              next: index + 1 < fetches.length ? { hookNode: `f${index + 1}` } : { step: 'hello' },
            },
          ]),
        ),
      },
    },
  };
}

const authorized = { headers: { authorization: 'Bearer {{secret.KEY}}' } };
/** The shop repeats the secret in every way, and what it returned goes to a stranger. */
const echoing = (modes: readonly string[]) =>
  fetching([
    ...modes.map((mode) => ({ url: `${shop}/${mode}`, ...authorized })),
    ...modes.map((_, index) => ({
      url: `${stranger}/taken`,
      query: { a: `{{f${index}a}}`, b: `{{f${index}b}}` },
    })),
    { url: `${shop}/split` },
  ]);

/** A conversation with this design live as version 1, and as the draft 2. */
async function stored(design: Design): Promise<string> {
  const id = await project.newConversation();
  await project.store(id, 1, design);
  const draft = { ...design, steps: { ...design.steps, bye: { kind: 'end', line: 'Bye.' } } };
  const { status, body } = await project.write(id, draft);
  expect(status, JSON.stringify(body)).toBe(201);
  return id;
}

const levels = {
  'read, draft and run': ['read', 'draft', 'run'],
  run: ['run'],
  publish: ['read', 'draft', 'run', 'publish'],
} as const;

const live = async (level: keyof typeof levels, id: string, version: number) => {
  const { key } = await world.key(project.projectId, { access: levels[level] });
  const caller = { script: [{ hangUp: true }] };
  const path = `/v1/conversations/${id}/live-simulations`;
  return world.rest('POST', path, { key, body: { caller, version } });
};

/** What the stranger has received since. */
const strangers = (since: number) =>
  JSON.stringify(received.slice(since).filter(({ host }) => host === 'stranger'));

describe('a host that repeats a secret in every way', () => {
  beforeAll(async () => {
    conversationId = await stored(echoing([...Object.keys(echoes), 'split']));
  });

  it.each([
    ['read, draft and run', 1],
    ['read, draft and run', 2],
    ['run', 1],
    ['run', 2],
  ] as const)('shows neither it nor a part of it to a key with %s (version %i)', async (level, version) => {
    const since = received.length;
    const { status, body } = await live(level, conversationId, version);
    expect(status).toBe(200);
    const text = JSON.stringify(body);
    expect(shownIn(text)).toEqual([]);
    expect(shownIn(strangers(since))).toEqual([]);
    const isDraft = version === 2;
    expect(text).toContain(
      isDraft ? 'PLACEHOLDER_KEY was sent in its place' : 'were left out: it got a secret',
    );
    const sent = JSON.stringify(received.slice(since)).includes(JSON.stringify(value).slice(1, -1));
    expect(sent).toBe(false);
    expect(
      received.slice(since).some(({ headers }) => JSON.parse(headers).authorization === `Bearer ${value}`),
    ).toBe(!isDraft);
  });

  it.each(Object.keys(echoes))('is masked for a key that may publish: %s', async (mode) => {
    const id = await stored(echoing([mode]));
    for (const version of [1, 2]) {
      const since = received.length;
      const { body } = await live('publish', id, version);
      expect(body.requests[0]).toMatchObject({ result: 'sent' });
      expect(wholeIn(JSON.stringify(body))).toEqual([]);
      expect(wholeIn(strangers(since))).toEqual([]);
      expect(body.variables.f0a).toContain('{{secret.KEY}}');
    }
  });
});

describe('a session with a host that repeats a secret', () => {
  it('shows its visitor none of it, and sends it to that host', async () => {
    const agent = await project.agentOf(echoing(Object.keys(echoes)));
    const visit = await project.visit(agent);
    const since = received.length;
    const events = [...(await visit.start()), await visit.show()];
    sessionId = visit.id;
    expect(wholeIn(JSON.stringify(events))).toEqual([]);
    expect(wholeIn(strangers(since))).toEqual([]);
    expect(received.slice(since).map(({ headers }) => JSON.parse(headers).authorization)).toContain(
      `Bearer ${value}`,
    );
  });

  const reads = operations.filter(({ effect, access }) => effect.readOnly && access === 'read');
  const filled = ({ rest }: McpTool) =>
    rest.path
      .replace('{projectId}', project.projectId)
      .replace('{sessionId}', sessionId)
      .replace('/conversations/{id}', `/conversations/${conversationId}`)
      .replace('{n}', '2')
      .replace('{name}', 'KEY');

  it.each(reads.map((tool) => [tool.name, tool] as const))('shows none of it in %s', async (_, tool) => {
    const { key } = await world.key(project.projectId, { access: ['read'] });
    const body = tool.rest.method === 'GET' ? undefined : {};
    const answer = await world.rest(tool.rest.method, filled(tool), { key, ...(body && { body }) });
    expect(wholeIn(JSON.stringify(answer.body))).toEqual([]);
    if (tool.name === 'get_session') {
      expect(answer.status).toBe(200);
      expect(answer.body.variables.f0a).toBe('{{secret.KEY}}');
    }
  });

  it('leaves none of it in the log or in a table', async () => {
    expect(wholeIn(logged.join(''))).toEqual([]);
    const tables = await world.rows(
      "select table_name as name from information_schema.tables where table_schema = 'public'",
    );
    for (const { name } of tables) {
      const rows = await world.rows(
        `select row_to_json(of_table)::text as text from "${String(name)}" of_table`,
      );
      expect(wholeIn(rows.map(({ text }) => String(text)).join('')), String(name)).toEqual([]);
    }
  });
});

describe('a secret that is not bound to the place where it stands', () => {
  const places = {
    'another host': () => ({ url: `${stranger}/x`, ...authorized }),
    'another header': () => ({ url: `${shop}/x`, headers: { 'x-mine': '{{secret.KEY}}' } }),
    'the query': () => ({ url: `${shop}/x`, query: { key: '{{secret.KEY}}' } }),
    'the path': () => ({ url: `${shop}/{{secret.KEY}}` }),
    'the host': () => ({ url: 'http://{{secret.KEY}}.example/x' }),
    'a host after the user': () => ({
      url: `http://${new URL(shop).host}@${new URL(stranger).host}/x`,
      ...authorized,
    }),
    'another port': () => ({ url: 'http://127.0.0.1/x', ...authorized }),
  };

  it.each(Object.keys(places) as (keyof typeof places)[])(
    'is not sent in %s, for any key or visitor, and the note says what binds it',
    async (place) => {
      const design = fetching([places[place]()]);
      const id = await stored(design);
      const since = received.length;
      for (const version of [1, 2]) {
        for (const level of Object.keys(levels) as (keyof typeof levels)[]) {
          const { body } = await live(level, id, version);
          expect(body.requests).toMatchObject([{ result: 'failed' }]);
          expect(body.notes[0]).toContain('The secret KEY ');
          expect(body.notes[0]).toContain('set_secret {"name":"KEY"');
        }
      }
      await (await project.visit(await project.agentOf(design))).start();
      expect(received.slice(since)).toEqual([]);
      const problems = await project.problems(id, design);
      expect(problems).toContainEqual(
        expect.objectContaining({ message: expect.stringContaining('The secret "KEY" ') }),
      );
      expect((await project.activate(id, 2)).body.error).toMatchObject({ code: 'design_invalid' });
    },
  );
});

describe('a secret from before secrets were bound', () => {
  it('goes on in live versions for visitors and publishers, and nowhere else, until it is bound', async () => {
    await world.rows('update secrets set hosts = null');
    const design = fetching([{ url: `${shop}/plain`, ...authorized }]);
    const id = await stored(design);
    const isSent = async (play: () => Promise<unknown>) => {
      const since = received.length;
      await play();
      return received.length > since;
    };
    const visit = await project.visit(await project.agentOf(design));
    expect(await isSent(() => visit.start())).toBe(true);
    expect(await isSent(() => live('publish', id, 1))).toBe(true);
    expect(await isSent(() => live('publish', id, 2))).toBe(false);
    expect(await isSent(() => live('run', id, 1))).toBe(false);
    expect(await isSent(() => live('run', id, 2))).toBe(false);
    const list = await project.call('GET', `/v1/projects/${project.projectId}/secrets`);
    expect(list.body.secrets).toMatchObject([{ name: 'KEY', hosts: null }]);
    const overview = await project.call('GET', `/v1/projects/${project.projectId}/overview`);
    expect(JSON.stringify(overview.body)).toContain('The secret KEY is bound to no host');
    expect((await project.activate(id, 2)).body.error.code).toBe('design_invalid');
    await setSecret({ hosts: [new URL(shop).host] });
    expect(await isSent(() => live('publish', id, 2))).toBe(true);
    expect((await project.activate(id, 2)).status).toBe(200);
  });
});

it('covers every operation that plays a call for real', () => {
  const running = operations.filter(({ access, name }) => access === 'run' && !name.startsWith('create_'));
  // A flow names no secret of its own: its compiled design has none that a caller of the API could place.
  expect(running.map(({ name }) => name)).toEqual(['simulate_live', 'simulate_flow_live']);
});
