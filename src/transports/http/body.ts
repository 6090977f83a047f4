import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { payloadTooLarge, ToolError } from '../../platform/errors.ts';
import { mostValues, ValueCounter } from '../../platform/json-text.ts';
import { type LongText, type LongTextPlaces, LongTexts } from '../../platform/long-text.ts';
import { notJson } from '../../platform/parse-json.ts';
import { paceBody, stopReading } from './body-pace.ts';

/**
 * Reads all bytes of a request's body.
 * @param refuse sees each piece, and returns the error that ends the reading, if any
 * @throws ToolError `payload_too_large` as soon as there are more than `limit` bytes
 */
export async function readBytes(
  request: IncomingMessage,
  limit: number,
  refuse: (piece: Buffer) => ToolError | undefined = () => undefined,
): Promise<Buffer> {
  const parts: Buffer[] = [];
  await readPieces(request, limit, (part) => {
    parts.push(part);
    return refuse(part);
  });
  return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
}

/**
 * Reads a request's body piece by piece. Returns the number of its bytes.
 * @param take gets each piece, and returns the error that ends the reading, if any
 * @throws ToolError `payload_too_large` as soon as there are more than `limit` bytes
 */
function readPieces(
  request: IncomingMessage,
  limit: number,
  take: (piece: Buffer) => ToolError | undefined,
): Promise<number> {
  return new Promise((resolve, reject) => {
    if (Number(request.headers['content-length'] ?? 0) > limit) {
      reject(payloadTooLarge(limit));
      return;
    }
    let total = 0;
    const onData = (part: Buffer) => {
      total += part.length;
      const refusal = total > limit ? payloadTooLarge(limit) : take(part);
      if (!refusal) {
        paceBody(request, part);
        return;
      }
      request.off('data', onData);
      stopReading(request);
      reject(refusal);
    };
    request.on('data', onData);
    request.once('end', () => resolve(total));
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

/** A JSON body without its long texts. */
export interface ShortenedJson {
  /** The body with a token in the place of each long text. */
  readonly text: Buffer;
  readonly longTexts: ReadonlyMap<string, LongText>;
  /** Bytes of the body as it was sent. */
  readonly size: number;
}

/**
 * Reads the bytes of a JSON body, and decodes the long texts in it while they arrive.
 * @throws ToolError `payload_too_large` as soon as there are more than `limit` bytes, or too many values
 * @throws NotJson for a long text that is none
 */
export async function readShortenedJson(
  request: IncomingMessage,
  limit: number,
  places: LongTextPlaces,
): Promise<ShortenedJson> {
  const { 'content-length': length } = request.headers;
  const longTexts = new LongTexts(places, length === undefined ? limit : Number(length), randomUUID);
  const size = await readPieces(request, limit, (piece) =>
    longTexts.add(piece) ? undefined : tooManyValues(),
  );
  try {
    return { ...longTexts.end(), size };
  } catch (error) {
    throw notJson(error);
  }
}

/** 413 for a JSON body with more values than `mostValues`. */
function tooManyValues(): ToolError {
  return new ToolError('payload_too_large', `The request holds more than ${mostValues} JSON values.`);
}
