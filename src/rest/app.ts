import { Readable } from 'node:stream';
import Router, { type RouterContext, type RouterMiddleware } from '@koa/router';
import Koa, { type Context, type Middleware } from 'koa';
import { credentialOf } from '../auth/credential.ts';
import { GuessingThrottle } from '../auth/guessing.ts';
import { ToolError } from '../errors.ts';
import type { RequestState } from '../http/request-state.ts';
import type { Spool } from '../http/spool.ts';
import { type Log, noteSecurityEvent } from '../log.ts';
import type { AuthenticateCaller } from '../tool/context.ts';
import type { Tool } from '../tool/define.ts';
import { invoke } from '../tool/invoke.ts';
import type { ToolResult } from '../tool/result.ts';
import type { Runtime } from '../tool/runtime.ts';
import { type Toolsets, toolsOf } from '../tool/selection.ts';
import { answerJson, errorBoundary } from './boundary.ts';
import { corsHeaders, preflight } from './cors.ts';
import { eventStreamOf } from './event-stream.ts';
import { inputReader } from './input.ts';
import { openApiDocument } from './openapi.ts';
import { traceOf } from './trace.ts';

/** What the REST adapter is handed; it imports no operation. */
export interface RestOptions {
  readonly toolsets: Toolsets;
  readonly runtime: Runtime;
  readonly authenticate: AuthenticateCaller;
  readonly log: Log;
  /** Slows the guessing of keys, as the service wants it unless a test has its own clock. */
  readonly throttle?: GuessingThrottle;
  /** Serves `/mcp`. */
  readonly mcp?: Middleware;
}

/** How a client that left shows. */
const clientLeft = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE']);

/** The REST server: one route for each operation, behind one error boundary. */
export function restApp({
  toolsets,
  runtime,
  authenticate,
  log,
  throttle = new GuessingThrottle(),
  mcp,
}: RestOptions): Koa {
  const app = new Koa();
  // A client that leaves is no failure of ours.
  app.on('error', (error: Error & { code?: string }) => {
    if (!clientLeft.has(error.code ?? '')) log.error({ err: error }, 'response failed');
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
    if (tool.cors) router.register(tool.rest.path, ['OPTIONS'], preflight(tool));
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

function route(tool: Tool, runtime: Runtime, authenticate: AuthenticateCaller, log: Log): RouterMiddleware {
  const readInput = inputReader(tool);
  return async (ctx: RouterContext) => {
    const state = ctx.state as RequestState;
    state.envelope = tool.envelope;
    state.route = tool.rest.path;
    state.tool = tool.name;
    if (tool.access !== 'none') {
      const caller = authenticate(credentialOf(ctx.req.rawHeaders));
      // Without a wait, the question for the status of the key goes out before the body of the request is looked at.
      state.caller = caller instanceof Promise ? await caller : caller;
    }
    const gone = new AbortController();
    let spool: Spool | undefined;
    // An answer that is through has nothing to abort, and an abort costs as much as a query.
    ctx.res.once('close', () => {
      spool?.close();
      if (!ctx.res.writableFinished) gone.abort();
    });
    const answer = await invoke(runtime, tool, {
      caller: state.caller,
      requestId: state.requestId,
      input: () =>
        readInput(ctx, (made) => {
          spool = made;
          if (ctx.res.closed) made.close();
        }),
      naming: 'rest',
      idempotencyKey: ctx.req.headers['idempotency-key'] as string | undefined,
      origin: ctx.req.headers.origin,
      trace: traceOf(ctx.req.headers['traceparent']),
      signal: gone.signal,
    });
    if (tool.securityEvent) {
      const address = ctx.req.socket.remoteAddress;
      const { requestId, caller } = state;
      noteSecurityEvent(log, { event: tool.name, requestId, tool: tool.name, address, caller });
    }
    carry(ctx, tool, answer, log);
  };
}

function carry(ctx: Context, tool: Tool, answer: ToolResult, log: Log): void {
  const { status } = tool.rest;
  if (answer.kind === 'value') answerJson(ctx, status, answer.value, answer.json);
  else if (answer.kind === 'events') {
    const { requestId } = ctx.state as RequestState;
    ctx.set('x-accel-buffering', 'no');
    answerStream(
      ctx,
      status,
      'text/event-stream; charset=utf-8',
      eventStreamOf(answer.events, requestId, log),
    );
  } else {
    if (answer.contentType.startsWith('text/event-stream')) ctx.set('x-accel-buffering', 'no');
    if (answer.kind === 'bytes' && answer.length !== undefined) ctx.length = answer.length;
    answerStream(ctx, status, answer.contentType, answer.body);
  }
}

function answerStream(
  ctx: Context,
  status: number,
  contentType: string,
  body: AsyncIterable<string | Uint8Array> | Uint8Array,
): void {
  ctx.status = status;
  ctx.set('content-type', contentType);
  if (body instanceof Uint8Array) answerWhole(ctx, body);
  else answerPieces(ctx, body instanceof Readable ? body : Readable.from(body, { objectMode: false }));
}

/** Koa's way, a pipeline, makes an error of each stream's end, which costs more than a small answer. */
function answerPieces(ctx: Context, body: Readable): void {
  const { res } = ctx;
  ctx.respond = false;
  body.once('error', (error) => {
    // It was ended because its client has left.
    if (res.destroyed) return;
    // Nobody is to take what has come for the whole.
    res.destroy();
    ctx.app.emit('error', error);
  });
  res.once('close', () => body.destroy()).once('error', () => body.destroy());
  body.pipe(res);
}

/** Bytes that are all there, as a text with a character for each: Node.js then writes them with the headers at once. */
function answerWhole(ctx: Context, body: Uint8Array): void {
  ctx.set('content-length', String(body.length));
  ctx.respond = false;
  ctx.res.end(Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1'), 'latin1');
}
