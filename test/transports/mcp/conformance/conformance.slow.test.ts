import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openWorld, type World } from '../../../helpers/world.ts';
import { fixtureServer } from './fixture-server.ts';
import { fixtureTools } from './fixture-tools.ts';

const require = createRequire(import.meta.url);
const suite = require.resolve('@modelcontextprotocol/conformance/dist/index.js');

let world: World;
let address: string;
const front = createServer();
beforeAll(async () => {
  world = await openWorld({ toolsets: fixtureTools, mcpServer: fixtureServer });
  const { key } = await world.tenant();
  // The suite cannot send a key, so this server in front of Parley adds one to each request, and changes nothing else.
  front.on('request', (asked, answer) => {
    const { method = '', url: path = '', headers } = asked;
    const passed = request(
      new URL(path, world.base),
      { method, headers: { ...headers, authorization: `Bearer ${key}` }, agent: false },
      (reply) => {
        answer.writeHead(reply.statusCode ?? 500, reply.headers);
        reply.pipe(answer);
      },
    );
    passed.on('error', () => answer.destroy());
    answer.on('close', () => passed.destroy());
    asked.pipe(passed);
  });
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
  address = `http://127.0.0.1:${(front.address() as AddressInfo).port}/mcp`;
});
afterAll(async () => {
  front.closeAllConnections();
  front.close();
  await world?.close();
});

/** Scenarios in which the server asks its client over a session that outlives a request. Parley keeps none. */
const needSessions = [
  'tools-call-sampling',
  'tools-call-elicitation',
  'elicitation-sep1034-defaults',
  'elicitation-sep1330-enums',
];

/** Runs the suite, and returns its exit code and output. */
async function conformance(args: readonly string[], failing: readonly string[]) {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-conformance-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const baseline = path.join(folder, 'expected.yaml');
  writeFileSync(baseline, JSON.stringify({ server: failing }));
  const all = ['server', '--url', address, '--timeout', '10000', '--expected-failures', baseline, ...args];
  const child = spawn(process.execPath, [suite, ...all, '-o', folder], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  const [code] = await once(child, 'close');
  return { code, stdout };
}

test.each([
  { revision: '2026-07-28', failing: [] },
  { revision: '2025-11-25', failing: needSessions },
])(
  'passes every scored scenario of $revision that needs no session',
  async ({ revision, failing }) => {
    const { code, stdout } = await conformance(['--requirements', revision], failing);
    expect(stdout).toContain('✓ tools-call-with-progress');
    expect(code, stdout).toBe(0);
  },
  300_000,
);

test.each([
  'tasks-capability-negotiation',
  'tasks-lifecycle',
  'tasks-wire-fields',
  'tasks-request-state-removal',
  'tasks-request-headers',
  'tasks-dispatch-and-envelope',
  'tasks-status-notifications',
])(
  'passes the scenario %s of the tasks extension',
  async (scenario) => {
    const { code, stdout } = await conformance(['--scenario', scenario], []);
    expect(code, stdout).toBe(0);
  },
  60_000,
);
