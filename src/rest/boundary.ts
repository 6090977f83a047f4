import { setTimeout as delay, setImmediate } from 'node:timers/promises';
import type { Context, Middleware } from 'koa';
import type { GuessingThrottle } from '../auth/guessing.ts';
import { codeOf, errorAnswer, type ToolError, toToolError } from '../errors.ts';
import { requireWellFormed } from '../http/guard.ts';
import { newRequestState, type RequestState } from '../http/request-state.ts';
import { closeAfterAnswer } from '../http/server.ts';
import { isSecurityEvent, type Log, noteSecurityEvent } from '../log.ts';

/**
 * Comes first: every failure below it gets the body, the id and the headers of `service-api` part 7, and every
 * request one line in the log.
 */
export function errorBoundary(log: Log, throttle: GuessingThrottle): Middleware {
  return async (ctx, next) => {
    const state = newRequestState();
    ctx.state = state;
    const start = performance.now();
    ctx.res.once('close', () => writeLine(log, ctx, state, performance.now() - start));
    ctx.set('x-request-id', state.requestId);
    ctx.set('cache-control', 'no-store');
    try {
      requireWellFormed(ctx.req);
      await next();
    } catch (thrown) {
      // Nobody is left to read an answer.
      if (ctx.req.socket.destroyed) return;
      const error = toToolError(thrown);
      noteFailure(log, ctx, state, error);
      if (error.status === 401) await delay(throttle.refused(ctx.req.socket.remoteAddress ?? ''));
      answerError(ctx, state, error);
    }
    if (!ctx.req.complete && !ctx.res.headersSent) await closeUnlessReceived(ctx);
  };
}

/** What is still to come of a request that is answered already is not worth reading. */
async function closeUnlessReceived({ req, res }: Context): Promise<void> {
  // The parser may hold the rest by now.
  await setImmediate();
  if (!req.complete && !res.headersSent) closeAfterAnswer(req, res);
}

function answerError(ctx: Context, { requestId, envelope }: RequestState, error: ToolError): void {
  const { status, body } = errorAnswer(error, requestId, envelope);
  if (status === 401) ctx.set('www-authenticate', 'Bearer');
  if (error.retryAfter !== undefined) ctx.set('retry-after', String(error.retryAfter));
  if (status === 413) closeAfterAnswer(ctx.req, ctx.res);
  if (!error.passedOn) {
    answerJson(ctx, status, body);
    return;
  }
  ctx.status = status;
  ctx.set('content-type', error.passedOn.contentType);
  ctx.body = Buffer.from(error.passedOn.body);
}

/** Answers with JSON, serialised here: Koa would look the content type up anew for every answer. */
export function answerJson(ctx: Context, status: number, body: unknown, json = JSON.stringify(body)): void {
  ctx.status = status;
  ctx.set('content-type', 'application/json; charset=utf-8');
  ctx.body = json;
}

/** A failure of ours with its cause; a refusal that may be an attack as a security event (ASVS 16.3). */
function noteFailure(log: Log, ctx: Context, state: RequestState, error: ToolError): void {
  const { requestId, caller, tool } = state;
  if (error.status >= 500 && error.status !== 501) {
    log.error({ requestId, tool, code: codeOf(error.cause), err: error.cause ?? error }, 'request failed');
    return;
  }
  const address = ctx.req.socket.remoteAddress;
  if (isSecurityEvent(error.code, tool))
    noteSecurityEvent(log, { event: error.code, requestId, tool, address, caller });
}

function writeLine(log: Log, ctx: Context, state: RequestState, elapsed: number): void {
  const { requestId, route, tool, caller } = state;
  log.info(
    {
      requestId,
      method: ctx.method,
      route: route ?? 'none',
      tool,
      status: ctx.res.writableFinished ? ctx.res.statusCode : 499,
      ms: Math.round(elapsed * 10) / 10,
      projectId: caller?.projectId,
      keyId: caller?.keyId,
    },
    'request',
  );
}
