import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { readWhole, type Stage } from './file.ts';
import { type Header, parseHeader } from './header.ts';
import { ArchiveLines } from './lines.ts';

/** An archive whose header was read. */
export interface OpenArchive {
  readonly header: Header;
  readonly lines: ArchiveLines;
}

/**
 * Opens an archive up to its header; `signal` lets go of it.
 * @throws ArchiveError where it cannot be read, or is none that `stage` and this build understand
 */
export async function openArchive(file: string, stage: Stage, signal: AbortSignal): Promise<OpenArchive> {
  const gunzip = createGunzip({ chunkSize: 65_536, rejectGarbageAfterEnd: true });
  // What fails before comes out where the last stream is read.
  pipeline(stage(readWhole(file, signal)), gunzip, { signal }).catch(() => undefined);
  const lines = new ArchiveLines(gunzip);
  return { header: parseHeader(await lines.line()), lines };
}
