import type { IncomingMessage } from 'node:http';
import { payloadTooLarge } from '../errors.ts';

/**
 * All bytes of a request's body.
 * @throws ToolError `payload_too_large` as soon as there are more than `limit`.
 */
export async function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > limit) throw payloadTooLarge(limit);
  const parts: Buffer[] = [];
  let total = 0;
  // destroyOnReturn would close the socket before the 413 is written.
  for await (const part of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    total += part.length;
    if (total > limit) throw payloadTooLarge(limit);
    parts.push(part);
  }
  return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Why bytes are no JSON text, in words for the caller. */
export class NotJson extends Error {
  override readonly name = 'NotJson';
}

/**
 * The JSON text (RFC 8259) in strict UTF-8.
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
