import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Bytes that are kept in memory before any go to the disk, and that then go there at once. */
const batch = 262_144;
/** Bytes that are read back at once. */
const pieceSize = 131_072;

/**
 * Holds what is too long for memory: the first 256 KiB stay there, and where more comes all of it goes to a file without
 * a name in the folder for temporary files. So nothing is left of it once it is closed, or the process is gone.
 */
export class Spool {
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #written = 0;
  #file: Promise<FileHandle> | undefined;
  #writing: Promise<void> | undefined;
  #closed = false;

  /** Bytes so far. */
  get size(): number {
    return this.#written + this.#waitingBytes;
  }

  /** Takes a piece. A promise asks for patience; it rejects where the disk does not take it. */
  write(piece: Buffer): Promise<void> | undefined {
    this.#waiting.push(piece);
    this.#waitingBytes += piece.length;
    if (this.#waitingBytes < batch) return undefined;
    if (this.#writing) return this.#writing;
    // Where it fails it stays, and whoever writes more meets it. Meanwhile more may come, as much again.
    this.#writing = this.#flush().then(() => {
      this.#writing = undefined;
    });
    this.#writing.catch(() => undefined);
    return undefined;
  }

  /** Waits for what is being written; rejects where the disk did not take it. */
  async end(): Promise<void> {
    await this.#writing;
    if (this.#file) await this.#flush();
  }

  async #flush(): Promise<void> {
    this.#file ??= openNameless();
    const file = await this.#file;
    if (this.#closed) return;
    let pieces = this.#waiting;
    const length = this.#waitingBytes;
    this.#waiting = [];
    this.#waitingBytes = 0;
    const at = this.#written;
    this.#written += length;
    for (let done = 0; done < length; ) {
      const { bytesWritten } = await file.writev(pieces, at + done);
      done += bytesWritten;
      if (done < length) pieces = [Buffer.concat(pieces).subarray(bytesWritten)];
    }
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
    this.#waiting = [];
    this.#waitingBytes = 0;
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
