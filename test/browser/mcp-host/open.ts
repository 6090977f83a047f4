import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Browser, BrowserContextOptions, FrameLocator, Page } from 'playwright-core';
import { rolldown } from 'rolldown';

/** A host of MCP Apps that a test runs in a browser, with the bridge of the extension's own library. */
export interface McpHost {
  /** Calls a tool as the model of the host would, and shows its page next to the result. */
  show(call: HostCall): Promise<ShownApp>;
  /** The HTML of the app. */
  readonly view: string;
  close(): Promise<void>;
}

interface HostCall {
  readonly key: string;
  readonly tool: string;
  readonly arguments: Record<string, unknown>;
  readonly theme?: 'light' | 'dark';
  /** False if the host passes on no resources. */
  readonly resources?: boolean;
  readonly browser?: BrowserContextOptions;
}

/** The page of an app in its host. */
export interface ShownApp {
  /** The page of the host. */
  readonly page: Page;
  readonly app: FrameLocator;
  /** Errors of the console and of scripts, and violations of the Content-Security-Policy. */
  readonly errors: string[];
  close(): Promise<void>;
}

/** What a host must allow a page that declares no domains (SEP-1865, Host Behavior). */
const policy = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "media-src 'self' data:",
  "connect-src 'none'",
].join('; ');

/**
 * Serves the host.
 * @param server the address of Parley
 * @param key a key of Parley, with which the host reads the app
 */
export async function openMcpHost(browser: Browser, server: string, key: string): Promise<McpHost> {
  const [script, view] = await Promise.all([bundledPage(), readView(server, key)]);
  const documents: Readonly<Record<string, string>> = {
    '/': `<!doctype html><html lang="en"><title>A host</title><link rel="icon" href="data:,"><meta name="viewport" content="width=device-width">
      <style>body { margin: 0; } iframe { display: block; width: 100%; height: 200px; border: 0; }</style>
      <main><iframe title="Parley" sandbox="allow-scripts"></iframe></main>
      <script type="module" src="/page.js"></script></html>`,
    '/page.js': script,
    '/view': view,
  };
  const pages = http.createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', server);
    response.setHeader('content-type', pathname.endsWith('.js') ? 'text/javascript' : 'text/html');
    if (pathname === '/view') response.setHeader('content-security-policy', policy);
    const document = documents[pathname];
    if (document === undefined) response.statusCode = 404;
    response.end(document);
  });
  pages.listen(0, '127.0.0.1');
  await once(pages, 'listening');
  const base = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
  return {
    view,
    async show({ browser: options = {}, resources = true, ...call }) {
      const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
      const page = await context.newPage();
      page.setDefaultTimeout(15_000);
      const errors: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') errors.push(message.text());
      });
      page.on('pageerror', (error) => errors.push(error.message));
      page.on('request', (request) => {
        if (request.frame() !== page.mainFrame() && request.url() !== `${base}/view`)
          errors.push(`The app requested ${request.url()}`);
      });
      await page.goto(`${base}/?wish=${encodeURIComponent(JSON.stringify({ ...call, resources, server }))}`);
      return { page, errors, app: page.frameLocator('iframe'), close: () => context.close() };
    },
    async close() {
      pages.closeAllConnections();
      pages.close();
    },
  };
}

async function readView(server: string, key: string): Promise<string> {
  const client = new Client({ name: 'test host', version: '1' });
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server}/mcp`), { requestInit }));
  const { contents } = await client.readResource({ uri: 'ui://parley/design' });
  await client.close();
  const [content] = contents;
  if (!content || !('text' in content)) throw new Error('the server has no app');
  return content.text;
}

async function bundledPage(): Promise<string> {
  const bundle = await rolldown({
    input: path.join(import.meta.dirname, 'page.ts'),
    platform: 'browser',
    logLevel: 'warn',
  });
  const { output } = await bundle.generate({ format: 'es', codeSplitting: false });
  await bundle.close();
  return output[0].code;
}
