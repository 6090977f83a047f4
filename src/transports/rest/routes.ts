import Router, { type RouterContext } from '@koa/router';

/** Serves a request, or passes it on. */
export type Serve = (ctx: RouterContext, next: () => Promise<unknown>) => Promise<unknown>;

/**
 * Routers by the shape of paths. @koa/router tries each of its routes at each request: with 150 of them, that took 6 % of
 * Node's CPU for a get_flow. A router for each shape has one to six.
 *
 * A path without parameters is found by its text: @koa/router composes the handlers of a route anew for each request.
 */
export class Routes {
  readonly #routers = new Map<string, { readonly router: Router; readonly serve: Serve }>();
  /** By method and path. */
  readonly #fixed = new Map<string, Serve>();

  /** Adds the route of an operation. `pattern` has its parameters as `:name`. */
  add(method: string, pattern: string, handler: Serve): void {
    this.at(pattern).register(pattern, [method], handler);
    if (!pattern.includes(':')) this.#fixed.set(`${method} ${pattern}`, handler);
  }

  /** The router for a pattern, to which routes of its shape are added. */
  at(pattern: string): Router {
    const { kind, place } = shapeOf(pattern);
    const shape = `${kind}/${/^[:{]/.test(place) ? '' : place}`;
    const known = this.#routers.get(shape);
    if (known) return known.router;
    const router = new Router({ sensitive: true, strict: true });
    this.#routers.set(shape, { router, serve: router.routes() as Serve });
    return router;
  }

  /** Serves the requests that have a route, and passes on every other. */
  readonly middleware: Serve = (ctx, next) => {
    const fixed = this.#fixed.get(`${ctx.method} ${ctx.path}`);
    if (fixed) {
      ctx.params = {};
      return fixed(ctx, next);
    }
    const { kind, place } = shapeOf(ctx.path);
    const named = this.#routers.get(`${kind}/${place}`);
    const any = place === '' ? undefined : this.#routers.get(`${kind}/`);
    if (!named) return any ? any.serve(ctx, next) : next();
    return named.serve(ctx, any ? () => any.serve(ctx, next) : next);
  };
}

/**
 * What a pattern shares with the paths that match it. `kind` is the number of segments with the first one that is not a version;
 * no pattern has a parameter there. `place` is the fourth segment, which is a parameter in a few patterns; empty if there is none.
 */
function shapeOf(path: string): { readonly kind: string; readonly place: string } {
  const segments = path.split('/');
  const [, first, second, , fourth = ''] = segments;
  return { kind: `${segments.length}/${first === 'v1' ? second : first}`, place: fourth };
}
