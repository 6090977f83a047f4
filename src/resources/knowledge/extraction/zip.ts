import { buffer } from 'node:stream/consumers';
import yauzl from 'yauzl';
import { ExtractionFailure } from './extraction-failure.ts';

/** The most bytes of all wanted files after unpacking, and the most files of an archive. */
const mostBytes = 32 * 1024 * 1024;
const mostFiles = 10_000;

/**
 * Unpacks the wanted files of an archive. It first sums the sizes that the archive declares; yauzl then stops each file
 * at its declared size.
 * @throws ExtractionFailure if the archive is damaged or too large
 */
export async function unzipped(
  bytes: Uint8Array,
  isWanted: (name: string) => boolean,
): Promise<Map<string, Buffer>> {
  const archive = await orDamaged(
    yauzl.fromBufferPromise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), { lazyEntries: true }),
  );
  if (archive.entryCount > mostFiles) throw tooLarge();
  const entries: yauzl.Entry[] = [];
  return orDamaged(
    (async () => {
      for await (const entry of archive.eachEntry()) if (isWanted(entry.fileName)) entries.push(entry);
      if (entries.reduce((sum, entry) => sum + entry.uncompressedSize, 0) > mostBytes) throw tooLarge();
      const files = new Map<string, Buffer>();
      for (const entry of entries)
        files.set(entry.fileName, await buffer(await archive.openReadStreamPromise(entry)));
      return files;
    })(),
  );
}

async function orDamaged<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ExtractionFailure) throw error;
    throw new ExtractionFailure('The archive is damaged.', { cause: error });
  }
}

function tooLarge(): ExtractionFailure {
  return new ExtractionFailure(
    `The archive unpacks to more than ${mostBytes / 1024 / 1024} MiB, or has more than ${mostFiles.toLocaleString('en')} files.`,
  );
}
