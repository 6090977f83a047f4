import { createServer } from 'node:http';
import { expect, onTestFinished, test, vi } from 'vitest';
import { cloneDatabase } from '../helpers/database.ts';
import { freePort, newHome, parley, start } from '../helpers/parley.ts';

const deadline = { timeout: 15_000, interval: 20 };

async function environment() {
  const { url, drop } = await cloneDatabase();
  onTestFinished(drop);
  const ports = { port: await freePort(), ops: await freePort() };
  const env = {
    DATABASE_URL: url,
    PARLEY_HOME: newHome(),
    PORT: String(ports.port),
    PARLEY_OPS_PORT: String(ports.ops),
  };
  return { env, base: `http://127.0.0.1:${ports.port}`, ops: `http://127.0.0.1:${ports.ops}` };
}

const statusOf = async (url: string) => (await fetch(url)).status;

test('serve responds on its second port before the database opens, and until it ends', async () => {
  // A model that never responds keeps a request open.
  const upstream = createServer(() => undefined).listen(0, '127.0.0.1');
  onTestFinished(() => {
    upstream.close();
    upstream.closeAllConnections();
  });
  const { env, base, ops } = await environment();
  const address = upstream.address();
  const baseUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/v1`;
  const server = start(['serve'], { ...env, OPENAI_BASE_URL: baseUrl });
  const first = await vi.waitFor(() => fetch(`${ops}/readyz`), { ...deadline, interval: 5 });
  expect([first.status, await first.json()]).toEqual([503, { status: 'unavailable', reason: 'starting' }]);
  await vi.waitFor(async () => expect(await statusOf(`${ops}/readyz`)).toBe(200), deadline);
  const { stdout } = await parley(['whoami', '--json'], { ...env });
  const { key } = JSON.parse(stdout) as { key: string };
  const chat = fetch(`${base}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'auto', messages: [{ role: 'user', content: 'Hello' }] }),
  });
  chat.catch(() => undefined);
  const metric = async () => {
    const reply = await fetch(`${ops}/metrics`);
    return reply.text();
  };
  await vi.waitFor(
    async () => expect(await metric()).toContain('parley_http_requests_in_flight 1'),
    deadline,
  );
  server.child.kill('SIGTERM');
  await vi.waitFor(async () => expect(await statusOf(`${ops}/readyz`)).toBe(503), deadline);
  expect(await (await fetch(`${ops}/readyz`)).json()).toMatchObject({ reason: 'draining' });
  expect(await statusOf(`${ops}/livez`)).toBe(200);
  expect(await metric()).toContain('parley_http_requests_in_flight 1');
  expect(server.child.exitCode).toBeNull();
});

test('worker responds on its second port too', async () => {
  const { env, ops } = await environment();
  const worker = start(['worker'], env);
  await vi.waitFor(async () => expect(await statusOf(`${ops}/readyz`)).toBe(200), deadline);
  expect(await (await fetch(`${ops}/metrics`)).text()).toContain(
    'parley_jobs{queue="indexing",state="waiting"} 0',
  );
  worker.child.kill('SIGTERM');
  expect((await worker.ended).code).toBe(0);
});

test('a start that fails ends the process, although its second port is open', async () => {
  const { env } = await environment();
  const outcome = await parley(['serve'], { ...env, DATABASE_URL: 'postgres://parley@127.0.0.1:1/none' });
  expect(outcome).toMatchObject({ code: 1, stderr: expect.stringContaining('ECONNREFUSED') });
});

test('reports in one line that the second port is in use', async () => {
  const { env } = await environment();
  const taken = createServer().listen(Number(env.PARLEY_OPS_PORT), '127.0.0.1');
  onTestFinished(() => void taken.close());
  const { code, stderr } = await parley(['serve'], env);
  expect(code).toBe(1);
  expect(stderr).toBe(
    `parley: Port ${env.PARLEY_OPS_PORT} of 127.0.0.1 is in use. Set PARLEY_OPS_PORT, or stop the other process.\n`,
  );
});
