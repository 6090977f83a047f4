import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openWorld, type RestAnswer, type Tenant, type World } from '../../helpers/world.ts';
import { rawRequest } from './raw-request.ts';

const limit = 262_144;

let world: World;
let tenant: Tenant;
let versionId: string;
beforeAll(async () => {
  world = await openWorld();
  tenant = await world.tenant();
  const { key, projectId } = tenant;
  const body = { name: 'F', flowSchema: {} };
  const { body: flow } = await world.rest('POST', `/v1/projects/${projectId}/flows`, { key, body });
  const { body: list } = await world.rest('GET', `/v1/flows/${flow.id}/versions`, { key });
  versionId = list.versions[0].id;
});
afterAll(() => world.close());

const json = { 'content-type': 'application/json' };

/** Sends a body unchanged. With `chunked`, it has no Content-Length. */
async function send(
  route: string,
  body: Uint8Array<ArrayBuffer> | string | undefined,
  headers: Record<string, string> = json,
  chunked = false,
): Promise<RestAnswer> {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const reply = await fetch(world.base + route, {
    method: 'POST',
    headers: { authorization: `Bearer ${tenant.key}`, ...headers },
    ...(bytes && { body: chunked ? new Blob([bytes]).stream() : bytes, duplex: 'half' }),
  });
  return { status: reply.status, body: await reply.json(), headers: reply.headers };
}

const create = (
  body: Uint8Array<ArrayBuffer> | string,
  headers?: Record<string, string>,
  chunked?: boolean,
) => send(`/v1/projects/${tenant.projectId}/flows`, body, headers, chunked);
const activate = (body?: string, headers: Record<string, string> = {}) =>
  send(`/v1/flow-versions/${versionId}/activate`, body, headers);

/** A valid body of exactly this many bytes. */
const padded = (bytes: number) => '{"name":"Flow","flowSchema":{}}'.padEnd(bytes, ' ');

/** One issue about the body as a whole. */
const wholeBody = {
  code: 'invalid_request',
  issues: [{ in: 'body', path: '', message: expect.stringMatching(/\S/) }],
};
const refusal = ({ status, body }: RestAnswer) => ({
  status,
  code: body.error?.code,
  issues: body.error?.details?.issues,
});

describe.each([
  ['a Content-Length', false],
  ['chunks', true],
])('a body of %s', (_, chunked) => {
  test('is accepted with 262,144 bytes and returns 413 with one more', async () => {
    expect((await create(padded(limit), json, chunked)).status).toBe(201);
    const { status, body, headers } = await create(padded(limit + 1), json, chunked);
    expect({ status, code: body.error.code }).toStrictEqual({ status: 413, code: 'payload_too_large' });
    expect(body.error.requestId).toBe(headers.get('x-request-id'));
  });
});

describe('a body that is far too large', () => {
  const head = () => [
    `POST /v1/projects/${tenant.projectId}/flows HTTP/1.1`,
    'Host: 127.0.0.1',
    `Authorization: Bearer ${tenant.key}`,
    'Content-Type: application/json',
  ];
  const expectRefused = ({ status, text }: { status: number; text: string }) => {
    expect(status).toBe(413);
    expect(JSON.parse(text).error.code).toBe('payload_too_large');
  };

  test('is refused by its Content-Length, even if the length wraps in 32 bits', async () => {
    for (const length of [limit + 1, 2 ** 32 + 7, 2 ** 40])
      expectRefused(await rawRequest(world.base, [...head(), `Content-Length: ${length}`]));
  });

  test('is refused as soon as it exceeds the limit, and the connection closes', async () => {
    function* endless() {
      for (;;) yield `4000\r\n${'a'.repeat(0x4000)}\r\n`;
    }
    expectRefused(await rawRequest(world.base, [...head(), 'Transfer-Encoding: chunked'], endless()));
  });

  test('returns 413 to a client that is still sending', async () => {
    for (let time = 0; time < 5; time++) {
      const answer = rawRequest(world.base, [...head(), 'Content-Length: 3000000'], ['a'.repeat(3_000_000)]);
      expectRefused(await answer);
    }
  });
});

describe('a body is refused as a whole', () => {
  test.each([
    ['malformed JSON', '{"name":'],
    ['two values', '{} {}'],
    ['a trailing comma', '{"name":"a",}'],
    ['single quotes', "{'name':'a'}"],
    ['NaN', '{"name":NaN}'],
    ['white space alone', ' \n '],
    ['a list', '[{"name":"a","flowSchema":{}}]'],
    ['a text', '"text"'],
    ['a number', '5'],
    ['null', 'null'],
    ['true', 'true'],
  ])('if it is %s', async (_, body) => {
    expect(refusal(await create(body))).toStrictEqual({ status: 400, ...wholeBody });
  });

  test.each([
    ['a byte that is not UTF-8', [0xff]],
    ['half a character', [0xc3]],
    ['an overlong form', [0xc0, 0xaf]],
    ['half a surrogate pair', [0xed, 0xa0, 0x80]],
  ])('if it contains %s', async (_, wrong) => {
    const bytes = new Uint8Array(
      Buffer.concat([Buffer.from('{"name":"'), Buffer.from(wrong), Buffer.from('","flowSchema":{}}')]),
    );
    expect(refusal(await create(bytes))).toStrictEqual({ status: 400, ...wholeBody });
  });

  test.each([
    'text/plain',
    'text/json',
    'application/jsonx',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/octet-stream',
    'json',
  ])('if its Content-Type is %s', async (type) => {
    expect(refusal(await create(padded(100), { 'content-type': type }))).toStrictEqual({
      status: 400,
      ...wholeBody,
    });
  });

  test('if it has a Content-Encoding, without inflating it', async () => {
    const packed = new Uint8Array(gzipSync(padded(100)));
    for (const encoding of ['gzip', 'GZIP', 'x-gzip', 'deflate', 'br', 'zstd', 'gzip, gzip', 'nonsense'])
      expect(refusal(await create(packed, { ...json, 'content-encoding': encoding }))).toStrictEqual({
        status: 400,
        ...wholeBody,
      });
    // Even if the bytes are plain JSON.
    expect(refusal(await create(padded(100), { ...json, 'content-encoding': 'gzip' }))).toStrictEqual({
      status: 400,
      ...wholeBody,
    });
    expect((await create(padded(100), { ...json, 'content-encoding': 'identity' })).status).toBe(201);
  });
});

test.each([
  'application/json',
  'Application/JSON',
  'application/json; charset=utf-8',
  'application/json;charset="UTF-8"',
])('accepts the Content-Type %s', async (type) => {
  expect((await create(padded(100), { 'content-type': type })).status).toBe(201);
});

describe('a POST without body members', () => {
  test('accepts an empty body or {} with any Content-Type', async () => {
    for (const body of [undefined, '', '{}', ' { } '])
      for (const headers of [
        {},
        json,
        { 'content-type': 'text/plain' },
        { 'content-type': 'nonsense' },
      ] as const)
        expect((await activate(body, { ...headers })).status, `${body} ${JSON.stringify(headers)}`).toBe(200);
  });

  test('refuses members', async () => {
    expect(
      refusal(await activate('{"x":1,"versionId":"y"}', { 'content-type': 'text/plain' })),
    ).toStrictEqual({
      status: 400,
      code: 'invalid_request',
      issues: ['/x', '/versionId'].map((path) => ({ in: 'body', path, message: expect.any(String) })),
    });
  });

  test('refuses a body that is not a JSON object or too large', async () => {
    for (const body of ['[]', 'null', '"x"', '{', 'x=1', '0'])
      expect(refusal(await activate(body))).toStrictEqual({ status: 400, ...wholeBody });
    expect((await activate(' '.repeat(limit + 1))).status).toBe(413);
  });
});

test('names the path of a member __proto__, and of what else is wrong', async () => {
  const text = '{"name":"F","flowSchema":{"x":{"__proto__":{"a":1},"y":"\\u0000"}}}';
  expect(refusal(await create(text))).toMatchObject({
    status: 400,
    issues: [{ path: expect.stringContaining('/flowSchema/x') }, { path: '/flowSchema/x/y' }],
  });
});

test('does not report missing members of a body that cannot be read', async () => {
  const { body } = await send(`/v1/projects/${tenant.projectId}/flows?x=1`, '{no');
  expect(
    body.error.details.issues.map(({ in: place, path }: { in: string; path: string }) => place + path),
  ).toStrictEqual(['body', 'querystring/x']);
});

test('GET and DELETE do not read a body', async () => {
  for (const [method, status] of [
    ['GET', 200],
    ['DELETE', 404],
  ] as const) {
    const route = method === 'GET' ? '/v1/projects' : '/v1/flows/cfl000000';
    const head = [
      `${method} ${route} HTTP/1.1`,
      'Host: 127.0.0.1',
      'Connection: close',
      `X-Api-Key: ${tenant.key}`,
    ];
    expect((await rawRequest(world.base, [...head, 'Content-Length: 5'], ['{"x":'])).status).toBe(status);
  }
});
