import type { Middleware } from 'koa';
import { ToolError } from '../../platform/errors.ts';
import { type BuiltFiles, cacheControlOf, sendFile, setRoute } from './send-file.ts';

const widgetPath = '/widget.js';
const tryPath = '/widget';
const assetsPath = `${tryPath}/`;

/**
 * The widget is for pages of every origin, and holds no secret. Browsers may keep it for 5 minutes, so that an upgrade of
 * the server reaches visitors soon.
 */
const widgetHeaders = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
  'cache-control': 'public, max-age=300',
};

/** @param server the origin of the addresses of sessions, which may be another one than that of the page */
const tryPolicy = (server: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `connect-src 'self' ${server}`,
    'media-src blob:',
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');

const tryHeaders = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(self), payment=(), usb=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/**
 * Serves the widget and the page to try it on, and passes on any other request.
 * @param address the address of the server, in which sessions have theirs
 */
export function serveWidget(built: Promise<BuiltFiles>, address: () => string): Middleware {
  return async (ctx, next) => {
    const { path, method } = ctx;
    const name = nameOf(path);
    if (name === undefined || (method !== 'GET' && method !== 'HEAD')) {
      await next();
      return;
    }
    const files = await built;
    const file = files?.get(name);
    if (files && !file) {
      await next();
      return;
    }
    setRoute(ctx, path.startsWith(assetsPath) ? `${assetsPath}{file}` : path);
    if (!file)
      throw new ToolError(
        'not_found',
        'The widget is not built. Run `npm ci` in the checkout and start the server again; its log says what went wrong.',
      );
    const ofPage = {
      ...tryHeaders,
      'content-security-policy': tryPolicy(new URL(address()).origin),
      'cache-control': cacheControlOf(file),
    };
    sendFile(ctx, file, path === widgetPath ? widgetHeaders : ofPage);
  };
}

/** The built file behind a path. */
function nameOf(path: string): string | undefined {
  if (path === widgetPath) return 'widget.js';
  if (path === tryPath) return 'widget/index.html';
  return path.startsWith(assetsPath) ? path.slice(1) : undefined;
}
