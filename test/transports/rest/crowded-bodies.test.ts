import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openWorld, type Tenant, type World } from '../../helpers/world.ts';

let world: World;
let tenant: Tenant;
let conversation: string;
beforeAll(async () => {
  world = await openWorld();
  tenant = await world.tenant();
  const body = { name: 'Reception' };
  const route = `/v1/projects/${tenant.projectId}/conversations`;
  conversation = (await world.rest('POST', route, { key: tenant.key, body })).body.id;
});
afterAll(() => world.close());

const post = (route: string, body: unknown) => world.rest('POST', route, { key: tenant.key, body });
const createFlow = (body: unknown) => post(`/v1/projects/${tenant.projectId}/flows`, body);

describe('a body of more than 256 KiB', () => {
  /** Returns the text of a chat with this many JSON values and at least 300,000 bytes. */
  const chat = (values: number) => {
    // The object, its model, the messages and one message with its two members.
    const stop = `[${'0,'.repeat(values - 8)}0]`;
    const content = `"${'[{,\\",'.repeat(60_000)}"`;
    return `{"model":"auto","messages":[{"role":"user","content":${content}}],"stop":${stop}}`;
  };

  test('may hold 131,072 JSON values', async () => {
    expect((await post('/v1/chat/completions', chat(131_072))).status).toBe(200);
  });

  test('returns 413 with one more, before it is parsed', async () => {
    for (const text of [chat(131_073), `{"messages":[${'{},'.repeat(200_000)}`]) {
      const { status, body } = await post('/v1/chat/completions', text);
      expect({ status, ...body.error }).toMatchObject({
        status: 413,
        code: 'payload_too_large',
        message: 'The request holds more than 131072 JSON values.',
      });
    }
  });

  test('leaves the connection usable for the next client', async () => {
    await post('/v1/chat/completions', chat(200_000));
    expect((await world.rest('GET', '/healthz')).status).toBe(200);
  });
});

describe('a crowd of problems ends at 100 issues', () => {
  const many = <Item>(item: Item, length = 20_000) => Array.from({ length }, () => item);
  const members = <Item>(item: Item, length?: number) =>
    Object.fromEntries(many(item, length).map((one, n) => [`m${n}`, one]));

  test.each([
    ['unknown members of a body', () => createFlow(members(0))],
    ['items of a flow', () => createFlow({ name: 'F', flowSchema: { faq: many({}) } })],
    [
      'edges to nowhere',
      () => createFlow({ name: 'F', type: 'graph', flowSchema: { edges: many({ id: '' }) } }),
    ],
    [
      'steps of a design',
      () =>
        post(`/v1/conversations/${conversation}/versions`, {
          design: { schemaVersion: 'cd/1', entry: { stepId: 'a' }, steps: members(0) },
        }),
    ],
    [
      'steps that an edit adds',
      () =>
        world.rest('PATCH', `/v1/conversations/${conversation}/versions/1/design`, {
          key: tenant.key,
          body: { merge: { steps: members(0) } },
        }),
    ],
  ])('from %s', async (_, call) => {
    const { status, body } = await call();
    expect([400, 422]).toContain(status);
    expect(body.error.details.issues).toHaveLength(100);
  });

  test('from messages of a chat', async () => {
    const { status, body } = await post('/v1/chat/completions', { model: 'auto', messages: many({}) });
    expect(status).toBe(422);
    expect(body.detail).toHaveLength(100);
  });

  const designWith = (steps: object, rest: object = {}) => ({
    schemaVersion: 'cd/1',
    entry: { stepId: 'end' },
    steps: { end: { kind: 'end' }, ...steps },
    ...rest,
  });
  const written = (design: object) => post(`/v1/conversations/${conversation}/versions`, { design });
  const validated = async (design: object) =>
    (await post(`/v1/conversations/${conversation}/designs/validate`, { design })).body;

  test('from the lines of a design that disclose nothing', async () => {
    const greeting = { kind: 'greeting', introLine: 'I am Anna.', on: { next: 'end' } };
    const { status, body } = await written(designWith(members(greeting, 2_000)));
    expect({ status, code: body.error.code }).toStrictEqual({ status: 422, code: 'ai_disclosure_required' });
    expect(body.error.details.issues).toHaveLength(100);
    expect(body.error.message).toContain('at least 99 more');
  });

  test('from the warnings of a valid design', async () => {
    const { valid, problems } = await validated(designWith(members({ kind: 'end' }, 2_000)));
    expect({ valid, count: problems.length }).toStrictEqual({ valid: true, count: 100 });
  });

  test('from warnings, which hide no error', async () => {
    const nodes = Object.fromEntries(
      Array.from({ length: 300 }, (_, n) => [
        `n${n}`,
        { id: `n${n}`, next: n < 299 ? {} : { hookNode: 'nowhere' } },
      ]),
    );
    const design = designWith({}, { hooks: { before: { nodes } } });
    expect((await written(design)).body.error.details.issues).toHaveLength(1);
    expect((await validated(design)).valid).toBe(false);
  });

  test('from a design to validate', async () => {
    const design = { schemaVersion: 'cd/1', entry: { stepId: 'a' }, steps: members({}) };
    const { body } = await post(`/v1/conversations/${conversation}/designs/validate`, { design });
    expect(body.problems).toHaveLength(100);
  });
});

test('checks the length of a list before its items, and reports what else is wrong', async () => {
  const { status, body } = await post('/v1/voices', {
    name: 7,
    gender: 'female',
    referenceAudioBase64: 'AAAA',
    referenceTranscript: 'Hello.',
    languages: Array.from({ length: 20_000 }, () => 0),
    vibeTags: [0],
  });
  expect(status).toBe(422);
  const issues = body.detail.map(({ loc, msg }: { loc: unknown[]; msg: string }) => [loc.join('/'), msg]);
  expect(issues.toSorted()).toStrictEqual([
    ['body/languages', 'Expected at most 1000 items.'],
    ['body/name', 'Expected string.'],
    ['body/vibeTags/0', 'Expected string.'],
  ]);
});

test('reports the other problems of a body around a list in the place of an object', async () => {
  const design = {
    schemaVersion: 'cd/2',
    entry: {},
    steps: Array.from({ length: 20_000 }, () => 0),
    layout: { a: 1 },
  };
  const { body } = await post(`/v1/conversations/${conversation}/designs/validate`, { design });
  expect(body.problems.map(({ path }: { path: string }) => path).toSorted()).toStrictEqual([
    '/entry/stepId',
    '/layout/a',
    '/schemaVersion',
    '/steps',
  ]);
});

test('repeats long names in few issues', async () => {
  const members = Object.fromEntries(['x', 'y', 'z'].map((letter) => [letter.repeat(60_000), 0]));
  const { status, body } = await createFlow({ name: 'F', flowSchema: {}, ...members });
  expect(status).toBe(400);
  expect(body.error.details.issues).toHaveLength(1);
});
