/** Bytes of a buffer that has its memory for itself, because it is longer than those that Node.js shares. */
const smallestFreed = 1_048_576;

/** Frees the memory of a buffer that nobody reads any more. Without it, a file stays until V8 collects all garbage. */
export function freeMemory({ buffer, byteLength }: Uint8Array): void {
  // A smaller buffer may share its memory with others.
  if (byteLength >= smallestFreed && buffer instanceof ArrayBuffer) buffer.transfer(0);
}
