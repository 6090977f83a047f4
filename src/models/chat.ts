import { errorAnswer } from '../errors.ts';
import type { Log } from '../log.ts';
import { gather, Tapped } from './body.ts';
import { ChatEvents } from './chat-events.ts';
import {
  type ChatMessage,
  chatUses,
  completionUses,
  type Meter,
  streamUses,
  tokensOf,
} from './chat-usage.ts';
import { type Completion, chunksIn, completionIn } from './completion.ts';
import type { UpstreamAnswer } from './exchange.ts';
import { connectionFailure, noModelAnswers, UpstreamFailure } from './failure.ts';
import { editMembers, type MemberEdits } from './json-members.ts';
import type { Models } from './models.ts';
import { tierOf } from './routes.ts';

/** What of a chat completion's request is read here. */
export interface ChatInput {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly stream?: boolean | null | undefined;
  readonly stream_options?: unknown;
  readonly reasoning?: unknown;
  readonly tier?: string | undefined;
}

/** A chat completion, wanted. */
export interface ChatRequest {
  readonly input: ChatInput;
  /** The request as JSON text, of which `input` was read: it goes upstream with as little changed as can be. */
  readonly text: Buffer;
  readonly signal: AbortSignal;
  /** `traceparent`, for the upstream. */
  readonly trace: string | undefined;
  readonly requestId: string;
  readonly meter: Meter;
}

/** A chat completion, or its events, as the upstream sends them. */
export interface ChatAnswer {
  readonly contentType: string;
  readonly body: Buffer | Tapped;
  /** The completion in the whole of the body. Throws ToolError 502 where there is none. */
  readonly interpret: (whole: Uint8Array) => Completion;
  /** The same of a stream, and each of its chunks on the way. */
  readonly events?: (body: AsyncIterable<Uint8Array>) => AsyncGenerator<Record<string, unknown>, Completion>;
}

/**
 * Asks a model for a chat completion.
 * @throws what `Models.ask` throws
 */
export type CompleteChat = (request: ChatRequest) => Promise<ChatAnswer>;

/** Bytes of a JSON answer that are waited for, so that one which breaks off can still be had elsewhere. */
const gatheredAnswer = 1_048_576;
/** Bytes of a longer one that are kept to be counted. */
const countedAnswer = 33_554_432;

/** Chat completions by these models; `log` hears of streams that break off. */
export function chatCompletions(models: Models, log: Log): CompleteChat {
  return async (request) => {
    const { input, text, signal, trace, meter } = request;
    const { model, messages, reasoning, tier } = input;
    try {
      return await models.ask({
        service: 'chat',
        wanted: { model, reasoning, tier },
        signal,
        trace,
        request: (target) => ({
          path: '/chat/completions',
          headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
          body: editMembers(text, editsFor(input, target.model)),
        }),
        take: (answer, { provider: { name } }) =>
          input.stream === true ? takeStream(answer, name, request, log) : takeJson(answer, name, request),
      });
    } catch (error) {
      // It may have been answered all the same.
      if (signal.aborted) meter(chatUses(tierOf(tier), tokensOf(messages), { quantity: 0 }));
      throw error;
    }
  };
}

/** What has to be other than the client wrote it. */
function editsFor(input: ChatInput, model: string): MemberEdits {
  const edits = new Map<string, string | null>([
    ['reasoning', null],
    ['tier', null],
  ]);
  if (model !== input.model) edits.set('model', JSON.stringify(model));
  const { stream, stream_options: options } = input;
  if (
    stream === true &&
    !asksForUsage(input) &&
    typeof (options ?? {}) === 'object' &&
    !Array.isArray(options)
  )
    edits.set('stream_options', JSON.stringify({ ...(options as object | null), include_usage: true }));
  return edits;
}

function asksForUsage({ stream_options: options }: ChatInput): boolean {
  return (
    typeof options === 'object' &&
    options !== null &&
    'include_usage' in options &&
    options.include_usage === true
  );
}

async function takeJson(
  answer: UpstreamAnswer,
  provider: string,
  { input: { tier, messages }, meter, signal }: ChatRequest,
): Promise<ChatAnswer> {
  const contentType = contentTypeOf(answer, provider, /^application\/(?:[\w.-]+\+)?json\b/i);
  const gathered = await gather(answer.body, gatheredAnswer).catch((error: unknown) => {
    throw signal.aborted ? error : connectionFailure(provider, error);
  });
  const { whole, begun } = gathered;
  if (!isObject(whole ?? begun?.[0])) {
    answer.body.destroy();
    throw new UpstreamFailure(`${provider} answered what is no JSON object`);
  }
  const mode = tierOf(tier);
  if (whole) {
    setImmediate(() => meter(completionUses(mode, messages, whole)));
    return { contentType, body: whole, interpret: completionIn };
  }
  const pieces: Buffer[] = [];
  let length = 0;
  const body = new Tapped(
    answer.body,
    {
      piece(piece) {
        length += piece.length;
        if (length <= countedAnswer) pieces.push(piece);
        return piece;
      },
      end: () => undefined,
      broken: (error) => connectionFailure(provider, error),
      settled: () => setImmediate(() => meter(completionUses(mode, messages, Buffer.concat(pieces)))),
    },
    begun,
  );
  return { contentType, body, interpret: completionIn };
}

/** By its first character: what follows is the upstream's affair. */
function isObject(text: Buffer | undefined): boolean {
  return text !== undefined && /^\s*\{/.test(text.toString('latin1', 0, 4096));
}

function takeStream(answer: UpstreamAnswer, provider: string, request: ChatRequest, log: Log): ChatAnswer {
  const contentType = contentTypeOf(answer, provider, /^text\/event-stream\b/i);
  const { input, signal, requestId, meter } = request;
  const events = new ChatEvents(!asksForUsage(input));
  const lastWords = (failure: UpstreamFailure): Buffer => {
    if (!signal.aborted)
      log.error({ requestId, tool: 'create_chat_completion', err: failure }, 'stream broke off');
    const { body } = errorAnswer(noModelAnswers(failure), requestId);
    return Buffer.from(`event: error\ndata: ${JSON.stringify(body)}\n\n`);
  };
  const body = new Tapped(answer.body, {
    piece: (piece) => events.pass(piece),
    end() {
      const rest = events.rest();
      if (events.tally.done) return rest;
      // Its client would take what has come for the whole.
      return Buffer.concat([
        rest,
        Buffer.from(rest.length > 0 ? '\n\n' : ''),
        lastWords(new UpstreamFailure(`${provider} ended a stream before it was done`)),
      ]);
    },
    broken: (error) => (events.tally.done ? Buffer.alloc(0) : lastWords(connectionFailure(provider, error))),
    settled: () => meter(streamUses(tierOf(input.tier), input.messages, events.tally)),
  });
  return { contentType, body, interpret: completionIn, events: chunksIn };
}

/**
 * The type of an answer, which has to be of the wanted ones.
 * @throws UpstreamFailure
 */
export function contentTypeOf({ headers, body }: UpstreamAnswer, provider: string, wanted: RegExp): string {
  const contentType = headers['content-type'];
  if (typeof contentType === 'string' && wanted.test(contentType)) return contentType;
  body.destroy();
  throw new UpstreamFailure(`${provider} answered with another Content-Type than was asked for`);
}
