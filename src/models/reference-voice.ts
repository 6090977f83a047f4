import { Readable } from 'node:stream';
import { usualVoiceReference, type VoiceReferenceForm } from '../config/models.ts';
import { editMembers, type MemberEdits } from './json-members.ts';

/** Whom a model is to imitate. */
export interface Recording {
  /** A WAV file. */
  readonly audio: Buffer;
  readonly transcript: string;
}

/** Of a recording that is sent at a time, so that base64 has no rest; a long one is not held twice. */
const pieceBytes = 196_608;

/**
 * The text of a request with a recording and its transcript in place of `voice`: an upstream that knows no voice of
 * ours would refuse its name, and one that does not imitate misses the member instead of speaking with another voice.
 * @returns its length in bytes, and its bytes, which are made while they are sent
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
  // It ends in the brace that the recording stands before.
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
