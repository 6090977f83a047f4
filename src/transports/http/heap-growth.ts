import { setFlagsFromString } from 'node:v8';

/**
 * By how many percent the heap and the buffers outside it may grow before V8 collects all garbage. Under mixed load, the
 * heap without its young generation takes 88 MiB with 50 and 135 with 200, for the same CPU.
 */
const usual = 50;
/**
 * Uploads live long enough to survive V8's cheap collections. With 50, a transcription takes 40 % more CPU among others, so
 * the heap may grow further from `manyUploads` at once on. V8 keeps the bound until it collects again, long after an upload.
 */
const duringUploads = 200;
const manyUploads = 3;

let bounded = false;
let uploads = 0;

/**
 * Sets V8's flags for a server. V8 counts the bytes of buffers with its heap, and frees short-lived ones early. By default,
 * it walks the whole heap after every 64 MiB of buffers, which costs as much as passing the bytes on. Node 22 does not know
 * the first flag.
 */
export function boundHeap(): void {
  if (Number.parseInt(process.versions.node, 10) < 24) return;
  bounded = true;
  // The launcher's option has shaped the heap of this thread. Kept, it would override what other threads are started with.
  setFlagsFromString('--max-semi-space-size=0');
  setFlagsFromString('--external-memory-accounted-in-global-limit');
  growBy(uploads < manyUploads ? usual : duringUploads);
}

/** Lets the heap grow further while many uploads are held. */
export function uploadBegins(): void {
  if (++uploads === manyUploads) growBy(duringUploads);
}

export function uploadEnds(): void {
  if (--uploads === manyUploads - 1) growBy(usual);
}

function growBy(percent: number): void {
  if (bounded) setFlagsFromString(`--heap-growing-percent=${percent}`);
}
