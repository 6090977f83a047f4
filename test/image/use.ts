import { setTimeout as delay } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const patience = 30_000;

/**
 * Waits until a server is healthy. Returns the body of /healthz.
 * @throws if the server ends first, or is not healthy within `patience`
 */
export async function health(base: string, ended: Promise<unknown>): Promise<Record<string, unknown>> {
  const gone = ended.then((outcome) => {
    throw new Error(`the server ended: ${JSON.stringify(outcome)}`);
  });
  const answered = async () => {
    for (const deadline = performance.now() + patience; performance.now() < deadline; await delay(20)) {
      const reply = await fetch(`${base}/healthz`).catch(() => undefined);
      if (reply?.status === 200) return (await reply.json()) as Record<string, unknown>;
    }
    throw new Error('the server did not become healthy');
  };
  return Promise.race([answered(), gone]);
}

/** Lists flows over REST. Returns the status and the text of the response. */
export async function listFlows(base: string, { projectId, key }: { projectId: string; key: string }) {
  const headers = { authorization: `Bearer ${key}` };
  const reply = await fetch(`${base}/v1/projects/${projectId}/flows`, { headers });
  return { status: reply.status, body: await reply.text() };
}

/** Starts `parley mcp` and lists its tools with the official client, over stdio. */
export async function toolsOf(start: {
  command: string;
  args: string[];
  env: Record<string, string>;
  cwd?: string;
}): Promise<{ name: string }[]> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StdioClientTransport({ ...start, stderr: 'inherit' }));
  const { tools } = await client.listTools();
  await client.close();
  return tools;
}

/** A file for browsers, as a server sends it. */
export interface WebFile {
  readonly path: string;
  readonly status: number;
  readonly type: string | null;
}

/** Loads the Studio, the page to try the widget on, and the widget, with every file that the pages name. */
export async function webFiles(base: string): Promise<WebFile[]> {
  const load = async (path: string) => {
    const response = await fetch(base + path, { headers: { accept: 'text/html,*/*' } });
    const file: WebFile = { path, status: response.status, type: response.headers.get('content-type') };
    return { file, text: await response.text() };
  };
  const pages = await Promise.all(['/', '/widget'].map(load));
  const named = pages.flatMap(({ text }) =>
    [...text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path = '']) => path),
  );
  const files = await Promise.all([...new Set(named), '/widget.js'].map(load));
  return [...pages, ...files].map(({ file }) => file);
}
