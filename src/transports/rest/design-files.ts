import type { RouterMiddleware } from '@koa/router';
import { ToolError, unauthorized } from '../../platform/errors.ts';
import { loadDesign } from '../../resources/designs/stored-design.ts';
import { designFilePath, openDesignToken } from '../auth/design-address.ts';
import type { RequestState } from '../http/request-state.ts';
import type { ServerRuntime } from '../server-runtime.ts';
import { sendJson } from './boundary.ts';

/**
 * Sends the design of a version (`decisions#designs-by-file`). Its address is the only credential, for 15 minutes, and as long
 * as the key for which it was made is active.
 */
export function designFileRoute(runtime: ServerRuntime): RouterMiddleware {
  return async (ctx) => {
    // The path holds the token, so the log gets the route.
    (ctx.state as RequestState).route = `${designFilePath}/{token}`;
    const design = openDesignToken(runtime.services, ctx.params['token'] ?? '');
    if (!design) throw refusal('is unknown');
    if (design.expiresAt.getTime() <= Date.now()) throw refusal('has expired');
    const status = await runtime.keyStatus(design);
    if (status?.keyStatus !== 'active') throw unauthorized();
    const { conversationId, version } = design;
    sendJson(ctx, 200, await loadDesign(runtime.stores(design), conversationId, version));
  };
}

function refusal(reason: string): ToolError {
  return new ToolError(
    'not_found',
    `This address of a design ${reason}. read_design {file: true} makes another one.`,
  );
}
