import type { Middleware } from 'koa';
import type { Tracing } from '../../platform/tracing/spans.ts';
import { clientLeft } from '../http/request-metrics.ts';
import type { RequestState } from '../http/request-state.ts';

/** Puts each request into a span, from its headers to the end of its response. Continues the trace of the caller. */
export function tracedRequests(tracing: Tracing): Middleware {
  return (ctx, next) => {
    const { method } = ctx;
    const start = {
      name: method,
      kind: 'server',
      attributes: { 'http.request.method': method },
      caller: ctx.req.headers,
    } as const;
    return tracing.within(start, (span) => {
      ctx.res.once('close', () => {
        const { route, tool, requestId, caller } = ctx.state as Partial<RequestState>;
        const status = ctx.res.writableFinished ? ctx.res.statusCode : clientLeft;
        span.end({
          ...(route !== undefined && { name: `${method} ${route}` }),
          attributes: {
            'http.route': route,
            'http.response.status_code': status,
            'parley.operation': tool,
            'parley.request_id': requestId,
            'parley.project_id': caller?.projectId,
          },
          failure: status >= 500 ? String(status) : undefined,
        });
      });
      return next();
    });
  };
}
