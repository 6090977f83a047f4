import { Readable } from 'node:stream';
import { usualVoiceReference, type VoiceReferenceForm } from '../../platform/config/models.ts';
import { editMembers, type MemberEdits } from './json-members.ts';

/** A recorded voice for a model to imitate. */
export interface Recording {
  /** A WAV file. */
  readonly audio: Buffer;
  readonly transcript: string;
}

/** Bytes that are encoded at a time: a multiple of 3, so that base64 has no padding in between. */
const pieceBytes = 196_608;

/**
 * Replaces `voice` in a request by a recording and its transcript. An upstream does not know the name of a custom voice,
 * and one that cannot imitate reports the missing member instead of speaking with another voice.
 * @returns the length in bytes, and the bytes, which are encoded while they are sent
 */
export function withRecording(
  text: Buffer,
  edits: MemberEdits,
  { audio, transcript }: Recording,
  form: VoiceReferenceForm = usualVoiceReference,
): { readonly length: number; readonly body: Readable } {
  const own = new Map([
    ...edits,
    ['voice', null],
    [form.audio, null],
    [form.transcript, JSON.stringify(transcript)],
  ]);
  // The recording goes before the closing brace.
  const object = editMembers(text, own);
  const scheme = form.dataUrl ? 'data:audio/wav;base64,' : '';
  const head = Buffer.from(`,${JSON.stringify(form.audio)}:"${scheme}`);
  const tail = Buffer.from('"}');
  return {
    length: object.length - 1 + head.length + 4 * Math.ceil(audio.length / 3) + tail.length,
    body: Readable.from(pieces(), { objectMode: false }),
  };

  function* pieces() {
    yield Buffer.concat([object.subarray(0, -1), head]);
    for (let at = 0; at < audio.length; at += pieceBytes)
      yield Buffer.from(audio.toString('base64', at, at + pieceBytes), 'latin1');
    yield tail;
  }
}
