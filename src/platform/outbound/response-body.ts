import { type Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { FetchFailure } from './fetch-failure.ts';

/** Some servers compress although the request asks for `identity`. */
const decompressors: Readonly<Record<string, () => NodeJS.ReadWriteStream>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

export interface BodyLimits {
  /** Bytes after decompression. */
  readonly limit: number;
  /** Whether to return the start of a body that is too large, instead of throwing. */
  readonly isCut: boolean;
  readonly signal: AbortSignal;
  /** What messages call the body. */
  readonly noun?: 'page' | 'response';
}

/**
 * Reads and decompresses the body of a response, and stops after `limit` bytes.
 * @param encoding the Content-Encoding
 * @throws FetchFailure if the body is too large or has an unknown encoding; the error of the connection if it fails
 */
export async function readBody(
  body: Readable,
  encoding: string | undefined,
  { limit, isCut, signal, noun = 'page' }: BodyLimits,
): Promise<Uint8Array> {
  const decompress = decompressorFor(encoding, noun);
  const parts: Buffer[] = [];
  let total = 0;
  const collect = new Writable({
    write(part: Buffer, _encoding, done) {
      total += part.length;
      parts.push(part);
      done(total > limit ? tooLarge(limit, noun) : null);
    },
  });
  const collected = decompress
    ? pipeline(body, decompress, collect, { signal })
    : pipeline(body, collect, { signal });
  await collected.catch((error: unknown) => {
    if (!isCut || total <= limit) throw error;
  });
  return Buffer.concat(parts, total);
}

function decompressorFor(encoding: string | undefined, noun: string): NodeJS.ReadWriteStream | undefined {
  const name = (encoding ?? 'identity').trim().toLowerCase();
  if (name === 'identity' || name === '') return undefined;
  const decompressor = Object.hasOwn(decompressors, name) ? decompressors[name] : undefined;
  if (!decompressor)
    throw new FetchFailure(`The ${noun} has a Content-Encoding that Parley cannot read: use gzip or br.`, {
      final: true,
    });
  return decompressor();
}

export function tooLarge(limit: number, noun = 'page'): FetchFailure {
  return new FetchFailure(`The ${noun} is larger than ${limit / 1024 / 1024} MiB.`, { final: true });
}
