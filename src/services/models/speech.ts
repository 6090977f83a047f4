import type { ModelTarget, Provider } from '../../platform/config/models.ts';
import { contentTypeOf } from './chat.ts';
import type { Meter } from './chat-usage.ts';
import { editMembers } from './json-members.ts';
import type { Models } from './models.ts';
import { type Recording, withRecording } from './reference-voice.ts';
import { gather, Tapped } from './response-body.ts';
import { type Tier, tierOf } from './routes.ts';
import type { UpstreamRequest } from './upstream.ts';
import type { UpstreamResponse } from './upstream-call.ts';
import { connectionFailure, UpstreamFailure } from './upstream-failure.ts';
import type { Use } from './use.ts';

/** The members of a speech request that Parley reads. */
export interface SpeechInput {
  readonly model: string;
  readonly input: string;
  readonly stream?: boolean | null | undefined;
  readonly stream_format?: unknown;
  readonly tier?: string | null | undefined;
}

/** The voice: a built-in one, the one in the request (undefined), or a recording to imitate. */
export type Speaker = { readonly builtIn: string | undefined } | { readonly recording: Recording };

/** Speech to be created. */
export interface SpeechRequest {
  readonly input: SpeechInput;
  /** The request as the client sent it; it goes upstream with as few changes as possible. */
  readonly text: Buffer;
  readonly speaker: Speaker;
  readonly signal: AbortSignal;
  /** The `traceparent` header to pass on. */
  readonly trace: string | undefined;
  readonly meter: Meter;
}

/** Audio or its events, exactly as the upstream sends them. */
export interface SpeechResponse {
  readonly contentType: string;
  readonly body: Tapped;
  /** In bytes, if the upstream announces it. */
  readonly length: number | undefined;
}

/**
 * Creates speech.
 * @throws what `Models.ask` throws
 */
export type Speak = (request: SpeechRequest) => Promise<SpeechResponse>;

const sound = /^(?:audio\/|application\/(?:octet-stream|ogg)\b)/i;
const soundOrEvents = /^(?:audio\/|application\/(?:octet-stream|ogg)\b|text\/event-stream\b)/i;

/** Speech on these models. */
export function speeches(models: Models): Speak {
  return async (request) => {
    const { input, signal, trace, meter } = request;
    const { model, tier } = input;
    let asked: ModelTarget | undefined;
    try {
      return await models.ask({
        service: 'speech',
        selector: { model, tier },
        signal,
        trace,
        request(target) {
          asked = target;
          return requestFor(request, target.model, target.provider);
        },
        read: (response, target) =>
          readAudio(response, target.provider.name, { ...request, meter: models.priced(meter, target) }),
      });
    } catch (error) {
      // The upstream may have done the work all the same.
      if (signal.aborted) models.priced(meter, asked)(speechUses(tierOf(tier), input.input));
      throw error;
    }
  };
}

function requestFor(
  { text, speaker }: SpeechRequest,
  model: string,
  { voiceReference }: Provider,
): UpstreamRequest {
  const headers = { 'content-type': 'application/json', accept: '*/*' };
  const edits = new Map([
    ['tier', null],
    ['model', JSON.stringify(model)],
  ]);
  const path = '/audio/speech';
  if ('recording' in speaker) {
    const { length, body } = withRecording(text, edits, speaker.recording, voiceReference);
    return { path, headers: { ...headers, 'content-length': String(length) }, body };
  }
  if (speaker.builtIn !== undefined) edits.set('voice', JSON.stringify(speaker.builtIn));
  return { path, headers, body: editMembers(text, edits) };
}

async function readAudio(
  response: UpstreamResponse,
  provider: string,
  { input, signal, meter }: SpeechRequest,
): Promise<SpeechResponse> {
  const asksForEvents = input.stream === true || input.stream_format === 'sse';
  const contentType = contentTypeOf(response, provider, asksForEvents ? soundOrEvents : sound);
  // Until the first bytes arrive, a fallback can still replace this target.
  const { begun } = await gather(response.body, 0).catch((error: unknown) => {
    throw signal.aborted ? error : connectionFailure(provider, error);
  });
  if (!begun) throw new UpstreamFailure(`${provider} returned no audio`);
  const body = new Tapped(
    response.body,
    {
      piece: (piece) => piece,
      end: () => undefined,
      broken: (error) => connectionFailure(provider, error),
      settled: () => meter(speechUses(tierOf(input.tier), input.input)),
    },
    begun,
  );
  return { contentType, body, length: lengthOf(response) };
}

function lengthOf({ headers }: UpstreamResponse): number | undefined {
  const { 'content-length': length, 'content-encoding': encoding } = headers;
  return encoding === undefined && typeof length === 'string' ? Number(length) : undefined;
}

/** The usage of one call. */
function speechUses(mode: Tier, text: string): readonly Use[] {
  const of = { service: 'tts', mode } as const;
  return [
    { ...of, metric: 'requests', quantity: 1 },
    { ...of, metric: 'chars', quantity: charactersOf(text) },
  ];
}

/** Characters as Unicode and providers count them: an emoji is one, although JavaScript stores two units for it. */
function charactersOf(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}
