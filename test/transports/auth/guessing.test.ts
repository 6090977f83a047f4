import { afterAll, beforeAll, expect, test } from 'vitest';
import { mintKey } from '../../../src/resources/keys/key.ts';
import { GuessingThrottle } from '../../../src/transports/auth/guessing.ts';
import { openWorld, type Tenant, type World } from '../../helpers/world.ts';

const minute = 60_000;
let now = 0;

function throttle(): GuessingThrottle {
  now = 1_000_000;
  return new GuessingThrottle(() => now);
}

function refuse(guessing: GuessingThrottle, address: string, times: number): number[] {
  return Array.from({ length: times }, () => guessing.refused(address));
}

test('delays refusals by a second after the twentieth in a minute from one address', () => {
  const guessing = throttle();
  expect(refuse(guessing, 'a', 20)).toEqual(Array.from({ length: 20 }, () => 0));
  expect(refuse(guessing, 'a', 3)).toEqual([1000, 1000, 1000]);
  expect(guessing.refused('b')).toBe(0);
});

test('counts the minute from the first refusal, and starts again after it', () => {
  const guessing = throttle();
  refuse(guessing, 'a', 20);
  now += minute - 1;
  expect(guessing.refused('a')).toBe(1000);
  now += 1;
  expect(refuse(guessing, 'a', 21)).toEqual([...Array.from({ length: 20 }, () => 0), 1000]);
});

test('remembers ten thousand addresses, and forgets the one that was quiet longest for one more', () => {
  const guessing = throttle();
  refuse(guessing, 'quiet', 20);
  refuse(guessing, 'busy', 20);
  for (let other = 0; other < 9_998; other++) guessing.refused(`other ${other}`);
  expect(guessing.refused('busy')).toBe(1000);
  guessing.refused('one more');
  expect(guessing.refused('busy')).toBe(1000);
  expect(guessing.refused('quiet')).toBe(0);
});

test('forgets none of ten thousand addresses', () => {
  const guessing = throttle();
  refuse(guessing, 'first', 20);
  for (let other = 0; other < 9_999; other++) guessing.refused(`other ${other}`);
  expect(guessing.refused('first')).toBe(1000);
});

let world: World;
let tenant: Tenant;

beforeAll(async () => {
  world = await openWorld({ throttle: new GuessingThrottle() });
  tenant = await world.tenant();
});
afterAll(() => world.close());

test('the server slows every kind of refused key, and no accepted key from the same address', async () => {
  const revoked = await world.key(tenant.projectId);
  await world.rest('POST', `/v1/keys/${revoked.keyId}/revoke`, { key: tenant.key });
  const kinds = [undefined, 'parley_sk_malformed', mintKey('secret').text, revoked.key];
  const refusal = async (key: string | undefined) => {
    const began = performance.now();
    const { status } = await world.rest('GET', '/v1/projects', { key });
    return { status, milliseconds: performance.now() - began };
  };

  for (let round = 0; round < 5; round++)
    for (const kind of kinds) {
      const { status, milliseconds } = await refusal(kind);
      expect(status).toBe(401);
      expect(milliseconds).toBeLessThan(900);
    }

  let pending = kinds.length;
  const slowed = kinds.map((kind) => refusal(kind).finally(() => pending--));
  for (let call = 0; call < 5; call++)
    expect((await world.rest('GET', '/v1/projects', { key: tenant.key })).status).toBe(200);
  expect(pending).toBe(kinds.length);

  for (const { status, milliseconds } of await Promise.all(slowed)) {
    expect(status).toBe(401);
    expect(milliseconds).toBeGreaterThan(900);
    expect(milliseconds).toBeLessThan(3000);
  }
});
