import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { tools } from '../contract/registry.ts';
import { fencesOf, root } from '../docs/fences.ts';
import { reportMissing } from '../helpers/find-program.ts';
import { freePort } from '../helpers/parley.ts';
import { openWorld, type Tenant, type World } from '../helpers/world.ts';
import { Browser } from '../transports/oauth/oauth-client.ts';
import { installPackages } from './install.ts';

const launcher = path.join(root, 'bin/parley.js');
const guidePage = 'docs/guides/mcp-clients.md';
const guide = readFileSync(path.join(root, guidePage), 'utf8');
const installed = installPackages('inspector', reportMissing);
const program = path.join(
  installed ?? '',
  'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
);

/** What the Inspector checks with `--strict`; it exits with 6 if a schema has an error. */
const strictly = ['--method', 'tools/list', '--strict', '--format', 'json', '--quiet'];
/** The lines of the protocol, as the Inspector calls them. */
const eras = ['legacy', 'modern'] as const;

/**
 * Findings that are not mistakes. Schemas say "a text or null" as a list of types, which takes fewer tokens than `anyOf`.
 * Two members hold what a caller chose: the configuration of a flow, and the `reasoning` that a provider takes.
 */
const accepted = /^ {2}Issue: (?:`type` is an array \(|Schema carries no validation keyword at all)/;

interface Inspection {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

describe.skipIf(installed === undefined)('The MCP Inspector', () => {
  let world: World;
  let tenant: Tenant;
  let home: string;
  let environment: Record<string, string>;
  beforeAll(async () => {
    home = mkdtempSync(path.join(tmpdir(), 'parley-inspector-'));
    world = await openWorld();
    tenant = await world.tenant();
    environment = { ...world.environment, PARLEY_API_KEY: tenant.key, PARLEY_HOME: home };
  });
  afterAll(async () => {
    await world?.close();
    rmSync(home, { recursive: true, force: true });
  });

  /** The command of an inspection. Its files are in a folder of its own, not in that of the person who runs the tests. */
  const command = (args: readonly string[], more: Record<string, string> = {}) =>
    [
      process.execPath,
      [program, '--cli', ...args],
      {
        cwd: root,
        env: { PATH: process.env['PATH'], HOME: home, MCP_INSPECTOR_SECRET_STORE: 'memory', ...more },
      },
    ] as const;

  const inspect = (args: readonly string[], cwd = root) =>
    new Promise<Inspection>((resolve) => {
      const [node, words, options] = command(args);
      const child = execFile(node, words, { ...options, cwd }, (_, stdout, stderr) =>
        resolve({ code: child.exitCode, stdout, stderr }),
      );
    });

  /** Expects that `--strict` found no errors. Returns how many tools it saw. */
  function expectClean({ code, stdout, stderr }: Inspection): number {
    expect(code, stderr).toBe(0);
    const findings = stderr.split('\n').filter((line) => line.startsWith('  Issue: '));
    expect(findings.filter((line) => !accepted.test(line))).toEqual([]);
    expect(stderr).toMatch(/^0 errors, /m);
    return (JSON.parse(stdout) as { result: { tools: unknown[] } }).result.tools.length;
  }

  /** Variables as flags: the Inspector hands a server these, and none of its own. */
  const variables = (values: Record<string, string>) =>
    Object.entries(values).flatMap(([name, value]) => ['-e', `${name}=${value}`]);

  const ways: Readonly<Record<string, () => string[]>> = {
    'over stdio': () => [...variables(environment), '--', process.execPath, launcher, 'mcp'],
    'over HTTP with a key': () => [
      `${world.base}/mcp`,
      '--transport',
      'http',
      '--header',
      `Authorization: Bearer ${tenant.key}`,
    ],
    'through the bridge': () => [
      ...variables({ PARLEY_API_KEY: tenant.key, PARLEY_URL: world.base }),
      '--',
      process.execPath,
      launcher,
      'mcp',
    ],
  };

  it.each(Object.entries(ways))('finds no errors in the schemas %s, in both lines', async (_, way) => {
    for (const era of eras) {
      const count = expectClean(await inspect(['--protocol-era', era, ...strictly, ...way()]));
      expect(count).toBe(tools.length);
    }
  });

  it('signs in with nothing but the URL that the guide shows, and finds no errors in the schemas', async () => {
    const callback = `http://127.0.0.1:${await freePort()}/oauth/callback`;
    const url = /(?<="url": ")https:[^"]+(?="\}\}\}` in `\.cursor)/.exec(guide)?.[0] ?? '';
    const here = `${url.replace('https://parley.example.com', world.base)}?toolsets=flows,designs`;
    const args = ['--transport', 'http', '--protocol-era', 'modern', '--callback-url', callback];
    const [node, words, options] = command([here, ...args, ...strictly], {
      // Signs in without a terminal, and finds no browser to open: the test is the browser.
      MCP_AUTO_OPEN_ENABLED: 'true',
      PATH: '',
    });
    const child = spawn(node, words, options);
    onTestFinished(() => void child.kill());
    const stdout = text(child.stdout);
    let stderr = '';
    const address = new Promise<string>((resolve) => {
      child.stderr.setEncoding('utf8').on('data', (piece: string) => {
        stderr += piece;
        const asked = /navigate to: (\S+)/.exec(stderr)?.[1];
        if (asked !== undefined) resolve(asked);
      });
    });
    const ended = new Promise<number | null>((resolve) => void child.once('close', resolve));
    const page = await Promise.race([address, ended.then(() => Promise.reject(new Error(stderr)))]);
    const browser = new Browser();
    const { address: form } = await browser.openSignIn(page);
    const consent = ['read', 'draft'].map((access) => ['access', access] as const);
    const decision = await browser.decide(form, [...consent, ['key', tenant.key], ['decision', 'allow']]);
    const back = await browser.finish(decision);
    expect(back.href).toMatch(callback);
    expect((await fetch(back)).ok).toBe(true);
    const count = expectClean({ code: await ended, stdout: await stdout, stderr });
    const allowed = await world.mcp('modern http', tenant.key, {
      toolsets: 'flows,designs',
      access: 'read,draft',
    });
    expect(count).toBe((await allowed.listTools()).tools.length);
  });

  const files = ['mcp.json', '.mcp.json', '.cursor/mcp.json', '.vscode/mcp.json'];

  it.each(files)('finds no errors in the schemas with %s', async (file) => {
    const written = readFileSync(path.join(root, file), 'utf8').replaceAll(/\$\{workspaceFolder\}/g, root);
    const { mcpServers, servers } = JSON.parse(written) as Record<'mcpServers' | 'servers', object>;
    const config = configuration({ mcpServers: mcpServers ?? servers });
    // Claude Code finds `.mcp.json` from a folder below it, too, and starts the server there.
    for (const cwd of file === '.mcp.json' ? [root, path.join(root, 'docs/guides')] : [root]) {
      const inspection = await inspect([...config, ...variables(environment), ...strictly], cwd);
      expect(expectClean(inspection)).toBe(tools.length);
    }
  });

  const configurations = fencesOf(guidePage).filter(({ info }) => info === 'json');

  it.each(configurations)(
    'finds no errors in the schemas with the guide, from line $line',
    async ({ text: block }) => {
      const filled = block
        .replaceAll('http://127.0.0.1:8080', world.base)
        .replaceAll('/path/to/parley', root)
        .replaceAll(/\$\{PARLEY_API_KEY\}|parley_sk_…/g, tenant.key);
      const isStdio = filled.includes('"command"') && !filled.includes('--url');
      const config = configuration(JSON.parse(filled) as object);
      const inspection = await inspect([...config, ...(isStdio ? variables(environment) : []), ...strictly]);
      expect(expectClean(inspection)).toBeGreaterThan(10);
    },
  );

  it('finds the page that hosts with MCP Apps show for designs', async () => {
    const probe = ['--method', 'tools/list', '--app-info', '--advertise-apps', '--format', 'json', '--quiet'];
    const { stdout } = await inspect([...(ways['over HTTP with a key']?.() ?? []), ...probe]);
    const found = stdout.trim().split('\n');
    const apps = found.map((line) => JSON.parse(line)).filter(({ hasApp }) => hasApp);
    const page = {
      resourceUri: 'ui://parley/design',
      resourceMimeType: 'text/html;profile=mcp-app',
      csp: {},
    };
    expect(apps).toMatchObject([
      { toolName: 'diff_designs', ...page },
      { toolName: 'draw_design', ...page },
    ]);
  });

  it('exits with a status of its own for a call that fails', async () => {
    const call = ['--method', 'tools/call', '--tool-name', 'get_flow', '--format', 'json', '--quiet'];
    const args = [...call, '--tool-args-json', '{"flowId":"cfl00000000000000000000000000"}'];
    const { code, stdout } = await inspect([...(ways['over HTTP with a key']?.() ?? []), ...args]);
    expect({ code, isNotFound: stdout.includes('not_found') }).toEqual({ code: 5, isNotFound: true });
  });

  /** The flags for a configuration file whose server is called `parley`. */
  function configuration(content: object): string[] {
    const file = path.join(mkdtempSync(path.join(home, 'config-')), 'mcp.json');
    writeFileSync(file, JSON.stringify(content));
    return ['--config', file, '--server', 'parley'];
  }
});
