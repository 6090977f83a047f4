import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mintKey } from '../../../src/resources/keys/key.ts';
import { openWorld, type Tenant, type World } from '../../helpers/world.ts';

let world: World;
let tenant: Tenant;
let other: Tenant;
beforeAll(async () => {
  world = await openWorld();
  tenant = await world.tenant();
  other = await world.tenant();
});
afterAll(() => world.close());

type Headers = readonly (readonly [name: string, value: string])[];

/** Sends exactly these headers. A header may be repeated, which clients do not allow. */
function send(
  headers: Headers,
  route = '/v1/projects',
): Promise<{ status: number; challenge: unknown; body: string }> {
  const { hostname, port, host } = new URL(world.base);
  return new Promise((resolve, reject) => {
    const raw = ['Host', host, 'Connection', 'close', ...headers.flat()];
    const sent = request({ hostname, port, path: route, headers: raw, agent: false }, (reply) => {
      let body = '';
      reply.setEncoding('utf8').on('data', (part: string) => {
        body += part;
      });
      const challenge = reply.headers['www-authenticate'];
      reply.on('end', () => resolve({ status: reply.statusCode ?? 0, challenge, body }));
    });
    sent.on('error', reject).end();
  });
}

/** A key with one character changed, so that its checksum is wrong. */
const mistyped = (key: string) => key.slice(0, 20) + (key[20] === 'a' ? 'b' : 'a') + key.slice(21);

describe('a key is accepted', () => {
  test.each<[string, (key: string) => Headers]>([
    ['as Authorization: Bearer', (key) => [['Authorization', `Bearer ${key}`]]],
    ['as bearer', (key) => [['authorization', `bearer ${key}`]]],
    ['as BEARER', (key) => [['AUTHORIZATION', `BEARER ${key}`]]],
    ['as bEaReR and several spaces', (key) => [['Authorization', `bEaReR    ${key}`]]],
    ['as x-api-key', (key) => [['x-api-key', key]]],
    ['as X-API-KEY', (key) => [['X-API-KEY', key]]],
    [
      'in both headers',
      (key) => [
        ['Authorization', `Bearer ${key}`],
        ['x-api-key', key],
      ],
    ],
    [
      'as x-api-key beside Authorization of another scheme',
      (key) => [
        ['Authorization', 'Basic dXNlcjpwYXNzd29yZA=='],
        ['x-api-key', key],
      ],
    ],
    [
      'as x-api-key before an empty Authorization',
      (key) => [
        ['x-api-key', key],
        ['Authorization', ''],
      ],
    ],
    [
      'in Authorization twice',
      (key) => [
        ['Authorization', `Bearer ${key}`],
        ['Authorization', `bearer ${key}`],
      ],
    ],
    [
      'in x-api-key twice',
      (key) => [
        ['x-api-key', key],
        ['X-Api-Key', key],
      ],
    ],
  ])('%s', async (_, headersWith) => {
    const { status, body } = await send(headersWith(tenant.key));
    expect({ status, id: JSON.parse(body).projects[0].id }).toStrictEqual({
      status: 200,
      id: tenant.projectId,
    });
  });
});

describe('a request is refused', () => {
  test.each<[string, (key: string, second: string) => Headers]>([
    ['without a key', () => []],
    ['with an empty Authorization', () => [['Authorization', '']]],
    ['with an empty x-api-key', () => [['x-api-key', '']]],
    ['with Bearer alone', () => [['Authorization', 'Bearer']]],
    ['with the key alone in Authorization', (key) => [['Authorization', key]]],
    ['with Basic', (key) => [['Authorization', `Basic ${Buffer.from(`${key}:`).toString('base64')}`]]],
    ['with another scheme', (key) => [['Authorization', `Token ${key}`]]],
    ['with text after the key', (key) => [['Authorization', `Bearer ${key} x`]]],
    ['with two keys in one header', (key, second) => [['Authorization', `Bearer ${key}, Bearer ${second}`]]],
    ['with a key that has a wrong checksum', (key) => [['Authorization', `Bearer ${mistyped(key)}`]]],
    ['with a truncated key', (key) => [['x-api-key', key.slice(0, -1)]]],
    ['with a key that is too long', (key) => [['x-api-key', `${key}0`]]],
    ['with a key in another case', (key) => [['x-api-key', key.toUpperCase()]]],
    ['with a well-formed key that does not exist', () => [['x-api-key', mintKey('secret').text]]],
    ['with a very long text', () => [['x-api-key', 'k'.repeat(8000)]]],
    [
      'with the two keys of two projects',
      (key, second) => [
        ['Authorization', `Bearer ${key}`],
        ['x-api-key', second],
      ],
    ],
    [
      'with the two keys in the other order',
      (key, second) => [
        ['x-api-key', second],
        ['Authorization', `Bearer ${key}`],
      ],
    ],
    [
      'with two different Authorization headers',
      (key, second) => [
        ['Authorization', `Bearer ${key}`],
        ['Authorization', `Bearer ${second}`],
      ],
    ],
    [
      'with two different x-api-key headers',
      (key, second) => [
        ['x-api-key', key],
        ['x-api-key', second],
      ],
    ],
    [
      'with a valid key and an invalid one',
      (key) => [
        ['Authorization', `Bearer ${key}`],
        ['x-api-key', 'wrong'],
      ],
    ],
    [
      'with a valid key and Basic in two Authorization headers',
      (key) => [
        ['Authorization', `Bearer ${key}`],
        ['Authorization', 'Basic eDp5'],
      ],
    ],
    [
      'with a valid x-api-key and two Authorization headers of other schemes',
      (key) => [
        ['x-api-key', key],
        ['Authorization', 'Basic eDp5'],
        ['Authorization', 'Digest eDp5'],
      ],
    ],
    [
      'with a valid x-api-key and Bearer alone',
      (key) => [
        ['x-api-key', key],
        ['Authorization', 'Bearer'],
      ],
    ],
    [
      'with a valid key and an empty one',
      (key) => [
        ['Authorization', `Bearer ${key}`],
        ['x-api-key', ''],
      ],
    ],
  ])('%s', async (_, headersWith) => {
    const { status, challenge, body } = await send(headersWith(tenant.key, other.key));
    expect({ status, challenge, body: JSON.parse(body) }).toStrictEqual({
      status: 401,
      challenge: 'Bearer',
      body: {
        error: {
          code: 'unauthorized',
          message: 'The API key is missing, invalid or revoked.',
          requestId: expect.any(String),
        },
      },
    });
  });

  test('with a revoked key, with the same message', async () => {
    const { key, keyId } = await world.key(tenant.projectId);
    expect((await send([['x-api-key', key]])).status).toBe(200);
    await world.rows(`update api_keys set status = 'revoked' where id = $1`, [keyId]);
    const [revoked, missing] = [await send([['x-api-key', key]]), await send([])];
    const alike = ({ body, ...rest }: typeof revoked) => ({
      ...rest,
      ...JSON.parse(body).error,
      requestId: '',
    });
    expect(revoked.status).toBe(401);
    expect(alike(revoked)).toStrictEqual(alike(missing));
  });

  test('with the key in the query', async () => {
    for (const name of ['api_key', 'key', 'access_token', 'x-api-key'])
      expect((await send([], `/v1/projects?${name}=${tenant.key}`)).status).toBe(401);
  });
});

test('refuses a deleted key that was accepted before', async () => {
  const { key, keyId } = await world.key(tenant.projectId);
  expect((await send([['x-api-key', key]])).status).toBe(200);
  await world.rows('delete from api_keys where id = $1', [keyId]);
  expect((await send([['x-api-key', key]])).status).toBe(401);
  expect((await send([['x-api-key', key]], '/v1/flows/x')).status).toBe(401);
});

test('each key sees only its own project', async () => {
  const [mine, theirs] = [await send([['x-api-key', tenant.key]]), await send([['x-api-key', other.key]])];
  const idOf = ({ body }: typeof mine) => JSON.parse(body).projects.map(({ id }: { id: string }) => id);
  expect([idOf(mine), idOf(theirs)]).toStrictEqual([[tenant.projectId], [other.projectId]]);
});
