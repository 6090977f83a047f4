import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';

/*
 * What koa-body 8.0.1 reads of a context, which it does not document. koa-body is pinned;
 * `test/platform/private-members.test.ts` fails with another version until somebody has compared this file with it.
 */

/** The members of a context that koa-body uses for a body of JSON. */
export interface JsonBodyContext {
  readonly req: IncomingMessage;
  readonly method: string;
  readonly request: { body: unknown };
}

/**
 * A context for koa-body alone (`Context.req`, `Context.method`, `Context.request.body`, `Context.is`).
 * Why: Parley has compared the Content-Type by its own rules, and what koa-body makes of a body must not appear in Koa's
 * context before it has been checked. Test: test/transports/rest/body.test.ts.
 */
export function jsonBodyContext(req: IncomingMessage, method: string): JsonBodyContext & Context {
  const context = { req, method, request: { body: undefined as unknown }, is: () => 'json' };
  return context as unknown as JsonBodyContext & Context;
}
