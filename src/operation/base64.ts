import { LongText } from '../platform/long-text.ts';

/** Decodes standard base64 (RFC 4648 section 4), padded or not, with line breaks or not; undefined for anything else. */
export function decodeBase64(text: string | LongText): Buffer | undefined {
  if (text instanceof LongText) return text.content;
  // A form turns a plus into a space, which atob would ignore.
  if (/[ \t\f]/.test(text)) return undefined;
  try {
    // Unlike Buffer.from, atob throws for other characters.
    return Buffer.from(atob(text), 'latin1');
  } catch {
    return undefined;
  }
}
