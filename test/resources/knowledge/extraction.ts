import { onTestFinished } from 'vitest';
import { Threads, type ThreadsLimits } from '../../../src/platform/threads/threads.ts';
import type { Extracted, SourceFile } from '../../../src/resources/knowledge/extraction/extracted.ts';
import {
  type ExtractionLimits,
  type Extractor,
  openExtractor,
  usualExtractionLimits,
} from '../../../src/resources/knowledge/extraction/extractor.ts';

export const { signal } = new AbortController();

/** An extractor with threads of its own, which are closed after the test. */
export function extractorWith(
  limits: Partial<ExtractionLimits> = {},
  threadsLimits: Partial<ThreadsLimits> = {},
): Extractor {
  const threads = new Threads(threadsLimits);
  onTestFinished(() => threads.close());
  return openExtractor(threads, { ...usualExtractionLimits, atOnce: 1, ...limits });
}

/** Never closed: its idle thread ends on its own and does not keep the process running. */
let shared: Extractor | undefined;

/** Extracts a file with the extractor that tests share. */
export function extract(file: SourceFile): Promise<Extracted> {
  shared ??= openExtractor(new Threads(), { ...usualExtractionLimits, atOnce: 1 });
  return shared.extract(file, signal);
}

/** A page at `https://ferry.example/en/fares.html`. */
export function pageOf(html: string | Uint8Array, contentType = 'text/html'): SourceFile {
  return { bytes: Buffer.from(html), contentType, url: 'https://ferry.example/en/fares.html' };
}

/** An uploaded file. */
export function fileOf(fileName: string, content: string | Uint8Array): SourceFile {
  return { bytes: Buffer.from(content), fileName };
}
