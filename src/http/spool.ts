import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Bytes that stay in memory: of one, and of all together. The disk costs three times as much. */
const ownMemory = 4_194_304;
const sharedMemory = 16_777_216;
/** Bytes that are at hand without reading. */
const headSize = 65_536;
/** Pieces of so few bytes are put together, in blocks. */
const smallPiece = 4_096;
const blockSize = 65_536;
/** Bytes that go to the disk at once. */
const batch = 262_144;
/** Bytes that are read back at once. */
const pieceSize = 131_072;

let sharedBytes = 0;

/**
 * Holds what may be too long for memory: what is beyond 4 MiB, or comes while all of them hold 16 MiB already, goes with
 * what came before it to a file without a name in the folder for temporary files. So nothing is left of it once it is
 * closed, or the process is gone.
 */
export class Spool {
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #written = 0;
  #file: Promise<FileHandle> | undefined;
  #writing: Promise<void> | undefined;
  #closed = false;
  #block: Buffer = Buffer.alloc(0);
  readonly #head = Buffer.allocUnsafe(headSize);

  /** Bytes so far. */
  get size(): number {
    return this.#written + this.#waitingBytes;
  }

  /** Its first bytes, 64 KiB at most. */
  get head(): Buffer {
    return this.#head.subarray(0, this.size);
  }

  /** Takes a piece. A promise asks for patience; it rejects where the disk does not take it. */
  write(piece: Buffer): Promise<void> | undefined {
    if (this.#closed) return undefined;
    if (this.size < headSize) piece.copy(this.#head, this.size);
    this.#hold(piece);
    this.#waitingBytes += piece.length;
    sharedBytes += piece.length;
    const tooMuch = this.#waitingBytes > ownMemory || sharedBytes > sharedMemory;
    if (this.#waitingBytes < batch || !(this.#file || tooMuch)) return undefined;
    if (this.#writing) return this.#writing;
    // Where it fails it stays, and whoever writes more meets it. Meanwhile more may come, as much again.
    this.#writing = this.#begin();
    this.#writing.catch(() => undefined);
    return undefined;
  }

  /** A client may send one byte at a time, and each piece of its own costs a hundred more. */
  #hold(piece: Buffer): void {
    if (piece.length > smallPiece) {
      this.#waiting.push(piece);
      return;
    }
    if (this.#block.length < piece.length) this.#block = Buffer.allocUnsafeSlow(blockSize);
    piece.copy(this.#block);
    const copy = this.#block.subarray(0, piece.length);
    this.#block = this.#block.subarray(piece.length);
    const last = this.#waiting.at(-1);
    if (last?.buffer === copy.buffer && last.byteOffset + last.length === copy.byteOffset)
      this.#waiting[this.#waiting.length - 1] = Buffer.from(
        copy.buffer,
        last.byteOffset,
        last.length + copy.length,
      );
    else this.#waiting.push(copy);
  }

  /** Waits for what is being written; rejects where the disk did not take it. */
  async end(): Promise<void> {
    await this.#writing;
    if (this.#file) await this.#flush();
  }

  async #begin(): Promise<void> {
    await this.#flush();
    this.#writing = undefined;
  }

  async #flush(): Promise<void> {
    this.#file ??= openNameless();
    const file = await this.#file;
    if (this.#closed) return;
    let pieces = this.#waiting;
    const length = this.#waitingBytes;
    this.#forget();
    const at = this.#written;
    this.#written += length;
    for (let done = 0; done < length; ) {
      const { bytesWritten } = await file.writev(pieces, at + done);
      done += bytesWritten;
      if (done < length) pieces = [Buffer.concat(pieces).subarray(bytesWritten)];
    }
  }

  #forget(): void {
    sharedBytes -= this.#waitingBytes;
    this.#waiting = [];
    this.#waitingBytes = 0;
  }

  /** All of it, from the start; after the end, and as often as wanted. */
  async *read(): AsyncGenerator<Buffer> {
    if (!this.#file) {
      yield* this.#waiting;
      return;
    }
    const file = await this.#file;
    for (let at = 0; at < this.#written; ) {
      if (this.#closed) throw new Error('the upload is not kept any more');
      const length = Math.min(pieceSize, this.#written - at);
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafeSlow(length), 0, length, at);
      if (bytesRead === 0) throw new Error('the upload is shorter than it was');
      yield buffer.subarray(0, bytesRead);
      at += bytesRead;
    }
  }

  /** Gives up what is held, once nobody is in the middle of reading or writing it. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#forget();
    this.#file?.then((file) => file.close()).catch(() => undefined);
  }
}

async function openNameless(): Promise<FileHandle> {
  const name = path.join(tmpdir(), `parley-upload-${randomUUID()}`);
  const file = await open(name, 'wx+', 0o600);
  try {
    await unlink(name);
  } catch (error) {
    await file.close();
    throw error;
  }
  return file;
}
