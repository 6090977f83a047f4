import type { Middleware } from 'koa';
import { ToolError } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import { readBuiltFiles } from './built-files.ts';
import { builtWebFolder } from './built-folder.ts';
import { type DemoKey, demoKeyPath, isOwnBrowser } from './demo-key.ts';
import { type BuiltFiles, cacheControlOf, sendFile, setRoute } from './send-file.ts';
import { serveWidget } from './widget.ts';

/** Everything that the pages need; they import no operation. */
export interface PagesOptions {
  /** The version of the program. */
  readonly version: string;
  readonly log: Log;
  /** Returns the key of the demo. Undefined: nobody gets it from this server. */
  readonly demoKey?: DemoKey | undefined;
  /** The address of the server, in which the sessions that it plays have theirs. */
  readonly address: () => string;
  /** The services that have a model. */
  readonly models: { readonly speech: boolean; readonly transcription: boolean };
  /** The LiveKit server whose rooms the Studio joins for calls. Undefined: there is none. */
  readonly liveKitUrl: string | undefined;
}

/** The pages for people. */
export interface Pages {
  /** Serves `/`, everything below `/studio`, and the widget, and passes on any other request. */
  readonly middleware: Middleware;
  /** Resolves to whether the pages can be served, once they are built. */
  readonly ready: Promise<boolean>;
}

const folder = '/studio/';

/**
 * No outside host but the server of calls, no inline script and no inline style. `blob:` is for what a page makes itself:
 * drawings to save, and speech.
 */
const contentSecurityPolicy = (liveKitUrl: string | undefined) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' blob: data:",
    "font-src 'self'",
    ["connect-src 'self'", ...(liveKitUrl === undefined ? [] : originsOf(liveKitUrl))].join(' '),
    "media-src 'self' blob:",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');

/** LiveKit's client opens a WebSocket, and asks the same host over HTTP why that has failed. */
function originsOf(liveKitUrl: string): string[] {
  const { protocol, host } = new URL(liveKitUrl);
  return /^(?:wss|https):$/.test(protocol)
    ? [`wss://${host}`, `https://${host}`]
    : [`ws://${host}`, `http://${host}`];
}

const securityHeaders = (liveKitUrl: string | undefined) => ({
  'content-security-policy': contentSecurityPolicy(liveKitUrl),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(self), payment=(), usb=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
});

/** Opens the Studio. In a checkout it is built meanwhile, if its sources have changed; requests for it wait for that. */
export function openPages({ version, log, address, demoKey, models, liveKitUrl }: PagesOptions): Pages {
  const built = load(log);
  const widget = serveWidget(built, address);
  const headers = securityHeaders(liveKitUrl);
  const middleware: Middleware = async (ctx, next) => {
    const { path, method } = ctx;
    if (path === demoKeyPath && method === 'POST' && demoKey) {
      setRoute(ctx, demoKeyPath);
      ctx.body = { key: demoKey(ctx.req) };
      return;
    }
    const isPage = path === '/' || path === '/studio' || path.startsWith(folder);
    if (!isPage || (method !== 'GET' && method !== 'HEAD')) {
      await widget(ctx, next);
      return;
    }
    const name = path.slice(folder.length);
    if (path.startsWith(folder) && name.includes('.')) {
      const file = (await built)?.get(name);
      if (file) {
        setRoute(ctx, `${folder}{file}`);
        sendFile(ctx, file, { ...headers, 'cache-control': cacheControlOf(file) });
      } else await next();
      return;
    }
    ctx.vary('Accept');
    if (ctx.accepts('json', 'html') === 'html') {
      setRoute(ctx, path === '/' ? '/' : `${folder}{page}`);
      const page = (await built)?.get('index.html');
      if (!page) throw new ToolError('not_found', notBuilt);
      sendFile(ctx, page, { ...headers, 'cache-control': cacheControlOf(page) });
      return;
    }
    if (path !== '/') {
      await next();
      return;
    }
    setRoute(ctx, '/');
    ctx.body = {
      name: 'Parley',
      version,
      documentation: { openapi: '/openapi.json', mcp: '/mcp', studio: '/studio/' },
      demo: demoKey !== undefined && isOwnBrowser(ctx.req),
      models,
    };
  };
  return { middleware, ready: built.then((found) => found !== undefined) };
}

const notBuilt =
  'The Studio is not built. Run `npm ci` in the checkout and start the server again; its log says what went wrong. REST under /v1 and MCP at /mcp work.';

/** Returns undefined if there is nothing to serve: the server still serves everything else. */
async function load(log: Log): Promise<BuiltFiles> {
  try {
    return readBuiltFiles(await builtWebFolder());
  } catch (err) {
    log.warn({ err }, 'the Studio is not built');
    return undefined;
  }
}
