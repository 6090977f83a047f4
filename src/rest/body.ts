import { isUtf8 } from 'node:buffer';
import type { Context } from 'koa';
import { koaBody } from 'koa-body';
import { type Issue, payloadTooLarge } from '../errors.ts';
import { NotJson, parseJson, readBytes, tooManyValues } from '../http/body.ts';
import { ValueCounter } from '../json-text.ts';

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

/**
 * Returns a reader of JSON bodies (RFC 8259, strict UTF-8) of at most `limit` bytes.
 * The reader throws `payload_too_large` as soon as a body is longer or holds too many values, and collects every other
 * fault as an issue.
 * @param typed false for an operation without body members, which accepts any Content-Type.
 */
export function jsonBodyReader(limit: number, typed: boolean): (ctx: Context) => Promise<JsonBody> {
  const parse = koaBody({ jsonLimit: limit, jsonStrict: false });
  return async ({ req, method }) => {
    const { 'content-encoding': encoding = 'identity', 'content-type': type = '' } = req.headers;
    if (encoding !== 'identity')
      return refusedUnlessEmpty('A Content-Encoding is not accepted; send the JSON as it is.');
    if (typed && type !== '' && !/^application\/json *(?:;|$)/i.test(type))
      return refusedUnlessEmpty('Expected the Content-Type application/json.');
    // koa-body takes the length modulo 2^32.
    if (Number(req.headers['content-length'] ?? 0) > limit) throw payloadTooLarge(limit);
    const pieces: Buffer[] = [];
    const values = new ValueCounter();
    const collect = (piece: Buffer) => {
      pieces.push(piece);
      // koa-body reads the same events: an error ends its reading before it parses.
      if (!values.add(piece)) req.emit('error', tooManyValues());
    };
    // What koa-body uses of a context. The Content-Type has been compared above.
    const context = { req, method, request: { body: undefined as unknown }, is: () => 'json' };
    let parsed = true;
    req.on('data', collect);
    try {
      await parse(context as unknown as Context, async () => {});
    } catch (error) {
      if ((error as { type?: string }).type === 'entity.too.large') throw payloadTooLarge(limit);
      if (!(error instanceof SyntaxError)) throw error;
      parsed = false;
    } finally {
      req.off('data', collect);
    }
    const bytes = pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces);
    if (bytes.length === 0) return noBody;
    try {
      // koa-body replaces broken UTF-8, and refuses `__proto__` without its path: parseJson finds the fault.
      const body = parsed && isUtf8(bytes) ? context.request.body : parseJson(bytes);
      return { body, issues: [], bytes };
    } catch (error) {
      if (error instanceof NotJson) return refused(error.message, 'json_invalid');
      throw error;
    }

    async function refusedUnlessEmpty(message: string): Promise<JsonBody> {
      return (await readBytes(req, limit)).length === 0 ? noBody : refused(message);
    }
  };
}
