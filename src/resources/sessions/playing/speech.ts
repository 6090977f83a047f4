import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { charactersPerSecond } from '../../../calls/speaking-rate.ts';
import type { ToolContext } from '../../../environment/context.ts';
import type { Caller } from '../../../operation/context.ts';
import { ToolError } from '../../../platform/errors.ts';
import type { Speaker } from '../../../services/models/speech.ts';
import type { Recording } from '../../../services/models/transcription.ts';
import { isSampledWave, waveSeconds } from '../../../services/models/wave.ts';
import type { DesignOwner } from '../../record/design-owner.ts';
import { speakerOf } from '../../voices/speaker.ts';

/** Characters of one message. */
export const longestText = 4_000;

/** Bytes of the speech of one line: 20 minutes of MP3 at 32 kbit/s. */
const longestSpeech = 5_242_880;
/** Milliseconds for the speech of one line. */
const speechLimit = 30_000;

/** Seconds that a line takes to speak, roughly. */
export function secondsOfSpeech(text: string): number {
  return text.length / charactersPerSecond;
}

/** Bytes of one second of a WAV file: 16 kHz with 16 bits, to which speech models convert, and 8 kHz with 8 bits. */
const sampled = { most: 32_000, least: 8_000 };
/** Bytes of one second of a compressed recording: what browsers record, roughly, and the lowest rate of Opus. */
const compressed = { usual: 4_000, least: 750 };
/** Seconds in which a visitor says what he has to say: the widget records no longer turn. */
const longTurn = 60;

/**
 * Seconds that a recording counts if the model does not report its length. Senders choose the header and the codec, so each may
 * make a recording count more, but never less than its bytes say.
 */
export function secondsOfRecording({ size, head, contentType }: Recording): number {
  if (extensionOf(contentType) === 'wav' && isSampledWave(head)) {
    const least = size / sampled.most;
    return Math.min(Math.max(waveSeconds(head, size) ?? 0, least), size / sampled.least);
  }
  return Math.min(size / compressed.least, Math.max(size / compressed.usual, longTurn));
}

/** The formats of recordings, with their file extensions. */
export const recordingTypes: Readonly<Record<string, string>> = {
  'audio/webm': 'webm',
  'audio/ogg': 'ogg',
  'audio/mp4': 'm4a',
  'audio/mpeg': 'mp3',
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
};

/** By which models tell formats apart. */
export function extensionOf(contentType: string): string {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return Object.hasOwn(recordingTypes, type) ? (recordingTypes[type] ?? 'wav') : 'wav';
}

/** What speech is made and understood with. */
type SpeechContext = Pick<ToolContext, 'stores' | 'services'> & {
  readonly caller: Pick<Caller, 'projectId'>;
};

/**
 * Speaks a line with the voice of the agent profile of a conversation or flow, as a stream of samples: 24 kHz, signed 16 bits, little-endian.
 * @throws what `Speak` throws
 */
export async function spokenSamples(
  context: SpeechContext,
  owner: DesignOwner,
  text: string,
  signal: AbortSignal,
): Promise<Readable> {
  const { services, caller } = context;
  const input = { model: 'auto', input: text, tier: 'realtime', response_format: 'pcm' };
  const { body } = await services.speak({
    input,
    text: Buffer.from(JSON.stringify(input)),
    speaker: await speakerOf(context, owner),
    signal,
    trace: undefined,
    meter: (uses) => services.meter(caller, uses),
  });
  return body;
}

/**
 * What a visitor says in a recording; null if nothing.
 * @param spend gets the seconds of speech, once the model has reported them or its work is over
 * @throws what `Transcribe` throws
 */
export async function transcribed(
  { services, caller }: Pick<SpeechContext, 'services' | 'caller'>,
  recording: Recording,
  signal: AbortSignal,
  spend: (seconds: number) => void,
): Promise<string | null> {
  const { body, interpret } = await services.transcribe({
    model: 'auto',
    tier: 'realtime',
    responseFormat: undefined,
    recording,
    fileName: `recording.${extensionOf(recording.contentType)}`,
    texts: [],
    signal,
    trace: undefined,
    meter(uses) {
      services.meter(caller, uses);
      const reported = uses.find(({ metric, estimated }) => metric === 'seconds' && !estimated);
      spend(reported?.quantity ?? secondsOfRecording(recording));
    },
  });
  const whole = Buffer.isBuffer(body) ? body : await buffer(body);
  const transcript = interpret(whole).text.replaceAll('\0', '').toWellFormed().trim();
  return transcript === '' ? null : transcript.slice(0, longestText).toWellFormed();
}

/** A spoken line, in base64. */
export interface SpokenLine {
  readonly event: 'audio';
  readonly type: string;
  readonly data: string;
}

/**
 * Speaks lines with the voice of the agent profile of a conversation or flow.
 * @throws what `Speak` throws, and ToolError 502 if the speech is too long
 */
export function speechOf(
  context: SpeechContext,
  owner: DesignOwner,
  closing: AbortSignal,
): (text: string) => Promise<SpokenLine> {
  const { services, caller } = context;
  let speaker: Promise<Speaker> | undefined;
  return async (text) => {
    speaker ??= speakerOf(context, owner);
    const input = { model: 'auto', input: text, tier: 'realtime', response_format: 'mp3' };
    const { contentType, body } = await services.speak({
      input,
      text: Buffer.from(JSON.stringify(input)),
      speaker: await speaker,
      signal: AbortSignal.any([closing, AbortSignal.timeout(speechLimit)]),
      trace: undefined,
      meter: (uses) => services.meter(caller, uses),
    });
    const pieces: Buffer[] = [];
    let length = 0;
    // Leaving the loop destroys the body.
    for await (const piece of body as AsyncIterable<Buffer>) {
      pieces.push(piece);
      length += piece.length;
      if (length > longestSpeech)
        throw new ToolError('internal_error', 'The speech of a line is too long.', { status: 502 });
    }
    return { event: 'audio', type: contentType, data: Buffer.concat(pieces).toString('base64') };
  };
}
