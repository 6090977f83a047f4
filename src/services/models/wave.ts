/**
 * The duration of a WAV file in seconds, from its first bytes and its size in bytes (IBM and Microsoft, Multimedia
 * Programming Interface and Data Specifications 1.0). Undefined if the first bytes lack it. The package music-metadata
 * takes the given bytes for the whole file: for 64 KiB of one minute it reports 2 seconds.
 */
export function waveSeconds(head: Buffer, size: number): number | undefined {
  const wave = readWave(head);
  if (!wave) return undefined;
  const { bytesPerSecond, start, length } = wave;
  const available = Math.max(0, size - start);
  // A program that writes to a pipe does not know the length, and writes 0 or the largest number.
  return (length === 0 ? available : Math.min(length, available)) / bytesPerSecond;
}

/** True for a WAV file of plain samples, which no codec has made smaller. */
export function isSampledWave(head: Buffer): boolean {
  return readWave(head)?.isSampled === true;
}

interface Wave {
  readonly bytesPerSecond: number;
  readonly isSampled: boolean;
  /** The offset of the sound, and its length as the header states it, in bytes. */
  readonly start: number;
  readonly length: number;
}

function readWave(head: Buffer): Wave | undefined {
  const tag = (at: number) => head.toString('latin1', at, at + 4);
  if (tag(0) !== 'RIFF' || tag(8) !== 'WAVE') return undefined;
  let bytesPerSecond = 0;
  // Decoders differ in which one they take of several formats.
  let isSampled = true;
  for (let at = 12; at + 8 <= head.length; ) {
    const [name, length, start] = [tag(at), head.readUInt32LE(at + 4), at + 8];
    if (name === 'fmt ' && start + 16 <= head.length) {
      const format = head.subarray(start);
      bytesPerSecond = rateOf(format);
      isSampled &&= isOfSamples(format);
    }
    if (name === 'data' && bytesPerSecond > 0) return { bytesPerSecond, isSampled, start, length };
    // Chunks start at even positions.
    at = start + length + (length % 2);
  }
  return undefined;
}

/** The formats whose samples have a size: PCM, floating point, A-law and µ-law. */
const sampledFormats = new Set([0x0001, 0x0003, 0x0006, 0x0007]);
const extensible = 0xfffe;

/** The extensible form names the format of its samples in its member SubFormat. */
function isOfSamples(format: Buffer): boolean {
  const tag = format.readUInt16LE(0);
  if (tag !== extensible) return sampledFormats.has(tag);
  return format.length >= 40 && sampledFormats.has(format.readUInt16LE(24));
}

/** Bytes per second. Players compute it from the samples and ignore the member that states it, which anybody can forge. */
function rateOf(format: Buffer): number {
  const [tag, channels, samples, bits] = [
    format.readUInt16LE(0),
    format.readUInt16LE(2),
    format.readUInt32LE(4),
    format.readUInt16LE(14),
  ];
  const computed = sampledFormats.has(tag) || tag === extensible ? (samples * channels * bits) / 8 : 0;
  return computed > 0 ? computed : format.readUInt32LE(8);
}
