import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { Core } from '../../../src/core/core.ts';
import { KeyUse } from '../../../src/resources/keys/use-store.ts';
import { openTestCore, openWorld, type Tenant, type World } from '../../helpers/world.ts';

let world: World;
let tenant: Tenant;
/** A second core for the units below, so that their flushes do not mix with the server's. */
let core: Core;

function failed(error: unknown): never {
  throw error;
}

beforeAll(async () => {
  world = await openWorld();
  tenant = await world.tenant();
  core = await openTestCore(world.databaseUrl);
  await core.knex.raw(`
    create table updates (number bigint generated always as identity);
    create function count_update() returns trigger language plpgsql as $$
      begin insert into updates default values; return null; end $$;
    create trigger count_updates after update on api_keys for each statement execute function count_update()`);
});
afterEach(() => {
  vi.useRealTimers();
});
afterAll(async () => {
  await core.close();
  await world.close();
});

async function updates(): Promise<number> {
  const [row] = await world.rows('select count(*)::int as count from updates');
  return Number(row?.['count']);
}

async function lastUsed(keyId: string): Promise<string | undefined> {
  const [row] = await world.rows('select last_used_at as at from api_keys where id = $1', [keyId]);
  return (row?.['at'] as Date | null)?.toISOString();
}

test('five hundred requests cause no update each, and closing writes the last use', async () => {
  const before = await updates();
  const server = await openTestCore(world.databaseUrl);
  const caller = await server.authenticate(tenant.key);
  const began = Date.now();
  for (let round = 0; round < 10; round++)
    await Promise.all(Array.from({ length: 50 }, () => server.runtime.keyStatus(caller)));
  const ended = Date.now();
  expect(await updates()).toBeLessThanOrEqual(before + Math.floor((ended - began) / 5000));
  await server.close();
  expect(await updates()).toBeLessThanOrEqual(before + 1 + Math.floor((ended - began) / 5000));

  const at = Date.parse((await lastUsed(tenant.keyId)) ?? '');
  expect(at).toBeGreaterThanOrEqual(began);
  expect(at).toBeLessThanOrEqual(ended);
});

test('a request writes nothing, and lastUsedAt shows it within seconds', async () => {
  const { keyId, key } = await world.key(tenant.projectId);
  const before = await updates();
  const began = Date.now();
  for (let round = 0; round < 10; round++)
    await Promise.all(Array.from({ length: 50 }, () => world.rest('GET', '/v1/projects', { key })));
  expect(await updates()).toBeLessThanOrEqual(before + 1 + Math.floor((Date.now() - began) / 5000));

  const lastUsedAt = await vi.waitFor(
    async () => {
      const { body } = await world.rest('GET', `/v1/projects/${tenant.projectId}/keys`, { key: tenant.key });
      const shown = body.keys.find(({ id }: { id: string }) => id === keyId).lastUsedAt;
      expect(shown).not.toBeNull();
      return shown as string;
    },
    { timeout: 9000, interval: 100 },
  );
  expect(Date.parse(lastUsedAt)).toBeGreaterThanOrEqual(began);
  expect(Date.parse(lastUsedAt)).toBeLessThanOrEqual(Date.now());
});

test('a request that is refused for its key does not count as a use', async () => {
  const { keyId, key } = await world.key(tenant.projectId);
  await world.rest('POST', `/v1/keys/${keyId}/revoke`, { key: tenant.key });
  const server = await openTestCore(world.databaseUrl);
  await server.runtime.keyStatus(await server.authenticate(key));
  await server.close();
  expect(await lastUsed(keyId)).toBeUndefined();
});

test('a use is written five seconds later, with all others of that time in one statement', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  vi.setSystemTime('2030-01-01T00:00:00.000Z');
  const keys = await Promise.all(Array.from({ length: 50 }, () => world.key(tenant.projectId)));
  const ids = keys.map(({ keyId }) => keyId);
  const before = await updates();
  const use = new KeyUse(core.knex, failed);
  for (const [index, id] of ids.entries()) {
    use.note(tenant.projectId, id);
    if (index === 0) vi.advanceTimersByTime(1000);
  }
  use.note(tenant.projectId, ids[0] ?? '');
  vi.advanceTimersByTime(3999);
  expect(await lastUsed(ids[0] ?? '')).toBeUndefined();
  vi.advanceTimersByTime(1);
  vi.useRealTimers();
  await vi.waitFor(async () => expect(await updates()).toBe(before + 1));
  await use.close();
  expect(await updates()).toBe(before + 1);
  expect(await lastUsed(ids[0] ?? '')).toBe('2030-01-01T00:00:01.000Z');
  expect(await lastUsed(ids[49] ?? '')).toBe('2030-01-01T00:00:01.000Z');
});

test('lastUsedAt never goes back, whichever of two replicas writes last', async () => {
  const { keyId } = await world.key(tenant.projectId);
  const [early, late] = [new KeyUse(core.knex, failed), new KeyUse(core.knex, failed)];
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime('2031-01-01T00:00:00.000Z');
  early.note(tenant.projectId, keyId);
  vi.setSystemTime('2031-01-01T00:00:04.000Z');
  late.note(tenant.projectId, keyId);
  vi.useRealTimers();
  await late.close();
  expect(await lastUsed(keyId)).toBe('2031-01-01T00:00:04.000Z');
  await early.close();
  expect(await lastUsed(keyId)).toBe('2031-01-01T00:00:04.000Z');
});

test('replicas that write the same keys in different orders do not block each other', async () => {
  const keys = await Promise.all(Array.from({ length: 200 }, () => world.key(tenant.projectId)));
  const told = vi.fn<(error: unknown) => void>();
  for (let round = 0; round < 10; round++)
    await Promise.all(
      [keys, keys.toReversed()].map((order) => {
        const use = new KeyUse(core.knex, told);
        for (const { keyId } of order) use.note(tenant.projectId, keyId);
        return use.close();
      }),
    );
  expect(told).not.toHaveBeenCalled();
});

test('a failed write is reported, and the next one succeeds', async () => {
  const told = vi.fn<(error: unknown) => void>();
  const { keyId } = await world.key(tenant.projectId);
  vi.spyOn(core.knex, 'raw').mockRejectedValueOnce(new Error('the database is down'));
  const use = new KeyUse(core.knex, told);
  use.note(tenant.projectId, keyId);
  await use.close();
  expect(told).toHaveBeenCalledExactlyOnceWith(new Error('the database is down'));
  use.note(tenant.projectId, keyId);
  await use.close();
  expect(await lastUsed(keyId)).toBeDefined();
});
