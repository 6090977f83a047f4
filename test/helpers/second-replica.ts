import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { readConfig } from '../../src/platform/config/config.ts';
import { GuessingThrottle } from '../../src/transports/auth/guessing.ts';
import { httpServer } from '../../src/transports/http/server.ts';
import { restApp } from '../../src/transports/rest/app.ts';
import { toolsets } from '../../tools/index.ts';
import { noOutbound, openTestCore, type World, type WorldOptions } from './world.ts';

/** Starts another server on the database of a world, with its own connections and caches. */
export async function openSecondReplica(
  { databaseUrl }: World,
  {
    rateLimits,
    outbound,
    trustedProxies = '',
  }: Pick<WorldOptions, 'rateLimits' | 'outbound' | 'trustedProxies'> = {},
) {
  const log = pino({ level: 'silent' });
  const core = await openTestCore(databaseUrl, {
    rateLimits,
    ...(outbound && { outbound: { ...noOutbound, ...outbound } }),
  });
  const config = readConfig({ PARLEY_TRUSTED_PROXIES: trustedProxies });
  const { runtime, authenticate } = core;
  let now = 0;
  // The clock advances by a minute at each failure, as in the world, so no client is slowed down.
  const throttle = new GuessingThrottle(() => (now += 60_000));
  const app = restApp({
    toolsets,
    runtime,
    authenticate,
    log,
    throttle,
    trustedProxies: config.trustedProxies,
  });
  const server = httpServer(app.callback(), log).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close(): Promise<void> {
      server.closeAllConnections();
      server.close();
      await core.close();
    },
  };
}
