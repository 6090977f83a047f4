import { Readable } from 'node:stream';
import Router, { type RouterContext, type RouterMiddleware } from '@koa/router';
import Koa, { type Context, type Middleware } from 'koa';
import { credentialOf } from '../auth/credential.ts';
import { GuessingThrottle } from '../auth/guessing.ts';
import { ToolError } from '../errors.ts';
import type { RequestState } from '../http/request-state.ts';
import type { Spool } from '../http/spool.ts';

import { type Log, logSecurityEvent } from '../log.ts';
import type { Authenticate } from '../tool/context.ts';

import type { Tool } from '../tool/define.ts';
import { invoke } from '../tool/invoke.ts';
import type { ToolResult } from '../tool/result.ts';
import type { Runtime } from '../tool/runtime.ts';
import { type Toolsets, toolsOf } from '../tool/selection.ts';
import { errorBoundary, sendJson } from './boundary.ts';
import { corsHeaders, preflight } from './cors.ts';
import { eventStreamOf } from './event-stream.ts';
import { inputReader } from './input.ts';
import { openApiDocument } from './openapi.ts';
import { traceOf } from './trace.ts';

/** The parts that the REST server is built from. The registry is passed in: the server imports no operation. */
export interface RestOptions {
  readonly toolsets: Toolsets;
  readonly runtime: Runtime;
  readonly authenticate: Authenticate;
  readonly log: Log;
  /** Slows callers that guess keys. Tests pass one with their own clock. */
  readonly throttle?: GuessingThrottle;
  /** Serves `/mcp`. */
  readonly mcp?: Middleware;
}

/** Codes of the errors that a response emits if its client has left. */
const clientLeftCodes = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE']);

/** Returns the REST server: one route per operation, behind one error boundary. */
export function restApp({
  toolsets,
  runtime,
  authenticate,
  log,
  throttle = new GuessingThrottle(),
  mcp,
}: RestOptions): Koa {
  const app = new Koa();
  app.on('error', (error: Error & { code?: string }) => {
    if (!clientLeftCodes.has(error.code ?? '')) log.error({ err: error }, 'response failed');
  });
  const tools = toolsOf(toolsets);
  app.use(corsHeaders(tools));
  app.use(errorBoundary(log, throttle));
  const router = new Router({ sensitive: true, strict: true });
  for (const tool of tools) {
    router.register(
      tool.rest.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      [tool.rest.method],
      route(tool, runtime, authenticate, log),
    );
    if (tool.special.browsers) router.register(tool.rest.path, ['OPTIONS'], preflight(tool));
  }
  const document = JSON.stringify(openApiDocument(toolsets));
  router.get('/openapi.json', (ctx) => {
    (ctx.state as RequestState).route = '/openapi.json';
    ctx.set('content-type', 'application/json; charset=utf-8');
    ctx.body = document;
  });
  if (mcp) router.all('/mcp', mcp);
  app.use(router.routes());
  app.use(() => {
    throw new ToolError('not_found', 'There is nothing at this path.');
  });
  return app;
}

function route(tool: Tool, runtime: Runtime, authenticate: Authenticate, log: Log): RouterMiddleware {
  const readInput = inputReader(tool);
  return async (ctx: RouterContext) => {
    const state = ctx.state as RequestState;
    state.envelope = tool.envelope;
    state.route = tool.rest.path;
    state.tool = tool.name;
    if (tool.access !== 'none') {
      const caller = authenticate(credentialOf(ctx.req.rawHeaders));
      // A cached caller is not awaited, so that the query for the key's status leaves before the body is read.
      state.caller = caller instanceof Promise ? await caller : caller;
    }
    const clientGone = new AbortController();
    let spool: Spool | undefined;
    // A finished response has nothing to abort, and an abort costs as much as a query.
    ctx.res.once('close', () => {
      spool?.close();
      if (!ctx.res.writableFinished) clientGone.abort();
    });
    const result = await invoke(runtime, tool, {
      caller: state.caller,
      requestId: state.requestId,
      input: () =>
        readInput(ctx, (opened) => {
          spool = opened;
          if (ctx.res.closed) opened.close();
        }),
      naming: 'rest',
      idempotencyKey: ctx.req.headers['idempotency-key'] as string | undefined,
      origin: ctx.req.headers.origin,
      trace: traceOf(ctx.req.headers['traceparent']),
      signal: clientGone.signal,
    });
    if (tool.special.securityEvent) {
      const address = ctx.req.socket.remoteAddress;
      const { requestId, caller } = state;
      logSecurityEvent(log, { event: tool.name, requestId, tool: tool.name, address, caller });
    }
    sendResult(ctx, tool, result, log);
  };
}

function sendResult(ctx: Context, tool: Tool, result: ToolResult, log: Log): void {
  const { status } = tool.rest;
  if (result.kind === 'value') sendJson(ctx, status, result.value, result.json);
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

function sendStream(
  ctx: Context,
  status: number,
  contentType: string,
  body: AsyncIterable<string | Uint8Array> | Uint8Array,
): void {
  ctx.status = status;
  ctx.set('content-type', contentType);
  if (body instanceof Uint8Array) sendWhole(ctx, body);
  else sendPieces(ctx, body instanceof Readable ? body : Readable.from(body, { objectMode: false }));
}

/** Pipes a stream. Koa's own pipeline creates an error at each stream's end, which costs more than a small response. */
function sendPieces(ctx: Context, body: Readable): void {
  const { res } = ctx;
  ctx.respond = false;
  body.once('error', (error) => {
    // The client has left.
    if (res.destroyed) return;
    // Cut the connection, so that the client does not take a part for the whole.
    res.destroy();
    ctx.app.emit('error', error);
  });
  res.once('close', () => body.destroy()).once('error', () => body.destroy());
  body.pipe(res);
}

/** Sends complete bytes as a latin1 text, because Node.js writes a text together with the headers. */
function sendWhole(ctx: Context, body: Uint8Array): void {
  ctx.set('content-length', String(body.length));
  ctx.respond = false;
  ctx.res.end(Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1'), 'latin1');
}
