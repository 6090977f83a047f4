/** Returns a RIFF chunk. Pass `size` to declare a wrong size. */
export function chunk(name: string, content: Uint8Array, size = content.length): Buffer {
  const head = Buffer.alloc(8);
  head.write(name, 'latin1');
  head.writeUInt32LE(size, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}

/** Returns a RIFF file of these chunks. */
export function riff(chunks: readonly Uint8Array[], { id = 'RIFF', type = 'WAVE' } = {}): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), ...chunks]);
  return chunk(id, body);
}

/** Returns the content of a format chunk: mono, 16 kHz, 16 bits. 40 bytes are WAVE_FORMAT_EXTENSIBLE. */
export function format(bytes: 16 | 18 | 40 = 16): Buffer {
  const content = Buffer.alloc(bytes);
  content.writeUInt16LE(bytes === 40 ? 0xff_fe : 1, 0);
  content.writeUInt16LE(1, 2);
  content.writeUInt32LE(16_000, 4);
  content.writeUInt32LE(32_000, 8);
  content.writeUInt16LE(2, 12);
  content.writeUInt16LE(16, 14);
  return content;
}

/** Returns a WAV file with `bytes` bytes of sound. */
export function wav(bytes = 320): Buffer {
  const sound = Buffer.alloc(
    bytes,
    Uint8Array.from({ length: 251 }, (_, at) => (at * 31) % 251),
  );
  return riff([chunk('fmt ', format()), chunk('data', sound)]);
}
