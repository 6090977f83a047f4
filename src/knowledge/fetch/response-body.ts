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

/**
 * Reads and decompresses the body of a response, and stops after `limit` bytes.
 * @param encoding the Content-Encoding
 * @param isCut whether to return the start of a body that is too large, instead of throwing
 * @throws FetchFailure if the body is too large or has an unknown encoding; the error of the connection if it fails
 */
export async function readBody(
  body: Readable,
  encoding: string | undefined,
  { limit, isCut, signal }: { readonly limit: number; readonly isCut: boolean; readonly signal: AbortSignal },
): Promise<Uint8Array> {
  const decompress = decompressorFor(encoding);
  const parts: Buffer[] = [];
  let total = 0;
  const collect = new Writable({
    write(part: Buffer, _encoding, done) {
      total += part.length;
      parts.push(part);
      done(total > limit ? tooLarge(limit) : null);
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

function decompressorFor(encoding = 'identity'): NodeJS.ReadWriteStream | undefined {
  const name = encoding.trim().toLowerCase();
  if (name === 'identity' || name === '') return undefined;
  const decompressor = Object.hasOwn(decompressors, name) ? decompressors[name] : undefined;
  if (!decompressor)
    throw new FetchFailure('The page has a Content-Encoding that Parley cannot read: use gzip or br.', {
      final: true,
    });
  return decompressor();
}

export function tooLarge(limit: number): FetchFailure {
  return new FetchFailure(`The page is larger than ${limit / 1024 / 1024} MiB.`, { final: true });
}
