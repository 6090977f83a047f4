import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';

/** A text field of a form. Several may share a name. */
export type FormText = readonly [name: string, text: string];

/** A file of a form. */
export interface FormFile {
  readonly name: string;
  readonly fileName: string;
  readonly contentType: string;
  /** Bytes. */
  readonly size: number;
  /** Reads the file from its start. */
  readonly read: () => AsyncIterable<Buffer>;
}

/** Builds a form (`multipart/form-data`, RFC 7578) that ends with a file. The file is read while the form is sent. */
export function formBody(
  texts: readonly FormText[],
  file: FormFile,
): { readonly headers: Readonly<Record<string, string>>; readonly body: Readable } {
  const boundary = `parley-${randomUUID()}`;
  const part = (name: string, more: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"${more}\r\n\r\n`;
  const type = /^[\w.+-]+\/[\w.+-]+$/.test(file.contentType) ? file.contentType : 'application/octet-stream';
  const start = Buffer.from(
    texts.map(([name, text]) => `${part(name, '')}${text}\r\n`).join('') +
      part(file.name, `; filename="${quoted(file.fileName)}"\r\nContent-Type: ${type}`),
  );
  const end = Buffer.from(`\r\n--${boundary}--\r\n`);
  async function* pieces() {
    yield start;
    yield* file.read();
    yield end;
  }
  return {
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(start.length + file.size + end.length),
    },
    body: Readable.from(pieces(), { objectMode: false, highWaterMark: 1 }),
  };
}

/** Quotes a name as browsers do (HTML standard, multipart form data). */
function quoted(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
