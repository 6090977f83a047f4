import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import { koaBody } from 'koa-body';
import { defaultBodyLimit } from '../../operation/define.ts';
import { largeInput } from '../../operation/input.ts';
import type { TakeTurn } from '../../operation/invocation.ts';
import { isJsonObject } from '../../operation/json.ts';
import { withLongTexts } from '../../operation/long-input.ts';
import { type Issue, payloadTooLarge } from '../../platform/errors.ts';
import { type LongTextEncoding, longFrom } from '../../platform/long-text.ts';
import { NotJson, parseJson } from '../../platform/parse-json.ts';
import { jsonBodyContext } from '../../platform/private-members/koa-body.ts';
import { readBytes, readJsonBytes, readShortenedJson } from '../http/body.ts';
import { isEncoded } from '../http/headers.ts';

/** A JSON body, or the reasons why it cannot be read. `body` is `undefined` if the request has none. */
export interface JsonBody {
  readonly body: unknown;
  readonly issues: readonly Issue[];
  /** The bytes as the client sent them. */
  readonly bytes?: Buffer;
}

const noBody: JsonBody = { body: undefined, issues: [] };

function refused(message: string, type = 'value_error'): JsonBody {
  const detail = { loc: [], type };
  return { body: undefined, issues: [{ in: 'body', path: '', message, detail }] };
}

/** Reads and parses small bodies that are not passed on. */
const parse = koaBody({ jsonLimit: largeInput, jsonStrict: false });

/**
 * Returns a reader of JSON bodies (RFC 8259, strict UTF-8) of at most `limit` bytes.
 * The reader throws `payload_too_large` as soon as a body is longer or holds too many values, and collects every other
 * fault as an issue.
 * The reader of a large body awaits `turn` before it parses.
 * @param typed false for an operation without body members, which accepts any Content-Type.
 * @param long the members that may be long; what the body holds besides them takes no more than other bodies
 * @param keepsBytes true for an operation that passes on the bytes of its body. koa-body would not keep them, and to collect
 *   them beside it took 1.4 times the CPU of a chat request
 */
export function jsonBodyReader(
  limit: number,
  typed: boolean,
  long: ReadonlyMap<string, LongTextEncoding> = new Map(),
  keepsBytes = false,
): (ctx: Context, turn: TakeTurn) => Promise<JsonBody> {
  return async ({ req, method }, turn) => {
    const { 'content-type': type = '' } = req.headers;
    if (isEncoded(req.headers))
      return refusedUnlessEmpty('A Content-Encoding is not accepted; send the JSON as it is.');
    // koa-body knows only one spelling of identity.
    delete req.headers['content-encoding'];
    if (typed && type !== '' && !/^application\/json *(?:;|$)/i.test(type))
      return refusedUnlessEmpty('Expected the Content-Type application/json.');
    if (isLarge(req)) {
      // koa-body would parse it at once.
      if (long.size > 0) return readLong(req, turn);
      const whole = await readJsonBytes(req, limit);
      await turn();
      return bodyOf(whole);
    }
    if (keepsBytes) return bodyOf(await readBytes(req, limit));
    if (Number(req.headers['content-length'] ?? 0) > limit) throw payloadTooLarge(limit);
    const pieces: Buffer[] = [];
    const collect = (piece: Buffer) => pieces.push(piece);
    const context = jsonBodyContext(req, method);
    let parsed = true;
    req.on('data', collect);
    try {
      await parse(context, async () => {});
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      parsed = false;
    } finally {
      req.off('data', collect);
    }
    const bytes = pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces);
    // koa-body replaces broken UTF-8, and refuses `__proto__` without its path: parsing again finds the fault.
    if (!parsed || !isUtf8(bytes) || bytes.length === 0) return bodyOf(bytes);
    return { body: context.request.body, issues: [], bytes };

    async function readLong(request: IncomingMessage, takeTurn: TakeTurn): Promise<JsonBody> {
      try {
        const { text, longTexts } = await readShortenedJson(request, limit, { path: [], encodings: long });
        if (text.length > longFrom + defaultBodyLimit) throw payloadTooLarge(longFrom + defaultBodyLimit);
        await takeTurn();
        const { body, issues } = bodyOf(text);
        return { body: isJsonObject(body) ? withLongTexts(body, long.keys(), longTexts) : body, issues };
      } catch (error) {
        if (error instanceof NotJson) return refused(error.message, 'json_invalid');
        throw error;
      }
    }

    async function refusedUnlessEmpty(message: string): Promise<JsonBody> {
      return (await readBytes(req, limit)).length === 0 ? noBody : refused(message);
    }
  };
}

/** Parses a body. A fault becomes an issue. */
function bodyOf(bytes: Buffer): JsonBody {
  if (bytes.length === 0) return noBody;
  try {
    return { body: parseJson(bytes), issues: [], bytes };
  } catch (error) {
    if (error instanceof NotJson) return refused(error.message, 'json_invalid');
    throw error;
  }
}

/** A chunked body may be. */
function isLarge({ headers }: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers;
  return encoding !== undefined || Number(length ?? 0) > largeInput;
}
