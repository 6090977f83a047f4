import { decodeBase64 } from '../../operation/base64.ts';
import type { FileText } from '../../operation/file-text.ts';
import { invalidRequest, payloadTooLarge } from '../../platform/errors.ts';

/**
 * Decodes a reference recording, a WAV file in base64.
 * @throws ToolError `invalid_request` if it is not one
 */
export function readReferenceAudio(base64: FileText): Buffer {
  const audio = decodeBase64(base64);
  if (!audio) throw refusal('referenceAudioBase64', 'Expected standard base64 (RFC 4648 section 4).');
  return requireWave(audio, 'referenceAudioBase64');
}

/** Bytes of the largest recording: what 25 MiB of base64 hold. */
const largestAudio = 19_660_800;

/**
 * Checks a reference recording that was sent to the address of an upload.
 * @throws ToolError `invalid_request`, `payload_too_large`
 */
export function sentReferenceAudio(audio: Buffer): Buffer {
  if (audio.length > largestAudio) throw payloadTooLarge(largestAudio);
  return requireWave(audio, 'uploadId');
}

function requireWave(audio: Buffer, input: string): Buffer {
  if (!isWave(audio)) throw refusal(input, 'Expected a RIFF/WAVE file with a "fmt " and a "data" chunk.');
  return audio;
}

function refusal(input: string, message: string) {
  return invalidRequest([{ in: 'body', path: `/${input}`, message }]);
}

const headerBytes = 12;
const chunkHeaderBytes = 8;
const smallestFormat = 16;

/**
 * Whether the bytes are RIFF/WAVE with a complete format chunk and a data chunk (IBM and Microsoft, Multimedia
 * Programming Interface and Data Specifications 1.0). The sizes of the file and of the data are not checked, because a
 * program that writes to a pipe does not know them. The package music-metadata accepts a file without a format chunk,
 * rejects one with a comment of odd length, and needs 16 s and 480 MB for 18 MiB of empty chunks.
 */
export function isWave(bytes: Buffer): boolean {
  const tag = (at: number) => bytes.toString('latin1', at, at + 4);
  if (tag(0) !== 'RIFF' || tag(8) !== 'WAVE') return false;
  let [format, data] = [false, false];
  for (let at = headerBytes; at + chunkHeaderBytes <= bytes.length && !(format && data); ) {
    const size = bytes.readUInt32LE(at + 4);
    const end = at + chunkHeaderBytes + size;
    const name = tag(at);
    if (name === 'fmt ' && size >= smallestFormat && end <= bytes.length) format = true;
    if (name === 'data') data = true;
    // Chunks start at even positions.
    at = end + (size % 2);
  }
  return format && data;
}
