import type { RouterContext } from '@koa/router';
import { validBody } from '../../operation/valid-body.ts';
import { unauthorized } from '../../platform/errors.ts';
import { Answer, Heartbeat } from '../../resources/voice-calls/messages.ts';
import { credentialOf } from '../auth/credential.ts';
import type { RequestState } from '../http/request-state.ts';
import type { ServerRuntime } from '../server-runtime.ts';
import { type JsonBody, jsonBodyReader } from './body.ts';
import { sendJson } from './boundary.ts';
import type { Routes } from './routes.ts';

/** The addresses of voice workers; what follows says what a worker wants. */
export const voicePath = '/v1/voice';

/** Bytes of a request of a worker. */
const bodyLimit = 1_048_576;

/** Registers the addresses of voice workers. They take the credential of workers, and nobody else's. */
export function registerVoiceWorkers(routes: Routes, runtime: ServerRuntime): void {
  const readBody = jsonBodyReader(bodyLimit, true);
  const register = (path: string, handle: (ctx: RouterContext, read: JsonBody) => Promise<void>) => {
    const route = `${voicePath}${path}`;
    routes.at(route).register(route, ['POST'], async (ctx) => {
      (ctx.state as RequestState).route = route;
      const credential = credentialOf(ctx.req.rawHeaders);
      if (credential === undefined || !runtime.isVoiceKey(credential)) throw unauthorized();
      await handle(ctx, await readBody(ctx, async () => undefined));
    });
  };
  register('/calls', async (ctx, { body, issues }) => {
    const { room, worker, projectId = '', web, phone } = validBody(Answer, body, issues);
    const purpose = web ? { projectId, web } : phone && { projectId, phone };
    sendJson(ctx, 201, await runtime.voiceCalls.answer(room, worker, purpose));
  });
  register('/heartbeat', async (ctx, { body, issues }) => {
    const heartbeat = validBody(Heartbeat, body, issues);
    sendJson(ctx, 200, { rooms: await runtime.voiceCalls.beat(heartbeat) });
  });
}
