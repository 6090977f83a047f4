import type { IncomingMessage } from 'node:http';
import { Busboy } from '@fastify/busboy';
import { type Issue, jsonPointer, payloadTooLarge } from '../errors.ts';
import { Spool } from '../http/spool.ts';
import type { FileForm } from '../tool/define.ts';
import type { FormField } from '../tool/input.ts';
import { Upload } from '../tool/upload.ts';

/** A form as it was read: its members, or what was wrong with it. */
export interface ReadForm {
  /** A name that stands there several times has a list. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
  readonly issues: readonly Issue[];
  readonly fields: readonly FormField[];
}

/** Bytes that wait between two stages of reading: with one piece of a socket there, the next is taken all the same. */
const mostWaiting = 131_072;
/** Texts and files of a form. */
const maximumParts = 100;
/** Bytes of all the texts of a form together: as much as of any other request. */
const maximumTexts = 262_144;
/** Bytes of the headers of a part. */
const maximumHeaders = 8_192;

/** Why a form cannot be read, in words for the caller. */
class BadForm extends Error {
  override readonly name = 'BadForm';
}

/**
 * Reads a form (`multipart/form-data`, RFC 7578) of at most `limit` bytes, counted as they come. Its part `file` is
 * spooled, whatever its headers say; `keep` gets the spool, which its caller closes, as soon as there is one.
 * @throws ToolError `payload_too_large`
 */
export async function readForm(
  request: IncomingMessage,
  limit: number,
  file: string,
  keep: (spool: Spool) => void,
): Promise<ReadForm> {
  const { 'content-encoding': encoding, 'content-type': type = '' } = request.headers;
  if (Number(request.headers['content-length'] ?? 0) > limit) throw payloadTooLarge(limit);
  if (encoding !== undefined && encoding !== 'identity')
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

/** True for a request whose body is a form. */
export function isForm({ headers }: IncomingMessage): boolean {
  return /^multipart\/form-data *(?:;|$)/i.test(headers['content-type'] ?? '');
}

/** A form with its file as the members that stand for it in JSON. */
export async function fileAsMembers({ body, ...read }: ReadForm, form: FileForm): Promise<ReadForm> {
  const { file, ...members } = body ?? {};
  if (!(file instanceof Upload)) return { ...read, body };
  const pieces: Buffer[] = [];
  for await (const piece of file.read()) pieces.push(piece);
  return {
    ...read,
    body: {
      ...(file.name !== undefined && { [form.fileName]: file.name }),
      [form.mimeType]: file.contentType,
      ...members,
      [form.content]: Buffer.concat(pieces).toString('base64'),
    },
  };
}

function refused(message: string): ReadForm {
  const detail = { loc: [], type: 'value_error' };
  return { body: undefined, issues: [{ in: 'body', path: '', message, detail }], fields: [] };
}

/** What has come of a form. */
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
    if (this.#textBytes > maximumTexts)
      throw new BadForm(`Expected at most ${maximumTexts} bytes beside the file.`);
    this.#fields.push([name ?? '', text]);
  }

  /** Where the bytes of a file go; undefined where it is not wanted. */
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
    // fromEntries, unlike assignment, makes an own member even of "__proto__", so that it can be refused.
    return { body: Object.fromEntries(members), issues, fields: this.#fields };
  }
}

/** Takes a piece; a promise asks for patience. */
type Sink = (piece: Buffer) => Promise<void> | undefined;

function parse(request: IncomingMessage, type: string, limit: number, parts: FormParts): Promise<void> {
  return new Promise((resolve, reject) => {
    const parser = parserOf(type, parts.fileInput);
    let total = 0;
    const fail = (error: Error) => {
      // Not destroyed: that would close the socket before the refusal is written.
      request.off('data', onData).off('end', onEnd).pause();
      parser.removeAllListeners('drain');
      reject(error);
    };
    /** What a part has to say against the form is an answer, not a failure of whoever emits it. */
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
      else if (!parser.write(piece)) request.pause();
    };
    const onEnd = () => parser.end();
    const broken = () => fail(new BadForm('Is not a valid form.'));
    parser.on('drain', () => request.resume());
    parser.on('error', broken);
    parser.on('finish', resolve);
    parser.on('field', (name, text) => attempt(() => parts.text(name, text)));
    parser.on('file', (name, content, fileName, _, contentType) => {
      content.on('error', broken);
      const sink = attempt(() => parts.file(name, fileName, contentType));
      if (!sink) content.resume();
      else
        content.on('data', (piece: Buffer) => {
          const patience = sink(piece);
          if (!patience) return;
          content.pause();
          patience.then(() => content.resume(), fail);
        });
    });
    request.on('data', onData).once('end', onEnd).once('error', reject);
    // A client that leaves may end it without an error.
    request.once('close', () => {
      if (!request.complete) reject(new Error('the request was not received whole'));
    });
  });
}

function parserOf(type: string, file: string): InstanceType<typeof Busboy> {
  try {
    return new Busboy({
      headers: { 'content-type': type },
      highWaterMark: mostWaiting,
      fileHwm: mostWaiting,
      limits: { parts: maximumParts + 1, fieldSize: maximumTexts + 1, headerSize: maximumHeaders },
      isPartAFile: (name, _type, fileName) => name === file || fileName !== undefined,
    });
  } catch {
    throw new BadForm('The Content-Type names no boundary.');
  }
}
