import { isUtf8 } from 'node:buffer';
import sniffEncoding from 'html-encoding-sniffer';
import { ExtractionFailure } from './extraction-failure.ts';

/** How much of a file is looked at, in characters; how many of these any text may have, and what part of them a long one. */
const looked = 8192;
const fewUnreadable = 16;
const mostUnreadable = 0.05;

/**
 * Bytes as text, in the charset that their first bytes name, the Content-Type, or a `<meta>`; else UTF-8 where they
 * are such, and windows-1252.
 * Throws ExtractionFailure for what is no text.
 */
export function decoded(bytes: Uint8Array, contentType: string | undefined): string {
  const label = /charset\s*=\s*["']?([^\s;"']+)/i.exec(contentType ?? '')?.[1];
  const encoding = sniffEncoding(bytes, {
    transportLayerEncodingLabel: label,
    defaultEncoding: isUtf8(bytes) ? 'UTF-8' : 'windows-1252',
  });
  const text = textOf(bytes, encoding);
  const start = text.slice(0, looked);
  const unreadable = start.match(/(?!\s)[\p{Cc}\ufffd]/gu)?.length ?? 0;
  if (unreadable > Math.max(fewUnreadable, start.length * mostUnreadable))
    throw new ExtractionFailure('It is no text that can be read.');
  return text;
}

/** Two of the encodings that a page can name are none that anything can be decoded from. */
function textOf(bytes: Uint8Array, encoding: string): string {
  try {
    return new TextDecoder(encoding).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}
