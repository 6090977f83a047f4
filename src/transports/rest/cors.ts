import type { Context, Middleware } from 'koa';
import type { Tool } from '../../operation/define.ts';
import { isSessionAddress } from '../../resources/sessions/session-token.ts';
import type { RequestState } from '../http/request-state.ts';

/** Headers that a page may send. */
const allowedHeaders = 'authorization, x-api-key, content-type, idempotency-key';
/** Response headers that a page may read, in addition to those that are always exposed. */
const exposedHeaders = 'x-request-id, retry-after, ratelimit, ratelimit-policy';
/** Seconds; Chromium's maximum for a cached preflight. */
const preflightAge = '7200';

/**
 * Lets pages of any origin read every response of the operations with `cors`, errors included (Fetch, CORS protocol).
 * It runs before the error boundary, so that errors carry the headers too. Parley uses no cookies, so a page can do
 * nothing that another program cannot.
 */
export function corsHeaders(tools: readonly Tool[]): Middleware {
  const paths = new Set(tools.filter(({ special }) => special.browsers).map(({ rest }) => rest.path));
  return (ctx, next) => {
    // Koa's own path throws if the target is malformed.
    const { url = '' } = ctx.req;
    const query = url.indexOf('?');
    const path = query < 0 ? url : url.slice(0, query);
    if (paths.has(path) || isSessionAddress(path)) {
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

/** Answers a browser's preflight request. Any other OPTIONS goes to the next middleware. */
export function preflight({ rest }: Tool): Middleware {
  return preflightOf(rest.method, rest.path);
}

/** {@link preflight} of any route. */
export function preflightOf(method: string, route: string): Middleware {
  return async (ctx, next) => {
    if (!isPreflight(ctx)) {
      await next();
      return;
    }
    (ctx.state as RequestState).route = route;
    ctx.set('access-control-allow-methods', method);
    ctx.set('access-control-allow-headers', allowedHeaders);
    ctx.set('access-control-max-age', preflightAge);
    ctx.status = 204;
  };
}

function isPreflight({ req: { headers } }: Context): boolean {
  return headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
}
