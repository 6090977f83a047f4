import { ToolError } from '../errors.ts';
import type { Speaker } from '../models/speech.ts';
import { speakerOf } from '../resources/voices/speaker.ts';
import { charactersPerSecond } from '../runtime/simulate.ts';
import type { Caller, ToolContext } from '../tool/context.ts';

/** Bytes of the speech of one line: 20 minutes of MP3 at 32 kbit/s. */
const longestSpeech = 5_242_880;
/** Milliseconds for the speech of one line. */
const speechLimit = 30_000;

/** Seconds that a line takes to speak, roughly. */
export function secondsOfSpeech(text: string): number {
  return text.length / charactersPerSecond;
}

/** A spoken line, in base64. */
export interface SpokenLine {
  readonly event: 'audio';
  readonly type: string;
  readonly data: string;
}

/**
 * Speaks lines with the voice of a conversation's agent profile.
 * @throws what `Speak` throws, and ToolError 502 if the speech is too long
 */
export function speechOf(
  context: Pick<ToolContext, 'stores' | 'services'> & { readonly caller: Pick<Caller, 'projectId'> },
  conversationId: string,
  closing: AbortSignal,
): (text: string) => Promise<SpokenLine> {
  const { services, caller } = context;
  let speaker: Promise<Speaker> | undefined;
  return async (text) => {
    speaker ??= speakerOf(context, conversationId);
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
