const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Bytes that are not JSON. The message is for the caller. */
export class NotJson extends Error {
  override readonly name = 'NotJson';
}

/**
 * Parses JSON (RFC 8259) in strict UTF-8.
 * @throws NotJson
 */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch (error) {
    throw notJson(error);
  }
}

/** What the error of a decoder or parser says about the bytes. */
export function notJson(error: unknown): NotJson {
  // Only the decoder throws a TypeError.
  return new NotJson(error instanceof TypeError ? 'Is not valid UTF-8.' : 'Is not valid JSON.');
}
