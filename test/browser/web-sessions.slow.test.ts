import { once } from 'node:events';
import http, { type Server } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { reportMissing } from '../helpers/find-program.ts';
import { claimsOf, openWebProject, type WebProject } from '../helpers/web-project.ts';
import { openWorld, type World } from '../helpers/world.ts';
import { certificate } from './certificate.ts';
import { findChromium, openChromium } from './chromium.ts';

const executable = findChromium();
if (executable === undefined)
  reportMissing('no Chromium on this machine, so no real page calls the API (apt-get install chromium)');

/** A request of a page to the API. `path` is `/v1/web-sessions` by default. */
interface PageRequest {
  readonly key: string;
  readonly body?: string;
  readonly method?: string;
  readonly path?: string;
}

/** What a page can read of the response. */
interface Seen {
  readonly status?: number;
  readonly requestId?: string | null;
  readonly body?: ReturnType<typeof JSON.parse>;
  /** The reason if the page cannot read it. */
  readonly failed?: string;
}

describe.skipIf(executable === undefined)('a page in Chromium', () => {
  let world: World;
  let project: WebProject;
  let browser: Browser;
  let servers: Server[];
  let webAgentId: string;
  beforeAll(async () => {
    world = await openWorld();
    project = await openWebProject(world);
    webAgentId = await project.newWebAgent({
      allowedOrigins: ['http://shop.example', 'https://*.sunny.example'],
    });
    servers = [http.createServer(servePage), https.createServer(certificate, servePage)];
    const [plain, secure] = await Promise.all(servers.map(listening));
    browser = await openChromium(executable ?? '', [
      `shop.example:80 127.0.0.1:${plain}`,
      `evil.example:80 127.0.0.1:${plain}`,
      `www.sunny.example:443 127.0.0.1:${secure}`,
      `sunny.example:443 127.0.0.1:${secure}`,
      `evil-sunny.example:443 127.0.0.1:${secure}`,
    ]);
  });
  afterAll(async () => {
    await browser?.close();
    for (const server of servers ?? []) server.close();
    await world?.close();
  });

  /** Opens a page of this origin and sends a request to the API, which has another origin. */
  async function send(
    origin: string,
    { key, body, method = 'POST', path = '/v1/web-sessions' }: PageRequest,
  ) {
    const page = await browser.newPage();
    try {
      await page.goto(`${origin}/`);
      const request = {
        url: world.base + path,
        init: {
          method,
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          ...(body !== undefined && { body }),
        },
      };
      return await page.evaluate(async ({ url, init }): Promise<Seen> => {
        try {
          const answer = await fetch(url, init);
          const requestId = answer.headers.get('x-request-id');
          return { status: answer.status, requestId, body: await answer.json() };
        } catch (error) {
          return { failed: String(error) };
        }
      }, request);
    } finally {
      await page.close();
    }
  }
  const start = (origin: string, body: object = { webAgentId }) =>
    send(origin, { key: project.publishableKey, body: JSON.stringify(body) });

  test.each(['http://shop.example', 'https://www.sunny.example'])(
    'of the allowed origin %s starts a session',
    async (origin) => {
      const { failed, status, body, requestId } = await start(origin);
      expect({ failed, status }).toStrictEqual({ failed: undefined, status: 201 });
      expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
      const { video } = await claimsOf({ status: 201, headers: new Headers(), body });
      expect(video).toMatchObject({ roomJoin: true });
    },
  );

  test.each(['http://evil.example', 'https://sunny.example', 'https://evil-sunny.example'])(
    'of the origin %s is refused, and can read why',
    async (origin) => {
      const { failed, status, body, requestId } = await start(origin);
      expect({ failed, status }).toStrictEqual({ failed: undefined, status: 403 });
      expect(body.error.code).toBe('forbidden');
      expect(requestId).toBe(body.error.requestId);
    },
  );

  test('can read every other error', async () => {
    const origin = 'http://shop.example';
    const { key } = project;
    const refusals: [status: number, code: string, seen: Seen][] = [
      [401, 'unauthorized', await send(origin, { key: 'wrong', body: '{}' })],
      [400, 'invalid_request', await send(origin, { key, body: '{' })],
      [400, 'invalid_request', await start(origin, { webAgentId, mode: 'video' })],
      [404, 'not_found', await start(origin, { webAgentId: project.projectId })],
      [413, 'payload_too_large', await send(origin, { key, body: ' '.repeat(300_000) })],
    ];
    for (const [status, code, seen] of refusals) {
      expect(seen.failed).toBeUndefined();
      expect({ status: seen.status, code: seen.body.error.code }).toStrictEqual({ status, code });
      expect(seen.requestId).toBe(seen.body.error.requestId);
    }
  });

  test('cannot read any other operation, with any key', async () => {
    const { key } = project;
    for (const path of ['/v1/projects', `/v1/web-sessions/agents/${webAgentId}`])
      expect(await send('http://shop.example', { key, method: 'GET', path })).toStrictEqual({
        failed: 'TypeError: Failed to fetch',
      });
  });
});

function servePage(_request: http.IncomingMessage, response: http.ServerResponse): void {
  response.setHeader('content-type', 'text/html').end('<!doctype html><title>A website</title>');
}

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
