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
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import pg from 'pg';
import pino from 'pino';
import { type Core, type CoreOptions, type OutboundOptions, openCore } from '../../src/core/core.ts';
import type { Toolsets } from '../../src/environment/toolsets.ts';
import type { Access, KeyScope, KeyType } from '../../src/operation/access.ts';
import { readConfig } from '../../src/platform/config/config.ts';
import type { ModelsConfig, Prices } from '../../src/platform/config/models.ts';
import { hasModel, oneProvider } from '../../src/platform/config/models.ts';
import type { Log } from '../../src/platform/log.ts';
import { mintKey } from '../../src/resources/keys/key.ts';
import { storesIn } from '../../src/resources/project-stores.ts';
import {
  createOrganization,
  createProject,
  type NewProject,
} from '../../src/resources/projects/provisioning.ts';
import { Sessions } from '../../src/resources/sessions/playing/sessions.ts';
import type { SpendingSettings } from '../../src/resources/usage/spending-limits.ts';
import type { ConfirmDisclosure } from '../../src/services/models/disclosure.ts';
import type { UpstreamLimits } from '../../src/services/models/upstream.ts';
import { GuessingThrottle } from '../../src/transports/auth/guessing.ts';
import type { RateLimitSettings } from '../../src/transports/auth/rate-limits.ts';
import { type BodyMemory, bodyMemory } from '../../src/transports/http/body-memory.ts';
import { httpServer } from '../../src/transports/http/server.ts';
import { mcpEndpoint, type ServerFactory } from '../../src/transports/mcp/http.ts';
import { type OAuthOptions, openOAuth } from '../../src/transports/oauth/server.ts';
import { OAuthStore } from '../../src/transports/oauth/store.ts';
import type { Metrics } from '../../src/transports/ops/metrics.ts';
import { restApp } from '../../src/transports/rest/app.ts';
import { designAppReader } from '../../src/transports/web/design-app.ts';
import { openPages, type PagesOptions } from '../../src/transports/web/pages.ts';
import { toolsets as product } from '../../tools/index.ts';
import { cloneDatabase } from './database.ts';
import { chats, speaks, transcribes, words } from './openai-wire.ts';
import { answerChecker } from './openapi.ts';
import { legacyValidators, modernValidators } from './output-validators.ts';
import { openUpstream, type Reaction } from './upstream.ts';

/** All MCP clients: both lines of the SDK, over both transports. */
export const mcpTransports = ['modern http', 'legacy http', 'modern stdio', 'legacy stdio'] as const;
export type McpTransport = (typeof mcpTransports)[number];

/** A project and its secret key of scope `platform`. */
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
  /** Untyped, because each test asserts what it reads. */
  readonly body: ReturnType<typeof JSON.parse>;
}

export interface RestRequest {
  readonly key?: string | undefined;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** What the person behind a client says to a question: agrees, declines, or closes it. */
export type Person = (question: {
  readonly message: string;
  readonly url?: string;
}) => Promise<{ action: 'accept' | 'decline' | 'cancel' }>;

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
    ref: { type: 'ref/resource'; uri: string } | { type: 'ref/prompt'; name: string };
    argument: { name: string; value: string };
    context?: { arguments: Record<string, string> };
  }): Promise<{ completion: { values: string[]; total?: number; hasMore?: boolean } }>;
  listPrompts(): Promise<{ prompts: { name: string; arguments?: { name: string }[] }[] }>;
  getPrompt(get: {
    name: string;
    arguments?: Record<string, string>;
  }): Promise<{ messages: { role: string; content: { text?: string } }[] }>;
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
  _meta?: Record<string, unknown>;
}

export interface McpToolResult {
  content: { type: string; text?: string; data?: string; mimeType?: string; resource?: unknown }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

export interface WorldOptions {
  /** The registry to serve; the product's by default. Applies to REST and MCP over HTTP. */
  readonly toolsets?: Toolsets;
  readonly publicUrl?: string;
  /** Makes the tokens of MCP clients; by default, people sign in with keys. */
  readonly identityProvider?: OAuthOptions['identityProvider'];
  /** By default, failed authentication is never slowed down. */
  readonly throttle?: GuessingThrottle;
  /** By default, the rule decides without a model. Applies to REST and MCP over HTTP. */
  readonly confirmDisclosure?: ConfirmDisclosure;
  /** The prices of the models of the world's upstream; none by default. */
  readonly prices?: Prices;
  /** The providers of the model proxy; the world's upstream by default. Applies to REST and MCP over HTTP. */
  readonly models?: ModelsConfig | undefined;
  readonly upstreamLimits?: Partial<UpstreamLimits>;
  /** Milliseconds for one question to the model that plays a call. */
  readonly promptTimeLimit?: number;
  /** The hosts that the requests of designs may reach; none by default. Applies to REST and MCP over HTTP. */
  readonly outbound?: Partial<OutboundOptions>;
  /** The LiveKit server of the tests by default, to which nothing connects. Applies to REST and MCP over HTTP. */
  readonly liveKit?: CoreOptions['liveKit'];
  /** None by default. */
  readonly rateLimits?: RateLimitSettings;
  /** Without limits by default. */
  readonly spending?: SpendingSettings;
  /** False by default: results do not link to the Studio. Applies to REST and MCP over HTTP. */
  readonly isAddressKnown?: boolean;
  /** Those of the environment's defaults, if omitted. */
  readonly openSessions?: CoreOptions['openSessions'];
  /** The proxies that may name the addresses of clients; none by default. Networks as in PARLEY_TRUSTED_PROXIES. */
  readonly trustedProxies?: string;
  /** The most connections to the database: at least 3, so that reads, writes and point reads have one each. 8 by default. */
  readonly connections?: number;
  /** Milliseconds after which a silent connection to the database is closed. */
  readonly databaseSilence?: number;
  /** Milliseconds that a request waits for a free connection; 30 s by default, because a busy machine is slow. */
  readonly databaseWait?: number;
  /** Milliseconds between two writes of recorded usage; 50 by default. */
  readonly usageFlushInterval?: number;
  /** The memory for bodies; that of the process by default. Applies to REST and MCP over HTTP. */
  readonly bodies?: BodyMemory;
  /** Writes errors to the console by default, which vitest prints for failing tests. */
  readonly log?: Log;
  /** None by default. Applies to REST and MCP over HTTP. */
  readonly metrics?: Metrics;
  /** Makes the server of each request to /mcp; the product's by default. */
  readonly mcpServer?: ServerFactory;
  /** Serves the Studio too. */
  readonly pages?: Partial<PagesOptions>;
  /** A clone of the template by default. */
  readonly database?: { readonly url: string; drop(): Promise<void> };
}

/** The API key of the world's upstream. It must not appear in any response or log. */
export const upstreamKey = 'sk-zq7-the-key-of-the-upstream';

/** All servers and commands of a world use the same key, so each can decrypt what another encrypted. */
const secretKey = 'a secret key of the tests';

/** No private address may be reached, and no provider answers. */
export const noOutbound: OutboundOptions = {
  allow: [],
  trial: true,
  twilioUrl: 'http://twilio.invalid',
  hubSpotUrl: 'http://hubspot.invalid',
};

const root = path.resolve(import.meta.dirname, '../..');
/** The LiveKit server that signs the tokens of web sessions. No test connects to it. */
export const liveKit = {
  url: 'wss://livekit.test',
  apiKey: 'key-of-the-tests',
  apiSecret: 'its-secret-which-is-long-enough',
};

/** Writes what the server logs as an error, such as the cause of a 500, to the console, which vitest prints for failing tests. */
const errorsOnly = pino(
  { level: 'error', base: null, timestamp: false },
  { write: (line: string) => console.error(readable(line)) },
);

/** Starts a server on a new database for one test file, with REST and MCP clients. */
export async function openWorld({
  toolsets = product,
  publicUrl,
  confirmDisclosure,
  log = errorsOnly,
  throttle = patientThrottle(),
  metrics,
  mcpServer,
  bodies = bodyMemory,
  ...options
}: WorldOptions = {}) {
  const database = options.database ?? (await cloneDatabase());
  const upstream = await openUpstream({ otherwise: reactByPath });
  const provider = { name: 'upstream', baseUrl: upstream.baseUrl, key: upstreamKey };
  const own = oneProvider(provider, { chat: 'chat', speech: 'speech', transcription: 'transcription' });
  const models = 'models' in options ? options.models : { ...own, prices: options.prices };
  const {
    upstreamLimits,
    promptTimeLimit,
    rateLimits,
    spending,
    isAddressKnown = false,
    openSessions,
    databaseSilence,
    databaseWait = 30_000,
    usageFlushInterval = 50,
    connections = 8,
  } = options;
  const { trustedProxies } = readConfig({ PARLEY_TRUSTED_PROXIES: options.trustedProxies ?? '' });
  let base = '';
  const address = () => publicUrl ?? base;
  const core = await openTestCore(database.url, {
    address,
    confirmDisclosure,
    models,
    upstreamLimits,
    promptTimeLimit,
    upstreamMetrics: metrics?.upstreams,
    rateLimits,
    spending,
    isAddressKnown,
    openSessions,
    databaseSilence,
    databaseWait,
    usageFlushInterval,
    connections,
    outbound: { ...noOutbound, ...options.outbound },
    ...('liveKit' in options && { liveKit: options.liveKit }),
    log,
  });
  const { runtime, authenticate } = core;
  const { build } = runtime;
  const requests = metrics?.requests;
  const oauth = openOAuth({
    runtime,
    authenticate,
    store: new OAuthStore(core.knex),
    log,
    throttle,
    publicUrl,
    address: () => publicUrl?.replace(/\/$/, '') ?? base,
    identityProvider: options.identityProvider,
    demoKey: options.pages?.demoKey,
    hasDemo: () => options.pages?.demoKey !== undefined,
  });
  const mcp = mcpEndpoint({
    toolsets,
    build,
    log,
    runtime,
    authenticate: oauth.authenticate,
    oauth,
    publicUrl,
    metrics: requests,
    bodies,
    serverFor: mcpServer,
    readApp: designAppReader(log),
  });
  const offered = { speech: hasModel(models, 'speech'), transcription: hasModel(models, 'transcription') };
  const { url: liveKitUrl } = ('liveKit' in options ? options.liveKit : liveKit) ?? {};
  const pages =
    options.pages &&
    openPages({ version: build.version, log, address, models: offered, liveKitUrl, ...options.pages });
  const sessions = new Sessions({ runtime, log, metrics: metrics?.turns });
  const app = restApp({
    toolsets,
    runtime,
    authenticate,
    log,
    throttle,
    mcp,
    oauth: oauth.middleware,
    pages: pages?.middleware,
    metrics: requests,
    bodies,
    sessions,
    trustedProxies,
  });
  const server = httpServer(app.callback(), log).listen(0, '127.0.0.1');
  await once(server, 'listening');
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const clients: McpClient[] = [];
  const environment = {
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
  };
  // Every response in every test must match docs/contract/openapi.json.
  const checkAnswer = answerChecker(toolsets);
  return {
    base,
    core,
    /** Plays the sessions of visitors on this server. */
    sessions,
    databaseUrl: database.url,
    /** The environment of commands that work on the same database, with the same secrets and upstream. */
    environment,
    checkAnswer,
    /**
     * The provider behind the model proxy. By default it completes any chat with five words, returns the same
     * transcript for any recording, and returns audio for any text.
     */
    upstream,

    /** Creates a project in a new organization, or in `project.organizationId`. By default its plan has no limits. */
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

    /** Creates another key of a project. */
    key: (projectId: string, options: KeyOptions = {}) => makeKey(core, projectId, options),

    /** Returns the stores of a project, to create records that no operation can create. */
    stores: (projectId: string) => storesIn(core.knex, projectId),

    /** Runs SQL and returns its rows, to check what an operation stored. */
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

    /** Returns a connected client, which can ask `person` if there is one. `selection` becomes the query of the address, or flags of `parley mcp`. */
    async mcp(transport: McpTransport, key: string, selection: Record<string, string> = {}, person?: Person) {
      const client = await connect(transport, key, selection, { base, environment, person });
      clients.push(client);
      return client;
    },

    async close(): Promise<void> {
      for (const client of clients) await client.close();
      server.closeAllConnections();
      server.close();
      await Promise.all([sessions.close(), mcp.endTasks()]);
      await core.close();
      upstream.close();
      await database.drop();
    },
  };
}

export type World = Awaited<ReturnType<typeof openWorld>>;

/** Opens the core on a database, without a server. */
export function openTestCore(databaseUrl: string, options: Partial<CoreOptions> = {}): Promise<Core> {
  return openCore({
    databaseUrl,
    home: root,
    connections: 8,
    build: { version: '0.0.0-test', gitSha: 'test' },
    secrets: [secretKey],
    address: () => 'http://127.0.0.1:8080',
    liveKit,
    outbound: noOutbound,
    log: errorsOnly,
    databaseWait: 30_000,
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
  {
    base,
    environment,
    person,
  }: { base: string; environment: Record<string, string>; person: Person | undefined },
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
  const capabilities = person ? { elicitation: { form: {}, url: {} } } : {};
  const over = transport.endsWith('http') ? 'http' : 'stdio';
  if (transport.startsWith('modern')) {
    const client = new ModernClient(
      { name: 'test', version: '1' },
      { versionNegotiation: { mode: 'auto' }, capabilities, jsonSchemaValidator: modernValidators },
    );
    if (person) client.setRequestHandler('elicitation/create', ({ params }) => person(params));
    await client.connect(
      over === 'http' ? new ModernHttp(url, { requestInit }) : logged(new ModernStdio(child)),
    );
    return client as unknown as McpClient;
  }
  const client = new LegacyClient(
    { name: 'test', version: '1' },
    { capabilities, jsonSchemaValidator: legacyValidators },
  );
  if (person) client.setRequestHandler(ElicitRequestSchema, ({ params }) => person(params));
  const legacy = over === 'http' ? new LegacyHttp(url, { requestInit }) : logged(new LegacyStdio(child));
  await client.connect(legacy);
  return client as unknown as McpClient;
}

/** Returns a log line with the stack of its error on lines of its own. */
function readable(line: string): string {
  const {
    msg,
    err,
    level: _level,
    ...facts
  } = JSON.parse(line) as Record<string, unknown> & { msg: string; err?: { stack?: string } };
  return `${msg} ${JSON.stringify(facts)}\n${err?.stack ?? ''}`.trimEnd();
}

/** Writes the log of a child process to the console, which vitest prints only for failing tests. */
export function logged<Transport extends { readonly stderr: Stream | null }>(
  transport: Transport,
): Transport {
  transport.stderr?.on('data', (text: Buffer) => console.error(text.toString().trimEnd()));
  return transport;
}

const reactByPath: Reaction = (request, response) => {
  const { path: route } = request;
  if (route.endsWith('/speech')) return speaks()(request, response);
  if (route.endsWith('/transcriptions'))
    return transcribes('What was said.', { language: 'en', duration: 1.5 })(request, response);
  return chats({ pieces: words(5) })(request, response);
};

/** Returns a throttle whose clock advances by a minute at each failure, so it never slows a client down. */
function patientThrottle(): GuessingThrottle {
  let now = 0;
  return new GuessingThrottle(() => (now += 60_000));
}
