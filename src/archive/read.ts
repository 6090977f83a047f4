import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { readWhole, type Stage } from './file.ts';
import { type Header, parseHeader } from './header.ts';
import { ArchiveLines } from './lines.ts';

/** An archive after its header. */
export interface OpenArchive {
  readonly header: Header;
  readonly lines: ArchiveLines;
}

/**
 * Opens an archive and reads its header. `signal` closes it.
 * @throws ArchiveError if it cannot be read, or `stage` or this build does not understand it
 */
export async function openArchive(file: string, stage: Stage, signal: AbortSignal): Promise<OpenArchive> {
  const gunzip = createGunzip({ chunkSize: 65_536, rejectGarbageAfterEnd: true });
  // An error of an earlier stream surfaces in the read of the last one.
  pipeline(stage(readWhole(file, signal)), gunzip, { signal }).catch(() => undefined);
  const lines = new ArchiveLines(gunzip);
  return { header: parseHeader(await lines.line()), lines };
}
