import type { Use } from '../store/usage.ts';
import { gather, Tapped } from './body.ts';
import type { Meter } from './chat-usage.ts';
import type { UpstreamAnswer } from './exchange.ts';
import { connectionFailure, noModelAnswers, UpstreamFailure } from './failure.ts';
import { type FormText, formBody } from './form-body.ts';
import type { Models } from './models.ts';
import { tierOf } from './routes.ts';
import { waveSeconds } from './wave.ts';

/** A recording that somebody wants as text. */
export interface Recording {
  readonly size: number;
  readonly contentType: string;
  /** Its first bytes. */
  readonly head: Buffer;
  read(): AsyncIterable<Buffer>;
}

/** A transcription, wanted. */
export interface TranscriptionRequest {
  readonly model: string;
  readonly tier: string | undefined;
  readonly responseFormat: string | undefined;
  readonly recording: Recording;
  readonly fileName: string;
  /** Every text of the request as it goes to the model, but its `model`. */
  readonly texts: readonly FormText[];
  readonly signal: AbortSignal;
  /** `traceparent`, for the upstream. */
  readonly trace: string | undefined;
  readonly meter: Meter;
}

/** What was said. */
export interface Transcript extends Record<string, unknown> {
  text: string;
}

/** A transcript, or its events, as the upstream sends them. */
export interface TranscriptionAnswer {
  readonly contentType: string;
  readonly body: Buffer | Tapped;
  /** The transcript in the whole of the body. Throws ToolError 502 where there is none. */
  readonly interpret: (whole: Uint8Array) => Transcript;
}

/**
 * Has a model write down what is said in a recording.
 * @throws what `Models.ask` throws
 */
export type Transcribe = (request: TranscriptionRequest) => Promise<TranscriptionAnswer>;

/** Bytes of an answer that are waited for, so that one which breaks off can still be had elsewhere: hours with every word's time. */
const longestAnswer = 33_554_432;
/** Seconds that are believed: what an upstream says is on somebody's bill. */
const longestRecording = 10_000_000;

/** Formats of an answer that are no JSON. */
const textFormats = ['text', 'srt', 'vtt'];

/** Transcriptions by these models. */
export function transcriptions(models: Models): Transcribe {
  return async (request) => {
    const { model, tier, texts, recording, fileName, signal, trace, meter } = request;
    try {
      return await models.ask({
        service: 'transcription',
        wanted: { model, tier },
        signal,
        trace,
        request(target) {
          const { size, contentType } = recording;
          const file = { name: 'file', fileName, size, contentType, read: () => recording.read() };
          const { headers, body } = formBody([['model', target.model], ...texts], file);
          return { path: '/audio/transcriptions', headers, body };
        },
        take: (answer, { provider: { name } }) => take(answer, name, request),
      });
    } catch (error) {
      // It may have been answered all the same.
      if (signal.aborted) meter(usesOf(request));
      throw error;
    }
  };
}

async function take(
  answer: UpstreamAnswer,
  provider: string,
  request: TranscriptionRequest,
): Promise<TranscriptionAnswer> {
  const contentType = String(answer.headers['content-type'] ?? '');
  const kind = kindOf(contentType, request);
  if (!kind) {
    answer.body.destroy();
    throw new UpstreamFailure(`${provider} answered with another Content-Type than was asked for`);
  }
  const { meter, signal } = request;
  const interpret = interpreters[kind];
  if (kind === 'events') {
    const body = new Tapped(answer.body, {
      piece: (piece) => piece,
      end: () => undefined,
      broken: (error) => connectionFailure(provider, error),
      settled: () => meter(usesOf(request)),
    });
    return { contentType, body, interpret };
  }
  const { whole } = await gather(answer.body, longestAnswer).catch((error: unknown) => {
    throw signal.aborted ? error : connectionFailure(provider, error);
  });
  if (!whole) {
    answer.body.destroy();
    throw new UpstreamFailure(`${provider} answered without end`);
  }
  const transcript = kind === 'json' ? transcriptIn(whole) : undefined;
  if (kind === 'json' && !transcript) throw new UpstreamFailure(`${provider} answered what is no transcript`);
  meter(usesOf(request, transcript));
  return { contentType, body: whole, interpret };
}

type Kind = 'json' | 'events' | 'text';

/** What an answer is; undefined where it is nothing that was asked for. */
function kindOf(contentType: string, { responseFormat, texts }: TranscriptionRequest): Kind | undefined {
  if (/^application\/(?:[\w.-]+\+)?json\b/i.test(contentType)) return 'json';
  if (/^text\/event-stream\b/i.test(contentType))
    return texts.some(([name, text]) => name === 'stream' && text === 'true') ? 'events' : undefined;
  // A page is the word of something that stands between.
  if (contentType === '' || /^text\/html\b/i.test(contentType)) return undefined;
  return textFormats.includes(responseFormat ?? '') ? 'text' : undefined;
}

const interpreters: Readonly<Record<Kind, (whole: Uint8Array) => Transcript>> = {
  json: (whole) => transcriptIn(whole) ?? noTranscript(),
  text: (whole) => ({ text: Buffer.from(whole).toString() }),
  /** The last event of a stream has the whole. */
  events: (whole) => {
    const events = Buffer.from(whole)
      .toString()
      .matchAll(/^data: ?(\{.*\})\r?$/gm);
    const [last] = [...events].flatMap(([, data]) => transcriptIn(Buffer.from(data ?? '')) ?? []).slice(-1);
    return last ?? noTranscript();
  },
};

function noTranscript(): never {
  throw noModelAnswers(new UpstreamFailure('the model answered what is no transcript'));
}

function transcriptIn(json: Uint8Array): Transcript | undefined {
  try {
    const value = JSON.parse(Buffer.from(json).toString()) as { text?: unknown } | null;
    return typeof value?.text === 'string' ? (value as Transcript) : undefined;
  } catch {
    // The caller says what it means that it is no JSON.
    return undefined;
  }
}

/** What a call used: as the upstream says, or as the recording's own header does. */
function usesOf({ tier, recording }: TranscriptionRequest, transcript?: Transcript): readonly Use[] {
  const of = { service: 'stt', mode: tierOf(tier) } as const;
  const told = toldSeconds(transcript);
  const header = () => waveSeconds(recording.head, recording.size) ?? 0;
  return [
    { ...of, metric: 'requests', quantity: 1 },
    told === undefined
      ? { ...of, metric: 'seconds', quantity: header(), estimated: true }
      : { ...of, metric: 'seconds', quantity: told },
  ];
}

/** `duration` of OpenAI's verbose answers, or the duration by which it bills any other. */
function toldSeconds(transcript: Transcript | undefined): number | undefined {
  const { duration, usage }: Record<string, unknown> = transcript ?? {};
  const billed = (usage as { seconds?: unknown } | null | undefined)?.seconds;
  return [duration, billed].map(Number).find((seconds) => seconds > 0 && seconds <= longestRecording);
}
