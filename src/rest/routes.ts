import Router, { type RouterContext } from '@koa/router';
import type { Next } from 'koa';

/**
 * Routers by the shape of paths. @koa/router tries each of its routes at each request: with 150 of them, that took 6 % of
 * Node's CPU for a get_flow. A router for each shape has one to six.
 */
export class Routes {
  readonly #routers = new Map<
    string,
    { readonly router: Router; readonly serve: ReturnType<Router['routes']> }
  >();

  /** The router for a path, to which routes of its shape are added. */
  at(path: string): Router {
    const shape = shapeOf(path);
    const known = this.#routers.get(shape);
    if (known) return known.router;
    const router = new Router({ sensitive: true, strict: true });
    this.#routers.set(shape, { router, serve: router.routes() });
    return router;
  }

  /** Serves the requests that have a route, and passes on every other. */
  readonly middleware = (ctx: RouterContext, next: Next) => {
    const routes = this.#routers.get(shapeOf(ctx.path));
    return routes ? routes.serve(ctx, next) : next();
  };
}

/**
 * What a pattern shares with all paths that match it: the number of segments, and those that are no parameters. Below `/v1`, a
 * kind of record stands in the second and in the fourth place; elsewhere only the first place is sure to be no parameter.
 */
function shapeOf(path: string): string {
  const segments = path.split('/');
  const [, first, second, , fourth] = segments;
  return first === 'v1' ? `${segments.length}/${second}/${fourth}` : `${segments.length}//${first}`;
}
