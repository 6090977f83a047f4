import type { IncomingMessage } from 'node:http';
import { Busboy } from '@fastify/busboy';
import type { FormField } from '../../operation/context.ts';
import type { FileForm } from '../../operation/define.ts';
import type { FileText } from '../../operation/file-text.ts';
import { Upload } from '../../operation/upload.ts';
import { type Issue, jsonPointer, payloadTooLarge } from '../../platform/errors.ts';
import { LongTextReader } from '../../platform/long-text.ts';
import { paceBody, resumeReading, stopReading } from '../http/body-pace.ts';
import { isEncoded } from '../http/headers.ts';
import { Spool } from '../http/spool.ts';

/** A form, or the reasons why it cannot be read. */
export interface ReadForm {
  /** A text, an upload, or a list of texts if the name occurs more than once. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
  readonly issues: readonly Issue[];
  readonly fields: readonly FormField[];
}

/** Bytes buffered between two stages of reading: twice the size of a piece from a socket. */
const bufferSize = 131_072;
/** Texts and files in a form. */
const maximumParts = 100;
/** Bytes of all texts of a form together: the limit of a JSON body. */
const maximumTexts = 262_144;
/** Bytes of one part's headers. */
const maximumHeaders = 8_192;

/** A form that cannot be read. The message is for the caller. */
class BadForm extends Error {
  override readonly name = 'BadForm';
}

/**
 * Reads a form (`multipart/form-data`, RFC 7578). The part named `file` is spooled as a file, whatever its headers say.
 * `keep` receives the spool as soon as it is open; the caller closes it.
 * @throws ToolError `payload_too_large` as soon as the form has more than `limit` bytes
 */
export async function readForm(
  request: IncomingMessage,
  limit: number,
  file: string,
  keep: (spool: Spool) => void,
): Promise<ReadForm> {
  const { 'content-type': type = '' } = request.headers;
  if (Number(request.headers['content-length'] ?? 0) > limit) throw payloadTooLarge(limit);
  if (isEncoded(request.headers))
    return refused('A Content-Encoding is not accepted; send the form as it is.');
  if (!isForm(request)) return refused('Expected the Content-Type multipart/form-data.');
  const parts = new FormParts(file, keep);
  try {
    await parse(request, type, limit, parts);
  } catch (error) {
    if (error instanceof BadForm) return refused(error.message);
    throw error;
  }
  return parts.read();
}

/** True if the Content-Type of a request is `multipart/form-data`. */
export function isForm({ headers }: IncomingMessage): boolean {
  return /^multipart\/form-data *(?:;|$)/i.test(headers['content-type'] ?? '');
}

/** Returns the form with its file as the members that JSON has for it. */
export async function fileAsMembers({ body, ...read }: ReadForm, form: FileForm): Promise<ReadForm> {
  const { file, ...members } = body ?? {};
  if (!(file instanceof Upload)) return { ...read, body };
  return {
    ...read,
    body: {
      ...(file.name !== undefined && { [form.fileName]: file.name }),
      [form.mimeType]: file.contentType,
      ...members,
      [form.content]: await base64Of(file),
    },
  };
}

/** A file as a text of JSON, encoded piece by piece. */
async function base64Of(file: Upload): Promise<FileText> {
  const text = new LongTextReader('base64', 4 * Math.ceil(file.size / 3));
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of file.read()) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, piece]) : piece;
    // Three bytes are four characters. Only the last piece is padded.
    const whole = bytes.length - (bytes.length % 3);
    text.add(Buffer.from(bytes.toString('base64', 0, whole)));
    rest = bytes.subarray(whole);
  }
  text.add(Buffer.from(rest.toString('base64')));
  return text.end();
}

function refused(message: string): ReadForm {
  const detail = { loc: [], type: 'value_error' };
  return { body: undefined, issues: [{ in: 'body', path: '', message, detail }], fields: [] };
}

/** Collects the parts of a form. */
class FormParts {
  readonly fileInput: string;
  readonly #keep: (spool: Spool) => void;
  readonly #fields: FormField[] = [];
  readonly #misplaced = new Set<string>();
  #textBytes = 0;
  #count = 0;
  #upload: { spool: Spool; name: string | undefined; contentType: string } | undefined;

  constructor(file: string, keep: (spool: Spool) => void) {
    this.fileInput = file;
    this.#keep = keep;
  }

  text(name: string | undefined, text: string): void {
    this.#begin(name);
    if (text.includes('\ufffd')) throw new BadForm('Is not valid UTF-8.');
    this.#textBytes += Buffer.byteLength(name ?? '') + Buffer.byteLength(text);
    if (this.#textBytes > maximumTexts) throw new BadForm(`Expected at most ${maximumTexts} bytes of text.`);
    this.#fields.push([name ?? '', text]);
  }

  /** Returns the sink for a file's bytes, or undefined if the form may not have this file. */
  file(name: string | undefined, fileName: string | undefined, contentType: string): Sink | undefined {
    this.#begin(name);
    if (name !== this.fileInput || this.#upload) {
      this.#misplaced.add(name ?? '');
      return undefined;
    }
    const spool = new Spool();
    this.#keep(spool);
    this.#upload = { spool, name: fileName, contentType };
    return (piece) => spool.write(piece);
  }

  #begin(name: string | undefined): void {
    if (name === undefined) throw new BadForm('Has a part without a name.');
    if (++this.#count > maximumParts) throw new BadForm(`Expected at most ${maximumParts} parts.`);
  }

  async read(): Promise<ReadForm> {
    await this.#upload?.spool.end();
    const members = new Map<string, string | string[] | Upload>();
    for (const [name, text] of this.#fields) {
      const known = members.get(name);
      if (known === undefined) members.set(name, text);
      else members.set(name, [...[known as string | string[]].flat(), text]);
    }
    if (this.#upload) {
      const { spool, name, contentType } = this.#upload;
      const { size, head } = spool;
      const read = () => spool.read();
      members.set(this.fileInput, new Upload({ name, contentType, size, head, read }));
    }
    const issues = [...this.#misplaced].map((name): Issue => {
      const message = name === this.fileInput ? 'Is given more than once.' : 'Expected a text, not a file.';
      const detail = { loc: [name], type: 'value_error' };
      return { in: 'body', path: jsonPointer([name]), message, detail };
    });
    // Unlike assignment, fromEntries makes "__proto__" an own member, which a later check refuses.
    return { body: Object.fromEntries(members), issues, fields: this.#fields };
  }
}

/** Takes a piece. If it returns a promise, the writer waits for it. */
type Sink = (piece: Buffer) => Promise<void> | undefined;

function parse(request: IncomingMessage, type: string, limit: number, parts: FormParts): Promise<void> {
  return new Promise((resolve, reject) => {
    const parser = parserOf(type, parts.fileInput);
    let total = 0;
    const fail = (error: Error) => {
      request.off('data', onData).off('end', onEnd);
      stopReading(request);
      reject(error);
    };
    /** Rejects with what `work` throws, so that the error does not reach the parser that emitted the event. */
    const attempt = <Result>(work: () => Result): Result | undefined => {
      try {
        return work();
      } catch (error) {
        fail(error as Error);
        return undefined;
      }
    };
    const onData = (piece: Buffer) => {
      total += piece.length;
      if (total > limit) fail(payloadTooLarge(limit));
      else if (parser.write(piece)) paceBody(request, piece);
      else request.pause();
    };
    const onEnd = () => parser.end();
    const broken = () => fail(new BadForm('Is not a valid form.'));
    parser.on('drain', () => resumeReading(request));
    parser.on('error', broken);
    parser.on('finish', resolve);
    parser.on('field', (name, text) => attempt(() => parts.text(name, text)));
    parser.on('file', (name, content, fileName, _, contentType) => {
      content.on('error', broken);
      const sink = attempt(() => parts.file(name, fileName, contentType));
      if (!sink) content.resume();
      else
        content.on('data', (piece: Buffer) => {
          const written = sink(piece);
          if (!written) return;
          content.pause();
          written.then(() => content.resume(), fail);
        });
    });
    request.on('data', onData).once('end', onEnd).once('error', reject);
    // If the client leaves, the request may close without an error.
    request.once('close', () => {
      if (!request.complete) reject(new Error('the request was not received whole'));
    });
  });
}

function parserOf(type: string, file: string): InstanceType<typeof Busboy> {
  try {
    return new Busboy({
      headers: { 'content-type': type },
      highWaterMark: bufferSize,
      fileHwm: bufferSize,
      limits: { parts: maximumParts + 1, fieldSize: maximumTexts + 1, headerSize: maximumHeaders },
      isPartAFile: (name, _type, fileName) => name === file || fileName !== undefined,
    });
  } catch {
    throw new BadForm('The Content-Type names no boundary.');
  }
}
