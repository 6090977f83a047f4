import type { Provider } from '../config/models.ts';
import type { Use } from '../store/usage.ts';
import { gather, Tapped } from './body.ts';
import { contentTypeOf } from './chat.ts';
import type { Meter } from './chat-usage.ts';
import type { UpstreamAnswer } from './exchange.ts';
import { connectionFailure, UpstreamFailure } from './failure.ts';
import { editMembers, type MemberEdits } from './json-members.ts';
import type { Models } from './models.ts';
import { type Recording, withRecording } from './reference-voice.ts';
import { type Tier, tierOf } from './routes.ts';
import type { UpstreamRequest } from './upstream.ts';

/** What of a request for speech is read here. */
export interface SpeechInput {
  readonly model: string;
  readonly input: string;
  readonly stream?: boolean | null | undefined;
  readonly stream_format?: unknown;
  readonly tier?: string | undefined;
}

/** Who speaks: somebody whom the upstream knows, by a JSON value of its own, or whoever is heard in a recording. */
export type Speaker = { readonly known: unknown } | { readonly recording: Recording };

/** Speech, wanted. */
export interface SpeechRequest {
  readonly input: SpeechInput;
  /** The request as JSON text, of which `input` was read: it goes upstream with as little changed as can be. */
  readonly text: Buffer;
  readonly speaker: Speaker;
  readonly signal: AbortSignal;
  /** `traceparent`, for the upstream. */
  readonly trace: string | undefined;
  readonly meter: Meter;
}

/** Sound, or its events, as the upstream sends it. */
export interface SpeechAnswer {
  readonly contentType: string;
  readonly body: Tapped;
  /** In bytes, where the upstream says it beforehand. */
  readonly length: number | undefined;
}

/**
 * Has a model speak.
 * @throws what `Models.ask` throws
 */
export type Speak = (request: SpeechRequest) => Promise<SpeechAnswer>;

const sound = /^(?:audio\/|application\/(?:octet-stream|ogg)\b)/i;
const soundOrEvents = /^(?:audio\/|application\/(?:octet-stream|ogg)\b|text\/event-stream\b)/i;

/** Speech by these models. */
export function speeches(models: Models): Speak {
  return async (request) => {
    const { input, signal, trace, meter } = request;
    const { model, tier } = input;
    try {
      return await models.ask({
        service: 'speech',
        wanted: { model, tier },
        signal,
        trace,
        request: (target) => requestFor(request, target.model, target.provider),
        take: (answer, { provider: { name } }) => takeSound(answer, name, request),
      });
    } catch (error) {
      // It may have been spoken all the same.
      if (signal.aborted) meter(speechUses(tierOf(tier), input.input));
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
  const edits: MemberEdits = new Map([
    ['tier', null],
    ['model', JSON.stringify(model)],
  ]);
  const path = '/audio/speech';
  if ('recording' in speaker) {
    const { length, body } = withRecording(text, edits, speaker.recording, voiceReference);
    return { path, headers: { ...headers, 'content-length': String(length) }, body };
  }
  const body = editMembers(text, new Map([...edits, ['voice', JSON.stringify(speaker.known)]]));
  return { path, headers, body };
}

async function takeSound(
  answer: UpstreamAnswer,
  provider: string,
  { input, signal, meter }: SpeechRequest,
): Promise<SpeechAnswer> {
  const asksForEvents = input.stream === true || input.stream_format === 'sse';
  const contentType = contentTypeOf(answer, provider, asksForEvents ? soundOrEvents : sound);
  // Until the first bytes are there it can still be had elsewhere.
  const { begun } = await gather(answer.body, 0).catch((error: unknown) => {
    throw signal.aborted ? error : connectionFailure(provider, error);
  });
  if (!begun) throw new UpstreamFailure(`${provider} answered with no sound`);
  const body = new Tapped(
    answer.body,
    {
      piece: (piece) => piece,
      end: () => undefined,
      broken: (error) => connectionFailure(provider, error),
      settled: () => meter(speechUses(tierOf(input.tier), input.input)),
    },
    begun,
  );
  return { contentType, body, length: lengthOf(answer) };
}

function lengthOf({ headers }: UpstreamAnswer): number | undefined {
  const { 'content-length': length, 'content-encoding': encoding } = headers;
  return encoding === undefined && typeof length === 'string' ? Number(length) : undefined;
}

/** A call with its characters. */
function speechUses(mode: Tier, text: string): readonly Use[] {
  const of = { service: 'tts', mode } as const;
  return [
    { ...of, metric: 'requests', quantity: 1 },
    { ...of, metric: 'chars', quantity: charactersOf(text) },
  ];
}

/** Characters as Unicode counts them, and whoever sells speech: an emoji is one, though JavaScript has two units for it. */
function charactersOf(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}
