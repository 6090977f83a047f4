import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reportMissing } from '../helpers/find-program.ts';
import { freePort, type ReplicaProcess, startReplica } from '../helpers/replica-process.ts';
import { openWebProject } from '../helpers/web-project.ts';
import { openWorld, type World } from '../helpers/world.ts';
import { findChromium } from './chromium.ts';
import {
  consoleOf,
  linesOf,
  openChat,
  openWebsite,
  quiet,
  receptionist,
  say,
  type Website,
  websiteOrigin,
} from './website.ts';

const executable = findChromium();
if (executable === undefined)
  reportMissing('no Chromium on this machine, so no chat outlives a server (apt-get install chromium)');

/** The moments at which a server dies: a message has arrived, its response has begun, or half of it has passed. */
const moments = ['received', 'begun to answer', 'half answered'] as const;
type Moment = (typeof moments)[number];

/** An HTTP proxy, which tells of each message that passes. */
interface Proxy {
  readonly base: string;
  /** Called for each moment of a message. Returns true if nothing more may pass. */
  onMessage: (moment: Moment) => Promise<boolean>;
  close(): void;
}

describe.skipIf(executable === undefined)('a chat in a page', () => {
  let world: World;
  let proxy: Proxy;
  let replica: ReplicaProcess;
  let website: Website;
  let start: () => Promise<ReplicaProcess>;
  beforeAll(async () => {
    world = await openWorld({ models: undefined });
    const port = await freePort();
    proxy = await openProxy(port);
    const { DATABASE_URL: databaseUrl, PARLEY_SECRET_KEY: secret } = world.environment;
    start = () =>
      startReplica(databaseUrl, {
        PORT: String(port),
        PARLEY_SECRET_KEY: secret,
        PARLEY_PUBLIC_URL: proxy.base,
      });
    replica = await start();
    const project = await openWebProject(world);
    const conversationId = await project.newConversation(receptionist);
    const webAgentId = await project.newWebAgent({ conversationId, allowedOrigins: [websiteOrigin] });
    website = await openWebsite(executable ?? '', proxy.base, {
      'data-web-agent': webAgentId,
      'data-key': project.publishableKey,
    });
  });
  afterAll(async () => {
    await website?.close();
    await replica?.kill();
    proxy?.close();
    await world?.close();
  });

  test.each(moments)('goes on after its server is killed once it has %s a message', async (deadly) => {
    const undisturbed = await website.visit();
    await openChat(undisturbed);
    await say(undisturbed, 'I want to leave a message');
    const lines = await linesOf(undisturbed);
    expect(lines).toHaveLength(4);

    const page = await website.visit();
    await openChat(page);
    let killed: Promise<void> | undefined;
    proxy.onMessage = async (moment) => {
      if (moment !== deadly || killed) return false;
      // If the connection ends before the browser has read this half, it shows nothing of it.
      const [, , reply] = lines;
      if (deadly === 'half answered') await expect.poll(() => linesOf(page)).toContain(reply);
      killed = replica.kill();
      await killed;
      return true;
    };
    await page.locator('textarea').fill('I want to leave a message');
    await page.keyboard.press('Enter');
    await page.getByText('Connection lost. Reconnecting…').waitFor();
    await page.locator('textarea').fill('Amina Sy, +12025550199, please call me back');
    await page.keyboard.press('Enter');
    await killed;
    replica = await start();
    await quiet(page);
    const seen = await linesOf(page);
    expect(seen.slice(0, lines.length)).toEqual(lines);
    expect(seen[lines.length]).toContain('Amina Sy');
    expect(seen.length).toBeGreaterThan(lines.length + 1);
    // The server has stored the same, once.
    await page.reload();
    await quiet(page);
    expect(await linesOf(page)).toEqual(seen);
    expect(consoleOf.get(page)).toEqual([]);
  });
});

/** Passes requests on to a port of this machine, and cuts them if nothing more may pass, or if the server dies. */
async function openProxy(port: number): Promise<Proxy> {
  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    const { method, headers, url: path } = request;
    const isMessage = method === 'POST' && path?.endsWith('/messages') === true;
    const isCut = async (moment: Moment) => isMessage && (await proxy.onMessage(moment));
    const outgoing = request.pipe(http.request({ port, method, headers, path, agent: false }));
    outgoing.on('error', () => response.destroy());
    const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>;
    // The server may die while nothing waits for its response.
    answered.catch(() => response.destroy());
    await once(request, 'end');
    if (await isCut('received')) {
      response.destroy();
      await Promise.allSettled([answered]);
      return;
    }
    const [incoming] = await answered;
    incoming.on('error', () => response.destroy());
    if (await isCut('begun to answer')) response.destroy();
    else if (isMessage) {
      const events = await text(incoming);
      response.writeHead(incoming.statusCode ?? 500, incoming.headers);
      const half = events.indexOf('\n\n', events.indexOf('event: say')) + 2;
      response.write(events.slice(0, half));
      if (await isCut('half answered')) response.destroy();
      else response.end(events.slice(half));
    } else await pipeline(incoming, response.writeHead(incoming.statusCode ?? 500, incoming.headers));
  };
  const server = http.createServer((request, response) => {
    // The server or the page has gone.
    pass(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: own } = server.address() as AddressInfo;
  const proxy: Proxy = {
    base: `http://127.0.0.1:${own}`,
    onMessage: async () => false,
    close: () => server.close(),
  };
  return proxy;
}
