import { afterAll, afterEach } from 'vitest';
import {
  type Extracted,
  type ExtractionLimits,
  type Extractor,
  openExtractor,
  type SourceFile,
  usual,
} from '../../src/knowledge/extractor.ts';

export const { signal } = new AbortController();
const open: Extractor[] = [];
afterEach(async () => {
  for (const extractor of open.splice(0)) await extractor.close();
});

/** An extractor that is closed after the test. */
export function extractorWith(limits: Partial<ExtractionLimits> = {}): Extractor {
  const extractor = openExtractor({ ...usual, threads: 1, ...limits });
  open.push(extractor);
  return extractor;
}

let shared: Extractor | undefined;
afterAll(async () => {
  await shared?.close();
  shared = undefined;
});

/** What one file gives, by the extractor that the tests of a file share. */
export function extract(file: SourceFile): Promise<Extracted> {
  shared ??= openExtractor({ ...usual, threads: 1 });
  return shared.extract(file, signal);
}

/** A page at `https://ferry.example/en/fares.html`. */
export function pageOf(html: string | Uint8Array, contentType = 'text/html'): SourceFile {
  return { bytes: Buffer.from(html), contentType, url: 'https://ferry.example/en/fares.html' };
}

/** A file that somebody sends. */
export function fileOf(fileName: string, content: string | Uint8Array): SourceFile {
  return { bytes: Buffer.from(content), fileName };
}
