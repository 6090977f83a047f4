import * as v from 'valibot';
import { LongText } from '../platform/long-text.ts';
import { decodeBase64 } from './base64.ts';
import type { FileText } from './file-text.ts';
import type { JsonProblem } from './json.ts';
import type { JsonObject } from './result.ts';

/** The parts of an upload. */
export interface UploadParts {
  /** The sender's name for it, if there is one. */
  readonly name: string | undefined;
  /** The sender's media type. */
  readonly contentType: string;
  /** Bytes. */
  readonly size: number;
  /** Its first bytes, 64 KiB at most. */
  readonly head: Buffer;
  /** Reads the whole file from the start, as often as it is called. */
  readonly read: () => AsyncIterable<Buffer>;
}

/** A file as input: a part of a form in REST, base64 on MCP. Its fields are private, so a walk over JSON skips it. */
export class Upload {
  readonly #parts: UploadParts;
  constructor(parts: UploadParts) {
    this.#parts = parts;
  }
  get name(): string | undefined {
    return this.#parts.name;
  }
  get contentType(): string {
    return this.#parts.contentType;
  }
  get size(): number {
    return this.#parts.size;
  }
  get head(): Buffer {
    return this.#parts.head;
  }
  read(): AsyncIterable<Buffer> {
    return this.#parts.read();
  }
}

/** Bytes of the largest file that an upload's address takes: 25 MiB, the most of any operation (`decisions#uploads`). */
export const largestUpload = 26_214_400;

/** Bytes of a file that are available without reading it. */
export const uploadHead = 65_536;

/** Bytes that are read of a file at a time. */
const uploadPiece = 65_536;

/** The schema of an input that is a file; an operation has at most one. */
export const UploadedFile = v.instance(Upload, 'Expected a file.');

/** True for that schema, described or not. */
export function isUploadSchema(schema: object): boolean {
  return 'class' in schema && schema.class === Upload;
}

/** The name of the input that is a file. */
export function fileInputOf(entries: Readonly<Record<string, unknown>>): string | undefined {
  return Object.keys(entries).find((name) => {
    const { wrapped = entries[name] } = entries[name] as { readonly wrapped?: unknown };
    return isUploadSchema(wrapped as object);
  });
}

/** Decodes the file of an input, unless it came as a part of a form. Returns the input and the problems of the file. */
export function withUpload(
  file: string | undefined,
  given: JsonObject,
): { readonly value: JsonObject; readonly problems: readonly JsonProblem[] } {
  if (file === undefined || !Object.hasOwn(given, file)) return { value: given, problems: [] };
  const sent = given[file];
  const upload = typeof sent === 'string' || sent instanceof LongText ? uploadOf(sent) : sent;
  const value = { ...given, [file]: upload };
  const wrong = (message: string) => ({ value, problems: [{ path: [file], message }] });
  if (upload === undefined) return wrong('Expected standard base64 (RFC 4648 section 4).');
  if (upload instanceof Upload && upload.size === 0) return wrong('Expected a file that is not empty.');
  return { value, problems: [] };
}

function uploadOf(base64: FileText): Upload | undefined {
  const bytes = decodeBase64(base64);
  return (
    bytes &&
    new Upload({
      name: undefined,
      contentType: 'application/octet-stream',
      size: bytes.length,
      head: bytes.subarray(0, uploadHead),
      async *read() {
        for (let at = 0; at < bytes.length; at += uploadPiece)
          // A copy, because the bytes are freed once the call has ended, and a socket may still send the last piece.
          yield Buffer.from(bytes.subarray(at, at + uploadPiece));
      },
    })
  );
}
