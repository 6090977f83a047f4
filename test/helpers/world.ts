import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Stream } from 'node:stream';
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernHttp,
} from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernStdio } from '@modelcontextprotocol/client/stdio';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as LegacyStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as LegacyHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import pg from 'pg';
import pino from 'pino';
import { GuessingThrottle } from '../../src/auth/guessing.ts';
import { mintKey } from '../../src/auth/key.ts';
import type { ModelsConfig } from '../../src/config/models.ts';
import { oneProvider } from '../../src/config/models.ts';
import { type Core, type CoreOptions, openCore } from '../../src/core/core.ts';
import { httpServer } from '../../src/http/server.ts';
import type { Log } from '../../src/log.ts';
import { mcpEndpoint } from '../../src/mcp/http.ts';
import type { ConfirmDisclosure } from '../../src/models/disclosure.ts';
import type { UpstreamLimits } from '../../src/models/upstream.ts';
import { restApp } from '../../src/rest/app.ts';
import { createOrganization, createProject, type NewProject } from '../../src/store/operators.ts';
import { storesIn } from '../../src/store/stores.ts';
import type { Access, KeyScope, KeyType } from '../../src/tool/access.ts';
import type { Toolsets } from '../../src/tool/selection.ts';
import { toolsets as product } from '../../tools/index.ts';
import { cloneDatabase } from './database.ts';
import { chats, speaks, transcribes, words } from './openai-wire.ts';
import { answerChecker } from './openapi.ts';
import { openUpstream, type Reaction } from './upstream.ts';

/** Each way over MCP: both lines of the SDK's client, over both transports. */
export const mcpTransports = ['modern http', 'legacy http', 'modern stdio', 'legacy stdio'] as const;
export type McpTransport = (typeof mcpTransports)[number];

/** A tenant: its project and a secret key of scope `platform`. */
export interface Tenant {
  readonly organizationId: string;
  readonly projectId: string;
  readonly keyId: string;
  readonly key: string;
}

export interface KeyOptions {
  readonly type?: KeyType;
  readonly scope?: KeyScope;
  readonly access?: readonly Access[];
}

export interface RestAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Untyped: a test states what it expects of it right where it reads it. */
  readonly body: ReturnType<typeof JSON.parse>;
}

export interface RestRequest {
  readonly key?: string | undefined;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** The part of a client that both lines of the SDK share. */
export interface McpClient {
  listTools(): Promise<{ tools: McpToolDescription[] }>;
  callTool(call: {
    name: string;
    arguments?: Record<string, unknown>;
    _meta?: Record<string, unknown>;
  }): Promise<McpToolResult>;
  listResources(): Promise<{ resources: { uri: string }[] }>;
  listResourceTemplates(): Promise<{ resourceTemplates: { uriTemplate: string }[] }>;
  readResource(read: {
    uri: string;
  }): Promise<{ contents: { uri: string; mimeType?: string; text?: string }[] }>;
  complete(completion: {
    ref: { type: 'ref/resource'; uri: string };
    argument: { name: string; value: string };
    context?: { arguments: Record<string, string> };
  }): Promise<{ completion: { values: string[] } }>;
  getInstructions(): string | undefined;
  close(): Promise<void>;
}

export interface McpToolDescription {
  name: string;
  title?: string;
  description?: string;
  inputSchema: Record<string, unknown>;
  outputSchema?: Record<string, unknown>;
  annotations?: Record<string, unknown>;
}

export interface McpToolResult {
  content: { type: string; text?: string; data?: string; mimeType?: string; resource?: unknown }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

export interface WorldOptions {
  /** The registry to serve, the product's unless a test brings its own (MCP over HTTP and REST only). */
  readonly toolsets?: Toolsets;
  readonly publicUrl?: string;
  /** Tests that are refused a lot are not slowed, unless that is what they test. */
  readonly throttle?: GuessingThrottle;
  /** The rule alone decides, unless a test asks a model too (MCP over HTTP and REST only). */
  readonly confirmDisclosure?: ConfirmDisclosure;
  /** The upstreams of the model proxy (MCP over HTTP and REST only): the world's own unless a test has others. */
  readonly models?: ModelsConfig | undefined;
  readonly upstreamLimits?: Partial<UpstreamLimits>;
  /** Silent unless a test wants to read it. */
  readonly log?: Log;
  /** A clone of the template unless a test brings its own. */
  readonly database?: { readonly url: string; drop(): Promise<void> };
}

/** What the world's upstream asks for: a key that nobody may read. */
export const upstreamKey = 'sk-zq7-the-key-of-the-upstream';

/** What one door seals the others open. */
const secretKey = 'a secret key of the tests';

const root = path.resolve(import.meta.dirname, '../..');
/** Whose tokens web sessions get; no test connects to it. */
export const liveKit = {
  url: 'wss://livekit.test',
  apiKey: 'key-of-the-tests',
  apiSecret: 'its-secret-which-is-long-enough',
};
const silent = pino({ level: 'silent' });

/** A database of its own, a server on it, and every kind of client: the front doors, for one test file. */
export async function openWorld({
  toolsets = product,
  publicUrl,
  confirmDisclosure,
  log = silent,
  throttle = patientThrottle(),
  ...options
}: WorldOptions = {}) {
  const database = options.database ?? (await cloneDatabase());
  const upstream = await openUpstream({ otherwise: answersUsually });
  const provider = { name: 'upstream', baseUrl: upstream.baseUrl, key: upstreamKey };
  const own = oneProvider(provider, { chat: 'chat', speech: 'speech', transcription: 'transcription' });
  const models = 'models' in options ? options.models : own;
  const { upstreamLimits } = options;
  const core = await openTestCore(database.url, { confirmDisclosure, models, upstreamLimits, log });
  const { runtime, authenticate } = core;
  const mcp = mcpEndpoint({ toolsets, build: runtime.build, log, runtime, authenticate, publicUrl });
  const app = restApp({ toolsets, runtime, authenticate, log, throttle, mcp });
  const server = httpServer(app.callback(), log).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const clients: McpClient[] = [];
  // Every answer of every test has to be as docs/contract/openapi.json says.
  const checkAnswer = answerChecker(toolsets);
  return {
    base,
    core,
    databaseUrl: database.url,
    checkAnswer,
    /** Behind the model proxy; it completes any chat in five words, hears the same in any recording, and speaks, unless a test says otherwise. */
    upstream,

    /** A project of its own, in an organization of its own unless one is named; its plan limits nothing. */
    async tenant(project: Partial<NewProject> = {}): Promise<Tenant> {
      const organizationId = project.organizationId ?? (await createOrganization(core.knex, 'Org'));
      const projectId = await createProject(core.knex, {
        name: 'Project',
        plan: 'enterprise',
        ...project,
        organizationId,
      });
      return { organizationId, projectId, ...(await makeKey(core, projectId, {})) };
    },

    /** One more key of a project. */
    key: (projectId: string, options: KeyOptions = {}) => makeKey(core, projectId, options),

    /** The stores of a project outside any call, to arrange what no operation makes. */
    stores: (projectId: string) => storesIn(core.knex, projectId),

    /** Rows by SQL, to see what an operation left behind. */
    async rows(sql: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
      const client = new pg.Client({ connectionString: database.url });
      await client.connect();
      try {
        return (await client.query(sql, values)).rows as Record<string, unknown>[];
      } finally {
        await client.end();
      }
    },

    async rest(method: string, route: string, { key, body, headers }: RestRequest = {}): Promise<RestAnswer> {
      const whole = typeof body === 'string' || body instanceof FormData;
      const reply = await fetch(base + route, {
        method,
        headers: {
          ...(key !== undefined && { authorization: `Bearer ${key}` }),
          ...(body !== undefined && !(body instanceof FormData) && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: whole ? body : JSON.stringify(body) }),
      });
      const text = await reply.text();
      const contentType = reply.headers.get('content-type');
      const answer = contentType?.startsWith('application/json') && text ? JSON.parse(text) : text;
      if (text) checkAnswer(method, route, reply.status, contentType, answer);
      return { status: reply.status, headers: reply.headers, body: answer };
    },

    /** A connected client; `query` is added to the address, or turned into flags for stdio. */
    async mcp(transport: McpTransport, key: string, selection: Record<string, string> = {}) {
      const client = await connect(transport, key, selection, base, {
        DATABASE_URL: database.url,
        PARLEY_SECRET_KEY: secretKey,
        OPENAI_API_KEY: upstreamKey,
        OPENAI_BASE_URL: upstream.baseUrl,
        PARLEY_CHAT_MODEL: 'chat',
        PARLEY_SPEECH_MODEL: 'speech',
        PARLEY_TRANSCRIPTION_MODEL: 'transcription',
        LIVEKIT_URL: liveKit.url,
        LIVEKIT_API_KEY: liveKit.apiKey,
        LIVEKIT_API_SECRET: liveKit.apiSecret,
      });
      clients.push(client);
      return client;
    },

    async close(): Promise<void> {
      for (const client of clients) await client.close();
      server.closeAllConnections();
      server.close();
      await core.close();
      upstream.close();
      await database.drop();
    },
  };
}

export type World = Awaited<ReturnType<typeof openWorld>>;

/** Parley on a database, without a transport. */
export function openTestCore(databaseUrl: string, options: Partial<CoreOptions> = {}): Promise<Core> {
  return openCore({
    databaseUrl,
    home: root,
    connections: 8,
    build: { version: '0.0.0-test', gitSha: 'test' },
    secrets: [secretKey],
    liveKit,
    usageFlushInterval: 50,
    log: silent,
    warn: (line) => console.error(line),
    ...options,
  });
}

async function makeKey(core: Core, projectId: string, options: KeyOptions) {
  const { type = 'secret', scope = 'platform', access = null } = options;
  const { text: key, ...stored } = mintKey(type);
  const record = { name: 'Key', keyType: type, scope, access };
  const { id: keyId } = await storesIn(core.knex, projectId).keys.create({ ...record, ...stored });
  return { keyId, key };
}

async function connect(
  transport: McpTransport,
  key: string,
  selection: Record<string, string>,
  base: string,
  environment: Record<string, string>,
): Promise<McpClient> {
  const url = new URL(`${base}/mcp?${new URLSearchParams(selection)}`);
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  const child = {
    command: process.execPath,
    args: [
      path.join(root, 'bin/parley.js'),
      'mcp',
      ...Object.entries(selection).flatMap(([name, value]) => [`--${name}`, value]),
    ],
    env: { ...environment, PARLEY_API_KEY: key },
    stderr: 'pipe' as const,
  };
  const over = transport.endsWith('http') ? 'http' : 'stdio';
  if (transport.startsWith('modern')) {
    const client = new ModernClient({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    await client.connect(
      over === 'http' ? new ModernHttp(url, { requestInit }) : logged(new ModernStdio(child)),
    );
    return client as unknown as McpClient;
  }
  const client = new LegacyClient({ name: 'test', version: '1' });
  const legacy = over === 'http' ? new LegacyHttp(url, { requestInit }) : logged(new LegacyStdio(child));
  await client.connect(legacy);
  return client as unknown as McpClient;
}

/** Passes the log of a child process to the console, which vitest shows for failing tests only. */
export function logged<Transport extends { readonly stderr: Stream | null }>(
  transport: Transport,
): Transport {
  transport.stderr?.on('data', (text: Buffer) => console.error(text.toString().trimEnd()));
  return transport;
}

const answersUsually: Reaction = (request, response) => {
  const { path: asked } = request;
  if (asked.endsWith('/speech')) return speaks()(request, response);
  if (asked.endsWith('/transcriptions'))
    return transcribes('What was said.', { language: 'en', duration: 1.5 })(request, response);
  return chats({ pieces: words(5) })(request, response);
};

/** Every refusal has a minute of its own. */
function patientThrottle(): GuessingThrottle {
  let now = 0;
  return new GuessingThrottle(() => (now += 60_000));
}
