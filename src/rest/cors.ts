import type { Context, Middleware } from 'koa';
import type { RequestState } from '../http/request-state.ts';
import type { Tool } from '../tool/define.ts';

/** Headers that a page may send: credentials, what a body is, and the key of a retry. */
const allowedHeaders = 'authorization, x-api-key, content-type, idempotency-key';
/** Headers, besides those that every page may read, that answers have for it. */
const exposedHeaders = 'x-request-id, retry-after';
/** Seconds; the longest that Chromium remembers a preflight. */
const preflightAge = '7200';

/**
 * Lets pages of any origin read every answer of these operations' paths, refusals and failures too (Fetch, CORS
 * protocol). It stands before whatever may fail. There are no cookies, so a page gains nothing that a program
 * could not have.
 */
export function corsHeaders(tools: readonly Tool[]): Middleware {
  const paths = new Set(tools.filter(({ cors }) => cors).map(({ rest }) => rest.path));
  return (ctx, next) => {
    // Not Koa's path, which throws where the target is none.
    const [path = ''] = (ctx.req.url ?? '').split('?', 1);
    if (paths.has(path)) {
      const { origin } = ctx.req.headers;
      ctx.vary('Origin');
      if (origin !== undefined) {
        ctx.set('access-control-allow-origin', origin);
        ctx.set('access-control-expose-headers', exposedHeaders);
      }
    }
    return next();
  };
}

/** Answers what a browser asks before it sends a page's request; any other OPTIONS is left to who comes next. */
export function preflight({ rest }: Tool): Middleware {
  return async (ctx, next) => {
    if (!isPreflight(ctx)) {
      await next();
      return;
    }
    (ctx.state as RequestState).route = rest.path;
    ctx.set('access-control-allow-methods', rest.method);
    ctx.set('access-control-allow-headers', allowedHeaders);
    ctx.set('access-control-max-age', preflightAge);
    ctx.status = 204;
  };
}

function isPreflight({ req: { headers } }: Context): boolean {
  return headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
}
