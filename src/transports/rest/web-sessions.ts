import type { IncomingMessage } from 'node:http';
import type { RouterContext, RouterMiddleware } from '@koa/router';
import { largestUpload } from '../../operation/upload.ts';
import { ToolError, toToolError, unauthorized } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import {
  readLine,
  readMessage,
  readRecordingHead,
  recordingType,
} from '../../resources/sessions/playing/message.ts';
import type { ArrivedToken, Sessions, StreamedEvent } from '../../resources/sessions/playing/sessions.ts';
import { sessionPath } from '../../resources/sessions/session-token.ts';
import type { Recording } from '../../services/models/transcription.ts';
import { credentialOf } from '../auth/credential.ts';
import type { RequestState } from '../http/request-state.ts';
import type { Spool } from '../http/spool.ts';
import type { ServerRuntime } from '../server-runtime.ts';
import { jsonBodyReader } from './body.ts';
import { sendJson } from './boundary.ts';
import { preflightOf } from './cors.ts';
import { errorEvent } from './event-stream.ts';
import { setRateLimits } from './rate-limits.ts';
import type { Routes } from './routes.ts';
import { spoolBody } from './spooled-body.ts';
import { sendStream } from './stream.ts';

/** What the routes of sessions are served with. */
export interface SessionRoutes {
  readonly runtime: ServerRuntime;
  readonly sessions: Sessions;
  readonly log: Log;
}

/** Bytes of a request of a visitor, but for a recording. */
const bodyLimit = 65_536;

/** A request of a visitor whose token is right. */
type Handler = (ctx: RouterContext, token: ArrivedToken) => Promise<void>;

/**
 * Registers the addresses of sessions that this server plays (`decisions#chat-sessions`). They take the token of one
 * session instead of a key, so they are not operations.
 */
export function registerSessions(routes: Routes, { runtime, sessions, log }: SessionRoutes): void {
  const readBody = jsonBodyReader(bodyLimit, true);
  const register = (method: 'GET' | 'POST', path: string, handler: Handler) => {
    const route = `${sessionPath}/{sessionId}${path}`;
    const pattern = `${sessionPath}/:sessionId${path}`;
    const router = routes.at(pattern);
    router.register(pattern, [method], admitted(runtime, route, handler));
    router.register(pattern, ['OPTIONS'], preflightOf(method, route));
  };
  register('GET', '', async (ctx, token) => sendJson(ctx, 200, await sessions.show(token)));
  register('POST', '/messages', async (ctx, token) => {
    const { claims } = token;
    const { body, issues } = await readBody(ctx, () => runtime.services.turn(claims));
    const input = readMessage(body, issues);
    const { requestId } = ctx.state as RequestState;
    await sendEvents(ctx, sessions.play(token, input, requestId), log);
  });
  register('POST', '/speech', async (ctx, token) => {
    const { requestId } = ctx.state as RequestState;
    const { messageId, contentType } = readRecordingHead(ctx.query['messageId'], ctx.req.headers);
    await withRecording(ctx.req, contentType, async (recording, close) => {
      // The turn goes on if the visitor leaves, and needs the recording until it is transcribed.
      const input = { kind: 'speech', messageId, recording, close } as const;
      await sendEvents(ctx, sessions.speak(token, input, requestId), log);
    });
  });
  register('POST', '/say', async (ctx, token) => {
    const { body, issues } = await readBody(ctx, () => runtime.services.turn(token.claims));
    const samples = await sessions.say(token, readLine(body, issues));
    sendStream(ctx, 200, sampleType, samples);
  });
  register('POST', '/transcriptions', async (ctx, token) => {
    await withRecording(ctx.req, recordingType(ctx.req.headers), async (recording, close) => {
      try {
        sendJson(ctx, 200, { text: await sessions.transcribe(token, recording) });
      } finally {
        close();
      }
    });
  });
  register('POST', '/end', async (ctx, token) => {
    sendJson(ctx, 200, await sessions.end(token, (ctx.state as RequestState).requestId));
  });
}

/** The media type of lines that are spoken for a voice worker (RFC 2586 has the other byte order, so this is OpenAI's). */
const sampleType = 'audio/pcm;rate=24000;encoding=signed-int;bits=16';

/** Receives a recording, and hands it on. Whoever gets it closes it, unless it could not be used. */
async function withRecording(
  request: IncomingMessage,
  contentType: string,
  use: (recording: Recording, close: () => void) => Promise<void>,
): Promise<void> {
  let kept: Spool | undefined;
  try {
    const spool = await spoolBody(request, largestUpload, (opened) => {
      kept = opened;
    });
    const { size, head } = spool;
    await use({ size, head, contentType, read: () => spool.read() }, () => spool.close());
  } catch (error) {
    kept?.close();
    throw error;
  }
}

/** Lets a request through whose token, session, origin and rate are right. */
function admitted(runtime: ServerRuntime, route: string, handler: Handler): RouterMiddleware {
  return async (ctx) => {
    (ctx.state as RequestState).route = route;
    const credential = credentialOf(ctx.req.rawHeaders);
    const token = credential === undefined ? undefined : await runtime.openSessionToken(credential);
    if (!token) throw unauthorized();
    const { claims } = token;
    if (claims.sessionId !== ctx.params['sessionId'])
      throw new ToolError('not_found', 'This token belongs to another session.');
    requireOrigin(ctx, claims.origin);
    const { allowances, refusal } = await runtime.admitVisitor(claims);
    setRateLimits(ctx, allowances);
    if (refusal) throw refusal;
    const client = claims.room === undefined ? (ctx.state as RequestState).client : undefined;
    await handler(ctx, { ...token, client });
  };
}

/**
 * A session belongs to the page that started it. Browsers name the origin of every request but reads of the same origin.
 * A session that a server started has none.
 */
function requireOrigin({ method, req }: RouterContext, origin: string | null): void {
  if (origin === null || req.headers.origin === origin) return;
  if (req.headers.origin === undefined && method === 'GET') return;
  throw new ToolError('forbidden', 'This session cannot be used from this origin.');
}

/** Sends a turn as server-sent events. What fails before the first event becomes an error response. */
async function sendEvents(
  ctx: RouterContext,
  events: AsyncGenerator<StreamedEvent, void, undefined>,
  log: Log,
): Promise<void> {
  const first = await events.next();
  const { requestId } = ctx.state as RequestState;
  ctx.set('x-accel-buffering', 'no');
  sendStream(ctx, 200, 'text/event-stream; charset=utf-8', eventTexts(first, events, requestId, log));
}

async function* eventTexts(
  first: IteratorResult<StreamedEvent, void>,
  rest: AsyncGenerator<StreamedEvent, void, undefined>,
  requestId: string,
  log: Log,
): AsyncGenerator<string, void, undefined> {
  try {
    for (let next = first; !next.done; next = await rest.next()) {
      const { event, ...data } = next.value;
      yield `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
    }
  } catch (thrown) {
    const error = toToolError(thrown);
    if (error.status >= 500) log.error({ requestId, err: error.cause ?? error }, 'a turn failed');
    yield errorEvent(error, requestId);
  }
}
