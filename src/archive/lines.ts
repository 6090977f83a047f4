import { createHash } from 'node:crypto';
import type * as v from 'valibot';
import { codeOf } from '../platform/errors.ts';
import { ArchiveError } from './archive-error.ts';
import { parseLine } from './header.ts';

/** Bytes. Rows may be longer; the header of a thousand tables fits. */
const longestLine = 1_048_576;
const newline = 10;
const [backslash, dot] = [92, 46];

/** The errors of the decompressor, in words for a person. */
const damages: Readonly<Record<string, string>> = {
  Z_BUF_ERROR: 'cut short',
  Z_DATA_ERROR: 'its bytes were changed',
  ERR_TRAILING_JUNK_AFTER_STREAM_END: 'more bytes follow',
};

/** Reads an archive's decompressed bytes in constant memory, with backpressure. */
export class ArchiveLines {
  #place = 'in its header';
  #rows = 0;
  readonly #source: AsyncIterator<Buffer>;
  readonly #digest = createHash('sha256');
  #rest: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** The number of rows since `goTo`. */
  get rows(): number {
    return this.#rows;
  }

  /** Names the place that follows, for error messages. */
  goTo(place: string): void {
    this.#place = place;
    this.#rows = 0;
  }

  /** An error that names this place. */
  damaged(what: string): ArchiveError {
    const row = this.#rows > 0 ? ` after row ${this.#rows}` : '';
    return new ArchiveError(`it is damaged ${this.#place}${row}: ${what}`);
  }

  /** SHA-256, in hexadecimal, of every line so far except rows. */
  sum(): string {
    return this.#digest.copy().digest('hex');
  }

  /** @throws ArchiveError if the archive ends before the line does */
  async line(): Promise<string> {
    for (;;) {
      const end = this.#rest.indexOf(newline);
      if (end >= 0) {
        const line = this.#rest.subarray(0, end + 1);
        this.#digest.update(line);
        this.#rest = this.#rest.subarray(end + 1);
        return line.toString('utf8', 0, end);
      }
      if (this.#rest.length > longestLine) throw this.damaged('a line is too long');
      if (!(await this.#readMore())) throw this.damaged('cut short');
    }
  }

  /** @throws ArchiveError if the line does not match the schema */
  async object<Schema extends v.GenericSchema>(schema: Schema): Promise<v.InferOutput<Schema>> {
    const line = await this.line();
    const content = parseLine(schema, line);
    if (content === undefined) throw this.damaged('an unexpected line follows');
    return content;
  }

  /** The rows up to the line that ends them, in chunks of any length. */
  async *tableRows(): AsyncGenerator<Buffer> {
    let atStart = true;
    for (;;) {
      const bytes = this.#rest;
      let start = 0;
      for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, start)) {
        if (atStart && end - start === 2 && bytes[start] === backslash && bytes[start + 1] === dot) {
          this.#rest = bytes.subarray(end + 1);
          if (start > 0) yield bytes.subarray(0, start);
          return;
        }
        this.#rows += 1;
        atStart = true;
        start = end + 1;
      }
      // Holds back what may be the start of the line that ends the rows.
      const tail = bytes.length - start;
      const kept = atStart && tail <= 2 ? tail : 0;
      if (kept < tail) atStart = false;
      const ready = bytes.subarray(0, bytes.length - kept);
      this.#rest = bytes.subarray(bytes.length - kept);
      if (ready.length > 0) yield ready;
      if (!(await this.#readMore())) throw this.damaged('cut short');
    }
  }

  /** @throws ArchiveError if the archive continues */
  async end(): Promise<void> {
    if (this.#rest.length > 0 || (await this.#readMore())) throw this.damaged('more lines follow');
  }

  /** Reads more bytes; returns false at the end of the archive. */
  async #readMore(): Promise<boolean> {
    try {
      const next = await this.#source.next();
      if (next.done === true) return false;
      this.#rest = this.#rest.length > 0 ? Buffer.concat([this.#rest, next.value]) : next.value;
      return true;
    } catch (error) {
      const what = damages[codeOf(error)];
      throw what === undefined ? error : this.damaged(what);
    }
  }
}
