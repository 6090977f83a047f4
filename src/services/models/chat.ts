import type { ModelTarget } from '../../platform/config/models.ts';
import { errorAnswer } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
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
import { editMembers, type MemberEdits, memberText } from './json-members.ts';
import type { Models } from './models.ts';
import { gather, Tapped } from './response-body.ts';
import { tierOf } from './routes.ts';
import type { UpstreamResponse } from './upstream-call.ts';
import { connectionFailure, noModelAnswers, UpstreamFailure } from './upstream-failure.ts';

/** The members of a chat completion request that Parley reads. */
export interface ChatInput {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly stream?: boolean | null | undefined;
  readonly stream_options?: unknown;
  readonly reasoning?: unknown;
  readonly tier?: string | null | undefined;
}

/** A chat completion to be created. */
export interface ChatRequest {
  readonly input: ChatInput;
  /** The request as the client sent it; it goes upstream with as few changes as possible. */
  readonly text: Buffer;
  readonly signal: AbortSignal;
  /** The `traceparent` header to pass on. */
  readonly trace: string | undefined;
  readonly requestId: string;
  readonly meter: Meter;
}

/** A chat completion or its events, exactly as the upstream sends them. */
export interface ChatResponse {
  readonly contentType: string;
  readonly body: Buffer | Tapped;
  /** The completion in a whole body. Throws ToolError 502 if there is none. */
  readonly interpret: (whole: Uint8Array) => Completion;
  /** For a stream: yields each chunk and returns the completion that they add up to. */
  readonly events?: (body: AsyncIterable<Uint8Array>) => AsyncGenerator<Record<string, unknown>, Completion>;
}

/**
 * Creates a chat completion.
 * @throws what `Models.ask` throws
 */
export type CompleteChat = (request: ChatRequest) => Promise<ChatResponse>;

/** A JSON response of up to so many bytes is read whole first, so that a fallback can replace one that breaks off. */
const longestGathered = 1_048_576;
/** Bytes of a longer response that are kept to estimate its tokens. */
const longestCounted = 33_554_432;

const openingBrace = 0x7b;

/** Chat completions on these models. Streams that break off are logged. */
export function chatCompletions(models: Models, log: Log): CompleteChat {
  return async (request) => {
    const { input, text, signal, trace, meter } = request;
    const { model, messages, reasoning, tier } = input;
    let asked: ModelTarget | undefined;
    try {
      return await models.ask({
        service: 'chat',
        selector: { model, reasoning, tier },
        signal,
        trace,
        request(target) {
          asked = target;
          return {
            path: '/chat/completions',
            headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
            body: editMembers(text, editsFor(input, text, target.model)),
          };
        },
        read(response, target) {
          const { name } = target.provider;
          const priced = { ...request, meter: models.priced(meter, target) };
          return input.stream === true
            ? readStream(response, name, priced, log)
            : readJson(response, name, priced);
        },
      });
    } catch (error) {
      // The upstream may have done the work all the same.
      if (signal.aborted)
        models.priced(meter, asked)(chatUses(tierOf(tier), tokensOf(messages), { quantity: 0 }));
      throw error;
    }
  };
}

/** The members that must differ from what the client wrote. */
function editsFor(input: ChatInput, text: Buffer, model: string): MemberEdits {
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
    edits.set('stream_options', withUsage(options ? memberText(text, 'stream_options') : undefined));
  return edits;
}

/** The text of `stream_options` with `include_usage`; all other members stay as they were sent. */
function withUsage(options: Buffer = Buffer.from('{}')): string {
  return editMembers(options, new Map([['include_usage', 'true']])).toString();
}

function asksForUsage({ stream_options: options }: ChatInput): boolean {
  return (
    typeof options === 'object' &&
    options !== null &&
    'include_usage' in options &&
    options.include_usage === true
  );
}

async function readJson(
  response: UpstreamResponse,
  provider: string,
  { input: { tier, messages }, meter, signal }: ChatRequest,
): Promise<ChatResponse> {
  const contentType = contentTypeOf(response, provider, /^application\/(?:[\w.-]+\+)?json\b/i);
  const gathered = await gather(response.body, longestGathered).catch((error: unknown) => {
    throw signal.aborted ? error : connectionFailure(provider, error);
  });
  const { whole, begun } = gathered;
  if (!isObject(whole ?? begun?.[0])) {
    response.body.destroy();
    throw new UpstreamFailure(`${provider} returned something other than a JSON object`);
  }
  const mode = tierOf(tier);
  if (whole) {
    setImmediate(() => meter(completionUses(mode, messages, whole)));
    return { contentType, body: whole, interpret: completionIn };
  }
  const pieces: Buffer[] = [];
  let length = 0;
  const body = new Tapped(
    response.body,
    {
      piece(piece) {
        length += piece.length;
        if (length <= longestCounted) pieces.push(piece);
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

/** Judged by its first character; the rest is passed on as it is. */
function isObject(text: Buffer | undefined): boolean {
  return text !== undefined && (text[0] === openingBrace || /^\s*\{/.test(text.toString('latin1', 0, 4096)));
}

function readStream(
  response: UpstreamResponse,
  provider: string,
  request: ChatRequest,
  log: Log,
): ChatResponse {
  const contentType = contentTypeOf(response, provider, /^text\/event-stream\b/i);
  const { input, signal, requestId, meter } = request;
  const events = new ChatEvents(!asksForUsage(input));
  const lastWords = (failure: UpstreamFailure): Buffer => {
    if (!signal.aborted)
      log.error({ requestId, tool: 'create_chat_completion', err: failure }, 'stream broke off');
    const { body } = errorAnswer(noModelAnswers(failure), requestId);
    return Buffer.from(`event: error\ndata: ${JSON.stringify(body)}\n\n`);
  };
  const body = new Tapped(response.body, {
    piece: (piece) => events.pass(piece),
    end() {
      const rest = events.rest();
      if (events.tally.done) return rest;
      // Otherwise the client would read the partial response for the whole.
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
 * The Content-Type of a response.
 * @throws UpstreamFailure if it does not match `pattern`
 */
export function contentTypeOf(
  { headers, body }: UpstreamResponse,
  provider: string,
  pattern: RegExp,
): string {
  const contentType = headers['content-type'];
  if (typeof contentType === 'string' && pattern.test(contentType)) return contentType;
  body.destroy();
  throw new UpstreamFailure(`${provider} returned a Content-Type that was not requested`);
}
