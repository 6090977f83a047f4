import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { type NodeIncomingMessageLike, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { Context, Middleware } from 'koa';
import { parseSelection, type Selection, toolsOf } from '../../environment/selection.ts';
import type { Toolsets } from '../../environment/toolsets.ts';
import type { Access } from '../../operation/access.ts';
import type { Authenticate, Build, Caller } from '../../operation/context.ts';
import { isJsonObject, withoutAbyss } from '../../operation/json.ts';
import { ToolError, unauthorized } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import type { LongText } from '../../platform/long-text.ts';
import { NotJson, parseJson } from '../../platform/parse-json.ts';
import { credentialOf } from '../auth/credential.ts';
import { readShortenedJson } from '../http/body.ts';
import { type BodyMemory, bodyMemory } from '../http/body-memory.ts';
import { hostGuard } from '../http/guard.ts';
import type { RequestMetrics } from '../http/request-metrics.ts';
import type { RequestState } from '../http/request-state.ts';
import { lastWords } from '../http/server.ts';
import type { ServerRuntime } from '../server-runtime.ts';
import type { ReadApp } from './app.ts';
import { listingOf } from './listing.ts';
import { envelope, largestMessage, longArguments, messageLimit, requireMembers } from './message-limit.ts';
import { cancelledIn, OpenCalls } from './open-calls.ts';
import { productPrompts } from './product-prompts.ts';
import { ResourceWatch } from './resource-watch.ts';
import { callsOf } from './resources.ts';
import { type McpSession, mcpServers, tooManySubscriptions } from './server.ts';
import { listenRequestIn, UpdateStream, watchedRecords } from './subscriptions.ts';
import { visibleTools } from './visible-tools.ts';

/** Tells clients how to get a token for the endpoint. */
export interface McpAuthorization {
  /** The `WWW-Authenticate` of a refusal. */
  challenge(ctx: Context, error?: 'invalid_token' | 'insufficient_scope', needed?: readonly Access[]): string;
  /** True if the caller can get a token that has this access, too. */
  canStepUp(caller: Caller, access: Access): boolean;
  /** When the caller's token expires, in milliseconds since 1970; undefined for a key. */
  expiryOf(caller: Caller): number | undefined;
}

/** Everything that the endpoint needs; it imports no operation. */
export interface McpHttpOptions {
  readonly toolsets: Toolsets;
  readonly build: Build;
  readonly log: Log;
  readonly runtime: ServerRuntime;
  readonly authenticate: Authenticate;
  /** Lets in clients that know nothing but the URL; without it, they need a key. */
  readonly oauth?: McpAuthorization | undefined;
  /** The address of this server for browsers and other machines, besides loopback. */
  readonly publicUrl: string | undefined;
  readonly readApp: ReadApp;
  readonly metrics?: RequestMetrics | undefined;
  /** The memory for bodies; that of the process by default. */
  readonly bodies?: BodyMemory;
  /** Makes the server of each request; by default, one that serves the registry. */
  readonly serverFor?: ServerFactory | undefined;
}

/** Makes the server of a session. */
export type ServerFactory = ReturnType<typeof mcpServers>;

/**
 * The session that a client of a 2025 protocol gets with `initialize` and sends with every message. It only tells apart
 * the clients of one key, whose request ids all count from 0; nothing is stored for it, and any replica takes it.
 */
const sessionHeader = 'mcp-session-id';

/** JSON-RPC 2.0, section 5.1. */
const parseError = { jsonrpc: '2.0', id: null, error: { code: -32_700, message: 'Parse error' } };

/** Serves `/mcp`. */
export interface McpEndpoint extends Middleware {
  /** Closes the streams of changes, which would hold up a stop: their clients connect again. */
  endSubscriptions(): void;
  /** Ends the calls that run as tasks. Their clients read that they failed. */
  endTasks(): Promise<void>;
}

/**
 * Streamable HTTP at `/mcp`, stateless: any replica can serve any call. Host, Origin, the key and the selection are
 * checked before the SDK sees the message.
 */
export function mcpEndpoint(options: McpHttpOptions): McpEndpoint {
  const { bodies = bodyMemory, runtime, authenticate, oauth, publicUrl, toolsets, log, metrics } = options;
  const calls = callsOf(toolsets, log, metrics);
  const accessOfCall = accessOfCalls(toolsets);
  const listing = listingOf(toolsets);
  const watch = new ResourceWatch(
    (records) => runtime.recordStates(records),
    (err) => log.error({ err }, 'looking for changes of resources failed'),
  );
  const serverFor =
    options.serverFor ??
    mcpServers({
      listing,
      prompts: productPrompts,
      version: options.build.version,
      calls: () => calls,
      readApp: options.readApp,
    });
  // The SDK passes on the auth object that it gets, so the session is found by it.
  const sessions = new WeakMap<object, McpSession>();
  const served = createMcpHandler(
    ({ authInfo, era }) => {
      const session = authInfo && sessions.get(authInfo);
      if (!session) throw new Error('an MCP request came without its session');
      // A client of 2025 would hear of changes on a stream of its own, which a stateless server does not have.
      return serverFor(era === 'modern' ? { ...session, watch, hasTasks: true } : session);
    },
    {
      responseMode: 'auto',
      onerror: (err) => log.warn({ err }, 'MCP request refused'),
      bus: {
        // Events come from the database, so that replicas tell of each other's changes.
        publish: () => undefined,
        subscribe: (listener) => updateStreams.getStore()?.begin(listener) ?? (() => undefined),
      },
    },
  );
  const handler = toNodeHandler({
    async fetch(request, options) {
      const response = await served.fetch(request, options);
      // The SDK keeps the connection of an event stream open even if the client or a stop wants it closed.
      response.headers.delete('connection');
      return response;
    },
  });
  const guard = hostGuard(publicUrl);
  const requireWithinLimit = messageLimit(toolsets);
  const long = longArguments(toolsets);
  /** Throws ToolError for a bad selection, a message that is too large and a lack of memory; NotJson. */
  const readRequest = async (
    ctx: Context,
    { keyType, projectId }: Caller,
  ): Promise<{ selection: Selection; message: unknown; longTexts?: ReadonlyMap<string, LongText> }> => {
    const selection = parseSelection(toolsets, new URLSearchParams(ctx.querystring));
    if (ctx.method !== 'POST') return { selection, message: undefined };
    // A publishable key stands in web pages, and calls no tool.
    const limit = keyType === 'publishable' ? envelope : largestMessage;
    const held = bodies.hold(ctx.req, limit, projectId);
    if (ctx.res.closed) held?.release();
    else ctx.res.once('close', () => held?.release());
    const read = () => readShortenedJson(ctx.req, limit, long);
    const shortened = await (held ? held.read(ctx.req, read) : read());
    requireWithinLimit(shortened);
    const message = withoutAbyss(parseJson(shortened.text));
    requireMembers(message);
    return { selection, message, longTexts: shortened.longTexts };
  };
  const openCalls = new OpenCalls();
  const updateStreams = new AsyncLocalStorage<UpdateStream>();
  const middleware: Middleware = async (ctx) => {
    const state = ctx.state as RequestState;
    state.route = '/mcp';
    guard(ctx.req);
    setCors(ctx);
    if (ctx.method === 'OPTIONS') {
      ctx.status = 204;
      return;
    }
    let credential: string | undefined;
    if (oauth)
      state.challenge = () => oauth.challenge(ctx, credential === undefined ? undefined : 'invalid_token');
    credential = credentialOf(ctx.req.rawHeaders);
    const caller = await authenticate(credential);
    state.caller = caller;
    const read = await readRequest(ctx, caller).catch((refusal: unknown) => ({ refusal }));
    // Read once for the whole request, after its body, so that a call in it need not read it again.
    const keyStatus = await runtime.keyStatus(caller);
    if (keyStatus?.keyStatus !== 'active') throw unauthorized();
    if ('refusal' in read) {
      if (!(read.refusal instanceof NotJson)) throw read.refusal;
      ctx.status = 400;
      ctx.body = parseError;
      return;
    }
    const { selection, message, longTexts } = read;
    if (oauth) requireScope(ctx, oauth, caller, selection, accessOfCall(message));
    const client = `${caller.keyId} ${ctx.get(sessionHeader)}`;
    for (const id of cancelledIn(message)) openCalls.cancel(client, id);
    if (isInitialize(message)) ctx.set(sessionHeader, randomUUID());
    const auth = { token: '', clientId: caller.keyId, scopes: [] };
    sessions.set(auth, {
      selection,
      requestId: state.requestId,
      noteTool: (name) => {
        state.tool = name;
      },
      listedFor: async () => caller,
      caller: () => caller,
      keyStatus,
      longTexts,
      runtime: () => runtime,
      openCall: (id) => openCalls.begin(client, id),
    });
    const updates = new UpdateStream();
    const listen = listenRequestIn(message);
    const records =
      listen && watchedRecords(visibleTools(listing, caller, selection), caller, listen.addresses);
    if (records) {
      const events = {
        onUpdate: (address: string) => updates.tell(address),
        onEnd: () => void ctx.res.destroy(),
        expiresAt: oauth?.expiryOf(caller),
      };
      const end = await watch.open(records, events);
      if (!end) {
        const error = { code: -32_603, message: tooManySubscriptions };
        ctx.body = { jsonrpc: '2.0', id: listen.id, error };
        return;
      }
      if (ctx.res.closed) end();
      else ctx.res.once('close', end);
    }
    ctx.respond = false;
    lastWords(ctx.res, () =>
      ctx.res.end(`\n\nevent: message\ndata: ${JSON.stringify(stopped(message))}\n\n`),
    );
    const request = Object.assign(ctx.req, { auth }) as NodeIncomingMessageLike;
    const served = records ? listen.asking([...records.keys()]) : message;
    await updateStreams.run(updates, () => handler(request, ctx.res, served));
  };
  return Object.assign(middleware, {
    endSubscriptions: () => watch.close(),
    endTasks: () => calls.tasks.end(),
  });
}

/** Response headers that a page may read: of the protocol, of OAuth (RFC 9728), and of Parley. */
const exposedHeaders = 'mcp-session-id, www-authenticate, x-request-id, retry-after';
/** Seconds; Chromium's maximum for a cached preflight. */
const preflightAge = '7200';

/**
 * Lets the pages of allowed origins call and read every response, errors included (Fetch, CORS protocol). The headers
 * that a page may send are those that it asks for, because clients name headers after the inputs of tools
 * (`Mcp-Param-*`).
 */
function setCors(ctx: Context): void {
  ctx.vary('Origin');
  const { origin } = ctx.req.headers;
  if (origin === undefined) return;
  ctx.set('access-control-allow-origin', origin);
  ctx.set('access-control-expose-headers', exposedHeaders);
  if (ctx.method !== 'OPTIONS') return;
  ctx.set('access-control-allow-methods', 'POST, GET, DELETE');
  ctx.set('access-control-allow-headers', ctx.get('access-control-request-headers'));
  ctx.set('access-control-max-age', preflightAge);
}

/**
 * A call that needs more access than the token has is refused before the SDK sees it, because clients look for the status
 * and the header (MCP, Authorization, step-up). Nobody can get more than the key that signed in, or the selection, has.
 * @throws ToolError `forbidden`
 */
function requireScope(
  ctx: Context,
  oauth: McpAuthorization,
  caller: Caller,
  selection: Selection,
  access: Access | undefined,
): void {
  if (access === undefined || !(selection.access?.includes(access) ?? true)) return;
  if (!oauth.canStepUp(caller, access)) return;
  ctx.set('www-authenticate', oauth.challenge(ctx, 'insufficient_scope', [...caller.access, access]));
  throw new ToolError('forbidden', `This call needs the access "${access}", which the token lacks.`);
}

function isInitialize(message: unknown): boolean {
  return (
    typeof message === 'object' && message !== null && 'method' in message && message.method === 'initialize'
  );
}

/** Returns a function that finds the access that the tool of a `tools/call` needs. */
function accessOfCalls(toolsets: Toolsets): (message: unknown) => Access | undefined {
  const accessOf = new Map(toolsOf(toolsets).map(({ name, access }) => [name, access]));
  return (message) => {
    if (!isJsonObject(message) || message['method'] !== 'tools/call' || !isJsonObject(message['params']))
      return;
    const access = accessOf.get(String(message['params']['name']));
    return access === 'none' ? undefined : access;
  };
}

/** The response to a call that a stop of the server cuts (JSON-RPC 2.0, section 5.1). */
function stopped(message: unknown) {
  const id = typeof message === 'object' && message !== null && 'id' in message ? message.id : null;
  return {
    jsonrpc: '2.0',
    id,
    error: { code: -32_603, message: 'The server is stopping and cut this call. Call it again.' },
  };
}
