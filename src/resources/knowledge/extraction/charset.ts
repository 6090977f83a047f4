import { isUtf8 } from 'node:buffer';
import sniffEncoding from 'html-encoding-sniffer';
import { ExtractionFailure } from './extraction-failure.ts';

/** Characters at the start of a file that are checked. */
const checked = 8192;
/** Unreadable characters among them that are allowed: this many, or this share if that is more. */
const fewUnreadable = 16;
const mostUnreadable = 0.05;

/**
 * Decodes bytes in the charset of their byte order mark, the Content-Type or a `<meta>`; else as UTF-8 if they are valid,
 * and as windows-1252 if not.
 * @throws ExtractionFailure if the bytes are not text
 */
export function decoded(bytes: Uint8Array, contentType: string | undefined): string {
  const label = /charset\s*=\s*["']?([^\s;"']+)/i.exec(contentType ?? '')?.[1];
  const encoding = sniffEncoding(bytes, {
    transportLayerEncodingLabel: label,
    defaultEncoding: isUtf8(bytes) ? 'UTF-8' : 'windows-1252',
  });
  const text = textOf(bytes, encoding);
  const start = text.slice(0, checked);
  const unreadable = start.match(/(?!\s)[\p{Cc}\ufffd]/gu)?.length ?? 0;
  if (unreadable > Math.max(fewUnreadable, start.length * mostUnreadable))
    throw new ExtractionFailure('The document is not readable text. Save it as UTF-8.');
  return text;
}

/** TextDecoder cannot decode two of the encodings that a page can name. */
function textOf(bytes: Uint8Array, encoding: string): string {
  try {
    return new TextDecoder(encoding).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}
