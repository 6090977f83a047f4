import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../helpers/parley.ts';
import { type Fence, fencesOf, pagesWithCommands, root } from './fences.ts';
import { Terminal } from './terminal.ts';

/** The terminals of one reader, who works through one page from top to bottom. */
class Reader {
  readonly #ports: { readonly server: number; readonly upstream: number };
  readonly #environment: NodeJS.ProcessEnv;
  readonly #terminal: Terminal;
  #server: Terminal | undefined;

  constructor(home: string, ports: { server: number; upstream: number }) {
    this.#ports = ports;
    const { PATH, HOME } = process.env;
    // The guides assume that a LiveKit server runs; nothing connects to it.
    const liveKit = {
      LIVEKIT_URL: 'wss://livekit.test',
      LIVEKIT_API_KEY: 'key',
      LIVEKIT_API_SECRET: 'secret',
    };
    this.#environment = { PATH, HOME, PARLEY_HOME: home, PORT: String(ports.server), ...liveKit };
    this.#terminal = this.#open();
  }

  /** Acts on a block as its info string says. */
  async follow({ info, text }: Fence): Promise<void> {
    const block = this.#adapted(text);
    if (info === 'sh server') return this.#serve(block.replace('npm ci && ', ''));
    if (info === 'sh upstream') {
      const command = block.replace('npm run upstream', `npm run upstream -- --port ${this.#ports.upstream}`);
      return this.#open().start(command, /OpenAI-compatible server/);
    }
    if (info === 'js client') {
      if (!this.#server) await this.#serve('npm start');
      const key = 'export PARLEY_API_KEY="$(npm run --silent parley -- whoami --field key)"';
      // The program must print a project of the demo.
      const script = `node --input-type=module <<'END' | grep "id: 'cpr"\n${block}END`;
      await this.#terminal.run(`${key}\n${script}`);
      return;
    }
    if (info === 'sh docker' && !hasContainerEngine()) {
      console.log(`not run, because there is no container engine here: ${text.split('\n', 1)[0]} …`);
      return;
    }
    if (info === 'sh' || info === 'sh docker') {
      if (!this.#server) await this.#serve('npm start');
      await this.#terminal.run(block);
    }
  }

  /** Connects as an AI client does, with each entry of its configuration. Returns how many tools each one lists. */
  async connect(configuration: string): Promise<number[]> {
    const counts: number[] = [];
    if (!this.#server) await this.#serve('npm start');
    const key = (await this.#terminal.run('npm run --silent parley -- whoami --field key')).trim();
    const { mcpServers } = JSON.parse(this.#adapted(configuration)) as { mcpServers: Record<string, Entry> };
    for (const entry of Object.values(mcpServers)) {
      const client = new Client({ name: 'reader', version: '1' });
      await client.connect(this.#transport(entry, key));
      const { tools } = await client.listTools();
      counts.push(tools.length);
      await client.callTool({ name: 'list_projects', arguments: {} });
      await client.close();
    }
    return counts;
  }

  #transport({ command, args, env, url, headers = {} }: Entry, key: string) {
    const filled = (text: string) => text.replace(/\$\{PARLEY_API_KEY\}|parley_sk_…/, key);
    const own = Object.fromEntries(Object.entries(env ?? {}).map(([name, text]) => [name, filled(text)]));
    if (command !== undefined)
      return new StdioClientTransport({
        command,
        args: args ?? [],
        env: { ...(this.#environment as Record<string, string>), ...own },
        cwd: tmpdir(),
        stderr: 'ignore',
      });
    const authorization = filled(headers['Authorization'] ?? '');
    return new StreamableHTTPClientTransport(new URL(url ?? ''), {
      requestInit: { headers: { authorization } },
    });
  }

  /** Starts the server. Stops the one that is running, if any. */
  async #serve(command: string): Promise<void> {
    await this.#server?.interrupt();
    this.#server = this.#open();
    await this.#server.start(command, /listens on/);
  }

  /** Replaces the addresses and the folder in the page with those of this run. */
  #adapted(text: string): string {
    return text
      .replaceAll('127.0.0.1:8080', `127.0.0.1:${this.#ports.server}`)
      .replaceAll('127.0.0.1:8090', `127.0.0.1:${this.#ports.upstream}`)
      .replaceAll('/path/to/parley', root);
  }

  #open(): Terminal {
    const terminal = new Terminal(root, this.#environment);
    onTestFinished(() => terminal.interrupt());
    return terminal;
  }
}

/** One server in a client's configuration. */
interface Entry {
  readonly command?: string;
  readonly args?: string[];
  readonly env?: Record<string, string>;
  readonly url?: string;
  readonly headers?: Record<string, string>;
}

function hasContainerEngine(): boolean {
  return spawnSync('docker', ['info'], { stdio: 'ignore' }).status === 0;
}

const gitStatus = () => execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' });

test.for(pagesWithCommands)('%s works as pasted, from top to bottom', { timeout: 240_000 }, async (page) => {
  const home = mkdtempSync(path.join(tmpdir(), 'parley-reader-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const before = gitStatus();
  const reader = new Reader(home, { server: await freePort(), upstream: await freePort() });
  for (const fence of fencesOf(page)) {
    const place = `${page}:${fence.line}`;
    await reader.follow(fence).catch((error: unknown) => {
      throw new Error(`${place} ${String(error)}`, { cause: error });
    });
    if (fence.info === 'json' && fence.text.includes('mcpServers'))
      expect(Math.min(...(await reader.connect(fence.text))), place).toBeGreaterThan(0);
  }
  expect(gitStatus(), 'files that the page leaves in the repository').toBe(before);
});

test('the two commands of the README are those that the pipeline runs', () => {
  const commands = fencesOf('README.md').map(({ text }) => text.trim());
  expect(commands).toContain('npm ci && npm start');
  expect(commands).toContain('npm ci && npm test');
  const pipeline = readFileSync(path.join(root, '.ci/run'), 'utf8');
  expect(pipeline).toMatch(/npm ci[\s\S]*npm test/);
});

const known = new Set([
  'sh',
  'sh server',
  'sh upstream',
  'sh test',
  'sh docker',
  'json',
  'js',
  'js client',
  'html',
  'css',
  'ts',
  'text',
  'mermaid',
  'ini',
  'sql',
  'diff',
]);

test.for(pagesWithCommands)('%s marks each block with what the reader does with it', (page) => {
  const unknown = fencesOf(page).filter(({ info }) => !known.has(info));
  expect(unknown).toStrictEqual([]);
});
