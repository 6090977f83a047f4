import { createHash } from 'node:crypto';
import type { RouterContext, RouterMiddleware } from '@koa/router';
import Koa, { type Context, type Middleware } from 'koa';
import { toolsOf } from '../../environment/selection.ts';
import { restOperations, type Toolsets } from '../../environment/toolsets.ts';
import type { Authenticate, Caller } from '../../operation/context.ts';
import type { Tool } from '../../operation/define.ts';
import { hasBody, type RawInput } from '../../operation/input.ts';
import { documentedFailure, invoke } from '../../operation/invoke.ts';
import { releaseLongTexts } from '../../operation/long-input.ts';
import { type JsonObject, type ToolResult, type ValueResult, without } from '../../operation/result.ts';
import { ToolError } from '../../platform/errors.ts';
import { type Log, logSecurityEvent } from '../../platform/log.ts';
import { activeTracing } from '../../platform/tracing/spans.ts';
import { Sessions } from '../../resources/sessions/playing/sessions.ts';
import { uploadPath } from '../auth/address-token.ts';
import { ClientAddresses, type Network } from '../auth/client-address.ts';
import { credentialOf } from '../auth/credential.ts';
import { designFilePath } from '../auth/design-address.ts';
import { GuessingThrottle } from '../auth/guessing.ts';
import { type BodyMemory, bodyMemory, type HeldBody } from '../http/body-memory.ts';
import { hasCurrent } from '../http/headers.ts';
import type { RequestMetrics } from '../http/request-metrics.ts';
import type { RequestState } from '../http/request-state.ts';
import type { Spool } from '../http/spool.ts';
import type { ServerRuntime } from '../server-runtime.ts';
import { errorBoundary, jsonType, sendJson } from './boundary.ts';
import { corsHeaders, preflight } from './cors.ts';
import { designFileRoute } from './design-files.ts';
import { eventStreamOf } from './event-stream.ts';
import { inputReader } from './input.ts';
import { openApiDocument } from './openapi.ts';
import { setRateLimits } from './rate-limits.ts';
import { Routes, type Serve } from './routes.ts';
import { registerSecretPage } from './secret-page.ts';
import { sendStream } from './stream.ts';
import { traceOf } from './trace.ts';
import { tracedRequests } from './traced.ts';
import { uploadRoute } from './uploads.ts';
import { registerVoiceWorkers } from './voice-workers.ts';
import { registerSessions } from './web-sessions.ts';
import { wholeListText } from './whole-list.ts';

/** The parts that the REST server is built from. The registry is passed in: the server imports no operation. */
export interface RestOptions {
  readonly toolsets: Toolsets;
  readonly runtime: ServerRuntime;
  readonly authenticate: Authenticate;
  readonly log: Log;
  /** Plays the sessions of visitors; one without metrics by default. */
  readonly sessions?: Sessions | undefined;
  /** Slows callers that guess keys. Tests pass one with their own clock. */
  readonly throttle?: GuessingThrottle;
  /** The proxies that may name the addresses of clients; none by default. */
  readonly trustedProxies?: readonly Network[];
  /** The memory for bodies; that of the process by default. */
  readonly bodies?: BodyMemory | undefined;
  /** Serves `/mcp`. */
  readonly mcp?: Middleware;
  /** Serves OAuth, and passes on every other request. */
  readonly oauth?: Middleware | undefined;
  /** Serves the pages for people, and passes on every other request. */
  readonly pages?: Middleware | undefined;
  readonly metrics?: RequestMetrics | undefined;
}

/** Codes of the errors that a response emits if its client has left. */
const clientLeftCodes = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE']);

/** Returns the REST server: one route per operation, behind one error boundary. */
export function restApp({
  toolsets,
  runtime,
  authenticate,
  log,
  sessions = new Sessions({ runtime, log }),
  throttle = new GuessingThrottle(),
  trustedProxies = [],
  mcp,
  oauth,
  pages,
  metrics,
  bodies = bodyMemory,
}: RestOptions): Koa {
  const app = new Koa();
  app.on('error', (error: Error & { code?: string }) => {
    if (!clientLeftCodes.has(error.code ?? '')) log.error({ err: error }, 'response failed');
  });
  const tools = toolsOf(restOperations(toolsets));
  const tracing = activeTracing();
  if (tracing) app.use(tracedRequests(tracing));
  app.use(corsHeaders(tools));
  const addresses = new ClientAddresses(trustedProxies, () =>
    log.warn(
      'Requests come through a proxy that PARLEY_TRUSTED_PROXIES does not name, so all its clients count as one address.',
    ),
  );
  app.use(errorBoundary(log, throttle, addresses, metrics));
  const routes = new Routes();
  for (const tool of tools) {
    const { path, method } = tool.rest;
    const handler = route(tool, { runtime, authenticate, log, bodies });
    routes.add(method, path.replaceAll(/\{(\w+)\}/g, ':$1'), handler);
    if (tool.special.browsers) routes.at(path).register(path, ['OPTIONS'], preflight(tool));
  }
  registerSessions(routes, { runtime, sessions, log });
  registerVoiceWorkers(routes, runtime);
  const upload = `${uploadPath}/:token`;
  routes.at(upload).register(upload, ['PUT', 'POST'], uploadRoute(runtime));
  const designFile = `${designFilePath}/:token`;
  routes.at(designFile).get(designFile, designFileRoute(runtime));
  registerSecretPage(routes, runtime);
  routes.at('/openapi.json').get('/openapi.json', documentRoute(toolsets, runtime.build.version));
  if (mcp) routes.at('/mcp').all('/mcp', mcp);
  app.use(routes.middleware);
  if (oauth) app.use(oauth);
  if (pages) app.use(pages);
  app.use(() => {
    throw new ToolError(
      'not_found',
      'There is nothing at this path. GET /openapi.json describes the paths that exist.',
    );
  });
  return app;
}

/** Serves the OpenAPI document from a buffer that all responses share, because clients need no key for it. */
function documentRoute(toolsets: Toolsets, version: string): RouterMiddleware {
  const document = Buffer.from(JSON.stringify(openApiDocument(toolsets, version)));
  const etag = `"${createHash('sha256').update(document).digest('base64url')}"`;
  return (ctx) => {
    (ctx.state as RequestState).route = '/openapi.json';
    ctx.status = 200;
    ctx.set({ etag, 'cache-control': 'no-cache', 'content-type': 'application/json; charset=utf-8' });
    if (hasCurrent(ctx.req.headers, etag)) ctx.status = 304;
    else ctx.body = document;
  };
}

type RouteOptions = Required<Pick<RestOptions, 'runtime' | 'authenticate' | 'log'>> & {
  readonly bodies: BodyMemory;
};

function route(tool: Tool, { runtime, authenticate, log, bodies }: RouteOptions): Serve {
  const readInput = inputReader(tool);
  // An upload that stays an upload is spooled to the disk.
  const holdsBody = hasBody(tool) && tool.file === undefined;
  return async (ctx: RouterContext) => {
    const state = ctx.state as RequestState;
    state.envelope = tool.envelope;
    state.route = tool.rest.path;
    state.tool = tool.name;
    if (tool.access !== 'none') {
      const caller = authenticate(credentialOf(ctx.req.rawHeaders));
      // A cached caller is not awaited, so that the query for the key's status leaves before the body is read.
      state.caller = caller instanceof Promise ? await found(tool, caller) : caller;
    }
    const clientGone = new AbortController();
    let spool: Spool | undefined;
    let held: HeldBody | undefined;
    let raw: RawInput | undefined;
    // A finished response has nothing to abort, and an abort costs as much as a query.
    ctx.res.on('close', () => {
      spool?.close();
      held?.release();
      if (!ctx.res.writableFinished) clientGone.abort();
    });
    const keep = (opened: Spool) => {
      spool = opened;
      if (ctx.res.closed) opened.close();
    };
    let result: ToolResult;
    try {
      result = await invoke(runtime, tool, {
        caller: state.caller,
        requestId: state.requestId,
        input(turn) {
          if (!holdsBody) return readInput(ctx, keep, turn);
          held = bodies.hold(ctx.req, tool.bodyLimit, state.caller?.projectId ?? '');
          if (ctx.res.closed) held?.release();
          const read = async () => {
            raw = await readInput(ctx, keep, turn);
            return raw;
          };
          return held ? held.read(ctx.req, read) : read();
        },
        naming: 'rest',
        idempotencyKey: ctx.req.headers['idempotency-key'] as string | undefined,
        origin: ctx.req.headers.origin,
        client: state.client,
        trace: traceOf(ctx.req.headers['traceparent']),
        signal: clientGone.signal,
        noteAllowances: (allowances) => setRateLimits(ctx, allowances),
      });
    } finally {
      held?.release();
      if (raw) releaseLongTexts(raw.value);
    }
    if (tool.special.securityEvent) {
      const { requestId, caller, client } = state;
      logSecurityEvent(log, {
        event: tool.name,
        requestId,
        tool: tool.name,
        address: client?.address,
        caller,
      });
    }
    sendResult(ctx, tool, result, log);
  };
}

/** Waits for a caller that is not cached. */
async function found(tool: Tool, caller: Promise<Caller>): Promise<Caller> {
  try {
    return await caller;
  } catch (thrown) {
    throw documentedFailure(tool, thrown);
  }
}

function sendResult(ctx: Context, tool: Tool, result: ToolResult, log: Log): void {
  const { status } = tool.rest;
  if (result.kind === 'value' && result.rest)
    sendStream(ctx, status, jsonType, wholeListText(result.value, result.rest));
  else if (result.kind === 'value') sendValue(ctx, tool, result);
  else if (result.kind === 'events') {
    const { requestId } = ctx.state as RequestState;
    ctx.set('x-accel-buffering', 'no');
    sendStream(ctx, status, 'text/event-stream; charset=utf-8', eventStreamOf(result.events, requestId, log));
  } else {
    if (result.contentType.startsWith('text/event-stream')) ctx.set('x-accel-buffering', 'no');
    if (result.kind === 'bytes' && result.length !== undefined) ctx.length = result.length;
    sendStream(ctx, status, result.contentType, result.body);
  }
}

/** Sends a value without the members that REST omits. */
function sendValue(ctx: Context, { rest }: Tool, { value, json }: ValueResult): void {
  if (rest.omits.length > 0) sendJson(ctx, rest.status, without(value as JsonObject, rest.omits));
  else sendJson(ctx, rest.status, value, json);
}
