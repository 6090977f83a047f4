import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { httpServer } from '../../../src/transports/http/server.ts';
import { openConnection, request } from './raw-server.ts';

test('does not wait for a keep-alive connection whose response had begun before the stop', async () => {
  const begun = Promise.withResolvers<ServerResponse>();
  const server = httpServer(
    (_request, response) => {
      response.write('begun');
      begun.resolve(response);
    },
    pino({ level: 'silent' }),
  ).listen(0, '127.0.0.1');
  onTestFinished(() => server.closeAllConnections());
  await once(server, 'listening');
  const client = await openConnection((server.address() as AddressInfo).port);
  client.resume().write(request(0));
  const silent = (await openConnection((server.address() as AddressInfo).port)).resume();
  const response = await begun.promise;
  const cutAfter = 60_000;
  const drained = server.drain({ grace: 0, limit: cutAfter }).then(() => 'drained');
  // The stop has begun to close the connections that owe no response.
  await once(silent, 'close');
  response.end('ended');
  const late = new Promise((resolve) => setTimeout(resolve, 10_000, 'waits').unref());
  expect(await Promise.race([drained, late])).toBe('drained');
});
