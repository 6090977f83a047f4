import type { ModelTarget } from '../../platform/config/models.ts';
import type { Meter } from './chat-usage.ts';
import { type FormText, formBody } from './form-body.ts';
import type { Models } from './models.ts';
import { gather, Tapped } from './response-body.ts';
import { tierOf } from './routes.ts';
import type { UpstreamResponse } from './upstream-call.ts';
import { connectionFailure, noModelAnswers, UpstreamFailure } from './upstream-failure.ts';
import type { Use } from './use.ts';
import { waveSeconds } from './wave.ts';

/** A recording to be transcribed. */
export interface Recording {
  readonly size: number;
  readonly contentType: string;
  /** The first bytes of the file. */
  readonly head: Buffer;
  read(): AsyncIterable<Buffer>;
}

/** A transcription to be created. */
export interface TranscriptionRequest {
  readonly model: string;
  readonly tier: string | null | undefined;
  readonly responseFormat: string | undefined;
  readonly recording: Recording;
  readonly fileName: string;
  /** The text fields that go to the model, without `model`. */
  readonly texts: readonly FormText[];
  readonly signal: AbortSignal;
  /** The `traceparent` header to pass on. */
  readonly trace: string | undefined;
  readonly meter: Meter;
}

export interface Transcript extends Record<string, unknown> {
  text: string;
}

/** A transcript or its events, exactly as the upstream sends them. */
export interface TranscriptionResponse {
  readonly contentType: string;
  readonly body: Buffer | Tapped;
  /** The transcript in a whole body. Throws ToolError 502 if there is none. */
  readonly interpret: (whole: Uint8Array) => Transcript;
}

/**
 * Transcribes a recording.
 * @throws what `Models.ask` throws
 */
export type Transcribe = (request: TranscriptionRequest) => Promise<TranscriptionResponse>;

/** The largest response in bytes: hours of speech with the time of each word. It is read whole, so that a fallback can replace one that breaks off. */
const longestResponse = 33_554_432;
/** The longest duration in seconds that Parley believes, because durations are billed. */
const longestRecording = 10_000_000;
/** Of sound. OpenAI's models that bill tokens take one for 100 ms. */
const tokensPerSecond = 10;

/** Response formats other than JSON. */
const textFormats = ['text', 'srt', 'vtt'];

/** Transcriptions on these models. */
export function transcriptions(models: Models): Transcribe {
  return async (request) => {
    const { model, tier, texts, recording, fileName, signal, trace, meter } = request;
    let asked: ModelTarget | undefined;
    try {
      return await models.ask({
        service: 'transcription',
        selector: { model, tier },
        signal,
        trace,
        request(target) {
          asked = target;
          const { size, contentType } = recording;
          const file = { name: 'file', fileName, size, contentType, read: () => recording.read() };
          const { headers, body } = formBody([['model', target.model], ...texts], file);
          return { path: '/audio/transcriptions', headers, body };
        },
        read: (response, target) =>
          readTranscript(response, target.provider.name, { ...request, meter: models.priced(meter, target) }),
      });
    } catch (error) {
      // The upstream may have done the work all the same.
      if (signal.aborted) models.priced(meter, asked)(usesOf(request));
      throw error;
    }
  };
}

async function readTranscript(
  response: UpstreamResponse,
  provider: string,
  request: TranscriptionRequest,
): Promise<TranscriptionResponse> {
  const contentType = String(response.headers['content-type'] ?? '');
  const kind = kindOf(contentType, request);
  if (!kind) {
    response.body.destroy();
    throw new UpstreamFailure(`${provider} returned a Content-Type that was not requested`);
  }
  const { meter, signal } = request;
  const interpret = interpreters[kind];
  if (kind === 'events') {
    const body = new Tapped(response.body, {
      piece: (piece) => piece,
      end: () => undefined,
      broken: (error) => connectionFailure(provider, error),
      settled: () => meter(usesOf(request)),
    });
    return { contentType, body, interpret };
  }
  const { whole } = await gather(response.body, longestResponse).catch((error: unknown) => {
    throw signal.aborted ? error : connectionFailure(provider, error);
  });
  if (!whole) {
    response.body.destroy();
    throw new UpstreamFailure(`${provider} returned an endless body`);
  }
  const transcript = kind === 'json' ? transcriptIn(whole) : undefined;
  if (kind === 'json' && !transcript)
    throw new UpstreamFailure(`${provider} returned something other than a transcript`);
  meter(usesOf(request, transcript));
  return { contentType, body: whole, interpret };
}

type Kind = 'json' | 'events' | 'text';

/** The kind of a response; undefined if it was not requested. */
function kindOf(contentType: string, { responseFormat, texts }: TranscriptionRequest): Kind | undefined {
  if (/^application\/(?:[\w.-]+\+)?json\b/i.test(contentType)) return 'json';
  if (/^text\/event-stream\b/i.test(contentType))
    return texts.some(([name, text]) => name === 'stream' && text === 'true') ? 'events' : undefined;
  // An HTML page comes from a proxy in between.
  if (contentType === '' || /^text\/html\b/i.test(contentType)) return undefined;
  return textFormats.includes(responseFormat ?? '') ? 'text' : undefined;
}

const interpreters: Readonly<Record<Kind, (whole: Uint8Array) => Transcript>> = {
  json: (whole) => transcriptIn(whole) ?? noTranscript(),
  text: (whole) => ({ text: Buffer.from(whole).toString() }),
  /** The last event of a stream holds the whole transcript. */
  events: (whole) => {
    const events = Buffer.from(whole)
      .toString()
      .matchAll(/^data: ?(\{.*\})\r?$/gm);
    const [last] = [...events].flatMap(([, data]) => transcriptIn(Buffer.from(data ?? '')) ?? []).slice(-1);
    return last ?? noTranscript();
  },
};

function noTranscript(): never {
  throw noModelAnswers(new UpstreamFailure('the model returned something other than a transcript'));
}

function transcriptIn(json: Uint8Array): Transcript | undefined {
  try {
    const value = JSON.parse(Buffer.from(json).toString()) as { text?: unknown } | null;
    return typeof value?.text === 'string' ? (value as Transcript) : undefined;
  } catch {
    // Not JSON. The caller decides what that means.
    return undefined;
  }
}

/** The usage of one call, as the upstream reports it, or from the recording's header. */
function usesOf({ tier, recording }: TranscriptionRequest, transcript?: Transcript): readonly Use[] {
  const of = { service: 'stt', mode: tierOf(tier) } as const;
  const reported = reportedSeconds(transcript);
  const header = () => waveSeconds(recording.head, recording.size) ?? 0;
  return [
    { ...of, metric: 'requests', quantity: 1 },
    reported === undefined
      ? { ...of, metric: 'seconds', quantity: header(), estimated: true }
      : { ...of, metric: 'seconds', quantity: reported },
  ];
}

/** `duration` of OpenAI's verbose format, or the duration or tokens of sound that it bills for any other. */
function reportedSeconds(transcript: Transcript | undefined): number | undefined {
  const { duration, usage }: Record<string, unknown> = transcript ?? {};
  const billed = usage as Billed | null | undefined;
  const ofTokens = Number(billed?.input_token_details?.audio_tokens) / tokensPerSecond;
  return [duration, billed?.seconds, ofTokens]
    .map(Number)
    .find((seconds) => seconds > 0 && seconds <= longestRecording);
}

interface Billed {
  readonly seconds?: unknown;
  readonly input_token_details?: { readonly audio_tokens?: unknown } | null;
}
