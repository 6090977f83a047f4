/**
 * How long a WAV file lasts, in seconds, by its first bytes and its size; undefined where these do not tell (IBM and
 * Microsoft, Multimedia Programming Interface and Data Specifications 1.0). music-metadata reads a header as well, but
 * takes what it is given for the whole file: of one minute of which it sees 64 KiB it says 2 seconds.
 */
export function waveSeconds(head: Buffer, size: number): number | undefined {
  const tag = (at: number) => head.toString('latin1', at, at + 4);
  if (tag(0) !== 'RIFF' || tag(8) !== 'WAVE') return undefined;
  let bytesPerSecond = 0;
  for (let at = 12; at + 8 <= head.length; ) {
    const [name, length, start] = [tag(at), head.readUInt32LE(at + 4), at + 8];
    if (name === 'fmt ' && start + 12 <= head.length) bytesPerSecond = head.readUInt32LE(start + 8);
    if (name === 'data' && bytesPerSecond > 0) {
      const there = Math.max(0, size - start);
      // Who writes to a pipe does not know the length, and says 0 or the largest number.
      return (length === 0 ? there : Math.min(length, there)) / bytesPerSecond;
    }
    // Chunks start at even places.
    at = start + length + (length % 2);
  }
  return undefined;
}
