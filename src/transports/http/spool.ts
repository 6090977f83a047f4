import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { uploadBegins, uploadEnds } from './heap-growth.ts';

/** Bytes kept in memory, per spool and for all spools together. A file takes three times the CPU of memory. */
const ownMemory = 4_194_304;
const sharedMemory = 16_777_216;
/** Bytes of `head`. */
const headSize = 65_536;
/** Pieces of up to this many bytes are joined into blocks. */
const smallPiece = 4_096;
const blockSize = 65_536;
/** Bytes per write to the disk. */
const batch = 262_144;
/** Bytes per read from the disk. */
const pieceSize = 131_072;

let sharedBytes = 0;

/**
 * Holds an upload. It stays in memory up to 4 MiB, or until all spools together hold 16 MiB. Then the whole upload goes
 * to an unlinked file in the folder for temporary files, so that nothing is left of it after a close or a crash.
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

  constructor() {
    uploadBegins();
  }

  /** Bytes written so far. */
  get size(): number {
    return this.#written + this.#waitingBytes;
  }

  /** The first bytes, 64 KiB at most. */
  get head(): Buffer {
    return this.#head.subarray(0, this.size);
  }

  /** Takes a piece. If it returns a promise, wait before the next piece. The promise rejects if the disk fails. */
  write(piece: Buffer): Promise<void> | undefined {
    if (this.#closed) return undefined;
    if (this.size < headSize) piece.copy(this.#head, this.size);
    this.#hold(piece);
    this.#waitingBytes += piece.length;
    sharedBytes += piece.length;
    const tooMuch = this.#waitingBytes > ownMemory || sharedBytes > sharedMemory;
    if (this.#waitingBytes < batch || !(this.#file || tooMuch)) return undefined;
    if (this.#writing) return this.#writing;
    // A rejected promise stays, and the next write or `end` returns it. Until then, one more batch may arrive.
    this.#writing = this.#begin();
    this.#writing.catch(() => undefined);
    return undefined;
  }

  /** Joins small pieces, because a client may send single bytes and each Buffer costs a hundred more. */
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

  /** Waits for the last write. Rejects if the disk fails. */
  async end(): Promise<void> {
    await this.#writing;
    if (this.#file) await this.#flush();
  }

  async #begin(): Promise<void> {
    await this.#flush();
    this.#writing = undefined;
  }

  async #flush(): Promise<void> {
    this.#file ??= openUnlinked();
    const file = await this.#file;
    if (this.#closed) return;
    let pieces = this.#waiting;
    const length = this.#waitingBytes;
    this.#release();
    const at = this.#written;
    this.#written += length;
    for (let done = 0; done < length; ) {
      const { bytesWritten } = await file.writev(pieces, at + done);
      done += bytesWritten;
      if (done < length) pieces = [Buffer.concat(pieces).subarray(bytesWritten)];
    }
  }

  #release(): void {
    sharedBytes -= this.#waitingBytes;
    this.#waiting = [];
    this.#waitingBytes = 0;
  }

  /** Yields the upload from the start. Call it after `end`, any number of times. */
  async *read(): AsyncGenerator<Buffer> {
    if (!this.#file) {
      yield* this.#waiting;
      return;
    }
    const file = await this.#file;
    for (let at = 0; at < this.#written; ) {
      if (this.#closed) throw new Error('the spool of the upload is closed');
      const length = Math.min(pieceSize, this.#written - at);
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafeSlow(length), 0, length, at);
      if (bytesRead === 0) throw new Error('the file of the upload was truncated');
      yield buffer.subarray(0, bytesRead);
      at += bytesRead;
    }
  }

  /** Frees the memory and closes the file after its pending operations. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    uploadEnds();
    this.#release();
    this.#file?.then((file) => file.close()).catch(() => undefined);
  }
}

async function openUnlinked(): Promise<FileHandle> {
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
