import { setTimeout as delay, setImmediate } from 'node:timers/promises';
import type { Context, Middleware } from 'koa';
import { codeOf, errorAnswer, type ToolError, toToolError } from '../../platform/errors.ts';
import { isSecurityEvent, type Log, logSecurityEvent } from '../../platform/log.ts';
import { activeTracing } from '../../platform/tracing/spans.ts';
import type { ClientAddresses } from '../auth/client-address.ts';
import type { GuessingThrottle } from '../auth/guessing.ts';
import { requireWellFormed } from '../http/guard.ts';
import { clientLeft, type RequestMetrics } from '../http/request-metrics.ts';
import { newRequestState, type RequestState } from '../http/request-state.ts';
import { closeAfterResponse } from '../http/server.ts';
import { setRateLimits } from './rate-limits.ts';

/**
 * The first middleware but for CORS. It turns every failure below it into the error body and headers of
 * `service-api#errors`, and logs one line per request.
 */
export function errorBoundary(
  log: Log,
  throttle: GuessingThrottle,
  addresses: ClientAddresses,
  metrics: RequestMetrics | undefined,
): Middleware {
  return async (ctx, next) => {
    const state = newRequestState(activeTracing()?.traceId(), addresses.of(ctx.req));
    ctx.state = state;
    const start = performance.now();
    metrics?.requestBegins();
    ctx.res.on('close', () => {
      const status = ctx.res.writableFinished ? ctx.res.statusCode : clientLeft;
      logRequest(log, ctx, state, status, performance.now() - start);
      metrics?.requestEnds();
      if (metrics) countCall(metrics, state, status, start);
    });
    // Koa's own `set` makes three lists for each header.
    ctx.res.setHeader('x-request-id', state.requestId);
    ctx.res.setHeader('cache-control', 'no-store');
    try {
      requireWellFormed(ctx.req);
      await next();
    } catch (thrown) {
      // The client has left.
      if (ctx.req.socket.destroyed) return;
      const error = toToolError(thrown);
      logFailure(log, state, error);
      if (error.status === 401) await delay(throttle.refused(state.client?.network ?? ''));
      sendError(ctx, state, error);
    }
    if (!ctx.req.complete && !ctx.res.headersSent) await closeUnlessComplete(ctx);
  };
}

/** Closes the connection instead of reading the rest of a request whose response is ready. */
async function closeUnlessComplete({ req, res }: Context): Promise<void> {
  // The rest may be in the parser already.
  await setImmediate();
  if (!req.complete && !res.headersSent) closeAfterResponse(req, res);
}

function sendError(ctx: Context, { requestId, envelope, challenge }: RequestState, error: ToolError): void {
  const { status, body } = errorAnswer(error, requestId, envelope);
  if (status === 401) ctx.set('www-authenticate', challenge?.() ?? 'Bearer');
  if (error.retryAfter !== undefined) ctx.set('retry-after', String(error.retryAfter));
  if (error.allowances) setRateLimits(ctx, error.allowances);
  if (status === 413) closeAfterResponse(ctx.req, ctx.res);
  if (!error.passedOn) {
    sendJson(ctx, status, body);
    return;
  }
  ctx.status = status;
  ctx.set('content-type', error.passedOn.contentType);
  ctx.body = Buffer.from(error.passedOn.body);
}

export const jsonType = 'application/json; charset=utf-8';

/** Sends JSON. If the request is not complete, Koa sends it later, because the connection may have to close with the response. */
export function sendJson(ctx: Context, status: number, body: unknown, json = JSON.stringify(body)): void {
  const { req, res } = ctx;
  if (!req.complete || res.headersSent) {
    ctx.status = status;
    ctx.set('content-type', jsonType);
    ctx.body = json;
    return;
  }
  sendWhole(ctx, status, jsonType, json);
}

/** Sends a whole response at once, without Koa, which would look up the content type and make three lists for each header. */
export function sendWhole(
  ctx: Context,
  status: number,
  contentType: string,
  text: string,
  encoding: BufferEncoding = 'utf8',
): void {
  const { res } = ctx;
  ctx.respond = false;
  res.statusCode = status;
  res.setHeader('content-type', contentType);
  res.setHeader('content-length', Buffer.byteLength(text, encoding));
  res.end(text, encoding);
}

/** Logs a failure of the server with its cause, and a refusal that may be an attack as a security event (ASVS 16.3). */
function logFailure(log: Log, state: RequestState, error: ToolError): void {
  const { requestId, traceId, caller, tool, client } = state;
  if (error.status >= 500 && error.status !== 501) {
    log.error(
      { requestId, traceId, tool, code: codeOf(error.cause), err: error.cause ?? error },
      'request failed',
    );
    return;
  }
  const address = client?.address;
  if (isSecurityEvent(error.code, tool))
    logSecurityEvent(log, { event: error.code, requestId, tool, address, caller });
}

/** Counts a call in the metrics, by operation. `src/transports/mcp/call.ts` counts the calls of tools. */
function countCall(
  metrics: RequestMetrics,
  { route, tool }: RequestState,
  status: number,
  began: number,
): void {
  const isMcp = route === '/mcp';
  if (isMcp && tool !== undefined) return;
  metrics.callEnds({ operation: tool, transport: isMcp ? 'mcp' : 'rest', status, began });
}

function logRequest(log: Log, ctx: Context, state: RequestState, status: number, elapsed: number): void {
  const { requestId, traceId, route, tool, caller } = state;
  log.info(
    {
      requestId,
      traceId,
      method: ctx.method,
      route: route ?? 'none',
      tool,
      status,
      ms: Math.round(elapsed * 10) / 10,
      projectId: caller?.projectId,
      keyId: caller?.keyId,
    },
    'request',
  );
}
