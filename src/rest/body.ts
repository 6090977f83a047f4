import type { IncomingMessage } from 'node:http';
import type { Issue } from '../errors.ts';
import { NotJson, parseJson, readBytes } from '../http/body.ts';

/** A body as it was read: its JSON, or what was wrong with it. `undefined` is no body at all. */
export interface ReadBody {
  readonly body: unknown;
  readonly issues: readonly Issue[];
  /** As it was sent. */
  readonly bytes?: Buffer;
}

const nothing: ReadBody = { body: undefined, issues: [] };

function refused(message: string, type = 'value_error'): ReadBody {
  const detail = { loc: [], type };
  return { body: undefined, issues: [{ in: 'body', path: '', message, detail }] };
}

/**
 * Reads a JSON body, strict UTF-8, of at most `limit` bytes, counted as they come.
 * @param typed false where the operation has no body members: the Content-Type is then not looked at.
 * @throws ToolError `payload_too_large`
 */
export async function readJsonBody(
  request: IncomingMessage,
  limit: number,
  typed: boolean,
): Promise<ReadBody> {
  const { 'content-encoding': encoding, 'content-type': type = '' } = request.headers;
  const bytes = await readBytes(request, limit);
  if (bytes.length === 0) return nothing;
  if (encoding !== undefined && encoding !== 'identity')
    return refused('A Content-Encoding is not accepted; send the JSON as it is.');
  if (typed && !/^application\/json *(?:;|$)/i.test(type))
    return refused('Expected the Content-Type application/json.');
  try {
    return { body: parseJson(bytes), issues: [], bytes };
  } catch (error) {
    if (error instanceof NotJson) return refused(error.message, 'json_invalid');
    throw error;
  }
}
