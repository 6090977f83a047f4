import { type NodeIncomingMessageLike, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { Context, Middleware } from 'koa';
import { credentialOf } from '../auth/credential.ts';
import { unauthorized } from '../errors.ts';
import { NotJson, parseJson, readBytes } from '../http/body.ts';
import { hostGuard } from '../http/guard.ts';
import type { RequestState } from '../http/request-state.ts';
import type { Log } from '../log.ts';
import type { Authenticate, Build } from '../tool/context.ts';
import { withoutAbyss } from '../tool/json.ts';
import type { Runtime } from '../tool/runtime.ts';
import { parseSelection, type Selection, type Toolsets } from '../tool/selection.ts';
import { listingOf } from './listing.ts';
import { callsOf } from './resources.ts';
import { type McpSession, mcpServers } from './server.ts';

/** Everything that the endpoint needs; it imports no operation. */
export interface McpHttpOptions {
  readonly toolsets: Toolsets;
  readonly build: Build;
  readonly log: Log;
  readonly runtime: Runtime;
  readonly authenticate: Authenticate;
  /** The address of this server for browsers and other machines, besides loopback. */
  readonly publicUrl: string | undefined;
}

/** Bytes: 35 MiB, the largest arguments of a tool and their envelope. Each tool then has its own limit. */
const messageLimit = 36_700_160;

/** JSON-RPC 2.0, section 5.1. */
const parseError = { jsonrpc: '2.0', id: null, error: { code: -32_700, message: 'Parse error' } };

/**
 * Streamable HTTP at `/mcp`, stateless: any replica can serve any call. Host, Origin, the key and the selection are
 * checked before the SDK sees the message.
 */
export function mcpEndpoint(options: McpHttpOptions): Middleware {
  const { runtime, authenticate, publicUrl, toolsets, log } = options;
  const calls = callsOf(toolsets, log);
  const serverFor = mcpServers({
    listing: listingOf(toolsets),
    version: options.build.version,
    calls: () => calls,
  });
  // The SDK passes on the auth object that it gets, so the session is found by it.
  const sessions = new WeakMap<object, McpSession>();
  const served = createMcpHandler(
    ({ authInfo }) => {
      const session = authInfo && sessions.get(authInfo);
      if (!session) throw new Error('an MCP request came without its session');
      return serverFor(session);
    },
    { responseMode: 'auto', onerror: (err) => log.warn({ err }, 'MCP request refused') },
  );
  const handler = toNodeHandler({
    async fetch(request, options) {
      const response = await served.fetch(request, options);
      // The SDK keeps the connection of an event stream open even if the client or a stop wants it closed.
      response.headers.delete('connection');
      return response;
    },
  });
  const guard = hostGuard(publicUrl);
  return async (ctx) => {
    const state = ctx.state as RequestState;
    state.route = '/mcp';
    guard(ctx.req);
    const caller = await authenticate(credentialOf(ctx.req.rawHeaders));
    state.caller = caller;
    const read = await readRequest(ctx, toolsets).catch((refusal: unknown) => ({ refusal }));
    // Read once for the whole request, after its body, so that a call in it need not read it again.
    const keyStatus = await runtime.keyStatus(caller);
    if (keyStatus?.keyStatus !== 'active') throw unauthorized();
    if ('refusal' in read) {
      if (!(read.refusal instanceof NotJson)) throw read.refusal;
      ctx.status = 400;
      ctx.body = parseError;
      return;
    }
    const { selection, message } = read;
    const auth = { token: '', clientId: caller.keyId, scopes: [] };
    sessions.set(auth, {
      selection,
      requestId: state.requestId,
      noteTool: (name) => {
        state.tool = name;
      },
      listedFor: () => caller,
      caller: () => caller,
      keyStatus,
      runtime: () => runtime,
    });
    ctx.respond = false;
    await handler(Object.assign(ctx.req, { auth }) as NodeIncomingMessageLike, ctx.res, message);
  };
}

/** @throws ToolError for a bad selection and for a message that is too large; NotJson */
async function readRequest(
  ctx: Context,
  toolsets: Toolsets,
): Promise<{ selection: Selection; message: unknown }> {
  const selection = parseSelection(toolsets, new URLSearchParams(ctx.querystring));
  if (ctx.method !== 'POST') return { selection, message: undefined };
  return { selection, message: withoutAbyss(parseJson(await readBytes(ctx.req, messageLimit))) };
}
