import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoKeyFor } from '../../src/transports/web/demo-key.ts';
import { reportMissing } from '../helpers/find-program.ts';
import { openWorld, type Tenant, type World } from '../helpers/world.ts';
import { findChromium, openChromium } from './chromium.ts';

const executable = findChromium();
if (executable === undefined)
  reportMissing('no Chromium on this machine, so nobody signs in to OAuth (apt-get install chromium)');

/** A client of the official SDK on this machine: it waits for the browser at an address of its own. */
async function openApp(mcpUrl: string, visit: (url: URL) => Promise<void>) {
  let arrived: (parameters: URLSearchParams) => void = () => undefined;
  const server = http.createServer((request, response) => {
    response.setHeader('content-type', 'text/html').end('<h1>Back in the app</h1>');
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    if (pathname === '/callback') arrived(searchParams);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const redirectUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;
  let verifier = '';
  let information: Awaited<ReturnType<OAuthClientProvider['clientInformation']>>;
  let tokens: Awaited<ReturnType<OAuthClientProvider['tokens']>>;
  const authProvider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: {
      client_name: 'The app of the test',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
    },
    clientInformation: () => information,
    saveClientInformation: (saved) => {
      information = saved;
    },
    tokens: () => tokens,
    saveTokens: (saved) => {
      tokens = saved;
    },
    redirectToAuthorization: visit,
    saveCodeVerifier: (saved) => {
      verifier = saved;
    },
    codeVerifier: () => verifier,
  };
  const newTransport = () => new StreamableHTTPClientTransport(new URL(mcpUrl), { authProvider });
  return {
    newTransport,
    tokens: () => tokens,
    /** Resolves with what the browser brings back. */
    callback: () =>
      new Promise<URLSearchParams>((resolve) => {
        arrived = resolve;
      }),
    close: () => server.close(),
  };
}

describe.skipIf(executable === undefined)('a person in Chromium', () => {
  let world: World;
  let tenant: Tenant;
  let browser: Browser;
  let page: Page;
  const violations: string[] = [];

  beforeAll(async () => {
    world = await openWorld({ pages: { demoKey: demoKeyFor(() => tenant.key) } });
    tenant = await world.tenant();
    browser = await openChromium(executable ?? '', ['unused.example 127.0.0.1']);
    page = await browser.newPage({ javaScriptEnabled: false });
    page.on('console', (message) => void violations.push(message.text()));
  });
  afterAll(async () => {
    await browser?.close();
    await world?.close();
  });

  test('lets a client of the official SDK in, without JavaScript, and steps up what it may do', async () => {
    const visits: string[] = [];
    const app = await openApp(`${world.base}/mcp`, async (url) => {
      visits.push(url.href);
      await page.goto(url.href);
    });
    const first = app.newTransport();
    const client = new Client({ name: 'app', version: '1' });
    await expect(client.connect(first)).rejects.toBeInstanceOf(UnauthorizedError);
    await page.getByRole('heading', { name: 'An app on your device asks for access to Parley' }).waitFor();
    expect(await page.getByText('The app of the test').count()).toBe(1);
    for (const name of ['Run', 'Draft', 'Publish']) await page.getByRole('checkbox', { name }).uncheck();
    await page.getByLabel('Your Parley key').fill(tenant.key);
    const back = app.callback();
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    await page.getByRole('heading', { name: 'Back in the app' }).waitFor();
    await first.finishAuth(await back);
    expect(app.tokens()?.scope).toBe('read');

    const second = app.newTransport();
    await client.connect(second);
    const { structuredContent } = await client.callTool({ name: 'list_projects', arguments: {} });
    expect(structuredContent).toMatchObject({ projects: [{ id: tenant.projectId }] });

    // The SDK asks for more by itself, once a call is refused for want of it.
    const input = { name: 'Night line', type: 'simple', flowSchema: {} };
    const more = app.callback();
    await expect(client.callTool({ name: 'create_flow', arguments: input })).rejects.toBeInstanceOf(
      UnauthorizedError,
    );
    expect(visits).toHaveLength(2);
    await page.getByRole('checkbox', { name: 'Draft' }).waitFor();
    expect(await page.getByRole('checkbox').count()).toBe(2);
    await page.getByRole('button', { name: "Allow with the demo's key" }).click();
    await page.getByRole('heading', { name: 'Back in the app' }).waitFor();
    await second.finishAuth(await more);
    const made = await client.callTool({ name: 'create_flow', arguments: input });
    expect(made.isError).toBeFalsy();
    await client.close();
    app.close();
    expect(violations).toEqual([]);
  });

  test('reads a page that axe finds nothing wrong with, and that no other page can frame', async () => {
    const app = await openApp(`${world.base}/mcp`, async (url) => {
      const context = await browser.newContext();
      const scripted = await context.newPage();
      for (const colorScheme of ['light', 'dark'] as const) {
        await scripted.emulateMedia({ colorScheme });
        await scripted.goto(url.href);
        await scripted.evaluate(axe.source);
        const found = await scripted.evaluate<{ violations: { id: string }[] }>('axe.run()');
        expect(found.violations.map(({ id }) => id)).toEqual([]);
      }
      const address = scripted.url();
      const framing = await context.newPage();
      await framing.goto(`${world.base}/healthz`);
      const frame = await framing.evaluate<boolean>(`new Promise((resolve) => {
        const element = document.createElement('iframe');
        element.src = ${JSON.stringify(address)};
        element.addEventListener('load', () => resolve(element.contentDocument?.title === 'Sign in to Parley'));
        document.body.append(element);
      })`);
      expect(frame).toBe(false);
      await context.close();
    });
    await expect(
      new Client({ name: 'app', version: '1' }).connect(app.newTransport()),
    ).rejects.toBeInstanceOf(UnauthorizedError);
    app.close();
  });
});
