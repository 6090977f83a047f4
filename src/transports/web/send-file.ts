import type { Context } from 'koa';
import { hasCurrent } from '../http/headers.ts';
import type { RequestState } from '../http/request-state.ts';
import type { BuiltFile } from './built-files.ts';

/** The built files by their paths; undefined if they could not be built. */
export type BuiltFiles = ReadonlyMap<string, BuiltFile> | undefined;

/** Names the route of a request for the log and the metrics. */
export function setRoute(ctx: Context, route: string): void {
  (ctx.state as RequestState).route = route;
}

/** Sends a file in the smallest form that the client accepts, or 304 if the client has it. */
export function sendFile(
  ctx: Context,
  { contentType, etag, bodies }: BuiltFile,
  headers: Readonly<Record<string, string>>,
): void {
  ctx.vary('Accept-Encoding');
  ctx.set(headers);
  ctx.set({ etag, 'content-type': contentType });
  if (hasCurrent(ctx.req.headers, etag)) {
    ctx.status = 304;
    return;
  }
  // The smaller form first: browsers list gzip first and rank all they accept equally.
  const encoding = (['br', 'gzip'] as const).find((form) => bodies[form] && ctx.acceptsEncodings(form));
  if (encoding) ctx.set('content-encoding', encoding);
  ctx.status = 200;
  ctx.body = bodies[encoding ?? 'identity'];
}

/** The `cache-control` of a file whose name may hold a hash of its content. */
export function cacheControlOf({ isImmutable }: BuiltFile): string {
  return isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache';
}
