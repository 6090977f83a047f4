import type { IncomingMessage } from 'node:http';
import { payloadTooLarge, ToolError } from '../errors.ts';
import { mostValues, ValueCounter } from '../json-text.ts';

/**
 * Reads all bytes of a request's body.
 * @param refuse sees each piece, and returns the error that ends the reading, if any
 * @throws ToolError `payload_too_large` as soon as there are more than `limit` bytes
 */
export function readBytes(
  request: IncomingMessage,
  limit: number,
  refuse: (piece: Buffer) => ToolError | undefined = () => undefined,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (Number(request.headers['content-length'] ?? 0) > limit) {
      reject(payloadTooLarge(limit));
      return;
    }
    const parts: Buffer[] = [];
    let total = 0;
    const onData = (part: Buffer) => {
      total += part.length;
      parts.push(part);
      const refusal = total > limit ? payloadTooLarge(limit) : refuse(part);
      if (!refusal) return;
      // Destroying the request would close the socket before the 413 is written.
      request.off('data', onData).pause();
      reject(refusal);
    };
    request.on('data', onData);
    request.once('end', () => resolve(parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)));
    request.once('error', reject);
    // If the client leaves, the request may close without an error.
    request.once('close', () => {
      if (!request.complete) reject(new Error('the request was not received whole'));
    });
  });
}

/**
 * Reads the bytes of a JSON body.
 * @throws ToolError `payload_too_large` as soon as there are more than `limit` bytes, or too many values
 */
export function readJsonBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  const values = new ValueCounter();
  return readBytes(request, limit, (piece) => (values.add(piece) ? undefined : tooManyValues()));
}

/** 413 for a JSON body with more values than `mostValues`. */
function tooManyValues(): ToolError {
  return new ToolError('payload_too_large', `The request holds more than ${mostValues} JSON values.`);
}

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
    // Only the decoder throws a TypeError.
    throw new NotJson(error instanceof TypeError ? 'Is not valid UTF-8.' : 'Is not valid JSON.');
  }
}
