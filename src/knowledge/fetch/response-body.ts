import { type Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { FetchFailure } from './fetch-failure.ts';

/** Unpacks what was packed although nobody asked for that. */
const unpacking: Readonly<Record<string, () => NodeJS.ReadWriteStream>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/**
 * The bytes of an answer, unpacked; as soon as there are more than `limit` of them, nothing more is read.
 * @param encoding the Content-Encoding
 * @param isCut whether of one that is too large its start is wanted
 * @throws FetchFailure for one that is too large otherwise, or packed in another way; what befell the connection is thrown as it is
 */
export async function readAnswer(
  body: Readable,
  encoding: string | undefined,
  { limit, isCut, signal }: { readonly limit: number; readonly isCut: boolean; readonly signal: AbortSignal },
): Promise<Uint8Array> {
  const unpack = unpackerFor(encoding);
  const parts: Buffer[] = [];
  let total = 0;
  const gather = new Writable({
    write(part: Buffer, _encoding, done) {
      total += part.length;
      parts.push(part);
      done(total > limit ? tooLarge(limit) : null);
    },
  });
  const gathered = unpack ? pipeline(body, unpack, gather, { signal }) : pipeline(body, gather, { signal });
  await gathered.catch((error: unknown) => {
    if (!isCut || total <= limit) throw error;
  });
  return Buffer.concat(parts, total);
}

function unpackerFor(encoding = 'identity'): NodeJS.ReadWriteStream | undefined {
  const name = encoding.trim().toLowerCase();
  if (name === 'identity' || name === '') return undefined;
  const unpack = Object.hasOwn(unpacking, name) ? unpacking[name] : undefined;
  if (!unpack)
    throw new FetchFailure('The page is packed in a way that Parley cannot read.', { final: true });
  return unpack();
}

export function tooLarge(limit: number): FetchFailure {
  return new FetchFailure(`The page is larger than ${limit / 1024 / 1024} MiB.`, { final: true });
}
