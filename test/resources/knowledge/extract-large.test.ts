import type { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { extractorWith, pageOf, signal } from './extraction.ts';

const large = pageOf(`<!-- ${'x'.repeat(5 * 1024 * 1024)} --><p>Ships leave in the morning.</p>`);
const small = pageOf('<p>Ships return in the evening.</p>');

/** Counts the threads that run, from now on. */
function watchThreads() {
  const seen = { running: 0, most: 0 };
  const watch = (worker: Worker) => {
    seen.running += 1;
    seen.most = Math.max(seen.most, seen.running);
    worker.once('exit', () => {
      seen.running -= 1;
    });
  };
  process.on('worker', watch);
  onTestFinished(() => void process.off('worker', watch));
  return seen;
}

test('reads one large file after another, each in a thread of its own', async () => {
  const extractor = extractorWith({ atOnce: 2 });
  const threads = watchThreads();
  const all = await Promise.all([large, large, large].map((file) => extractor.extract(file, signal)));
  for (const { chunks } of all) expect(chunks).toMatchObject([{ text: 'Ships leave in the morning.' }]);
  expect(threads).toEqual({ running: 0, most: 1 });
});

test('reads a small file while large ones wait for their turn', async () => {
  const extractor = extractorWith({ atOnce: 2 });
  const read: string[] = [];
  const reading = [large, large, small].map(async (file) => {
    const { chunks } = await extractor.extract(file, signal);
    read.push(chunks[0]?.text ?? '');
  });
  await Promise.all(reading);
  expect(read.indexOf('Ships return in the evening.')).toBeLessThan(2);
});
