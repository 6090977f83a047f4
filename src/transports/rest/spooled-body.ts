import type { IncomingMessage } from 'node:http';
import { invalidRequest, payloadTooLarge } from '../../platform/errors.ts';
import { isEncoded } from '../http/headers.ts';
import { Spool } from '../http/spool.ts';

/**
 * Receives a body that is a file. `keep` gets the spool at once, and closes it in the end.
 * @throws ToolError `payload_too_large` as soon as it is longer than `limit`, and `invalid_request` for an encoded one
 */
export async function spoolBody(
  request: IncomingMessage,
  limit: number,
  keep: (spool: Spool) => void,
): Promise<Spool> {
  const { 'content-length': length = '0' } = request.headers;
  if (isEncoded(request.headers)) {
    const message = 'A Content-Encoding is not accepted; send the file as it is.';
    throw invalidRequest([{ in: 'body', path: '', message }]);
  }
  if (Number(length) > limit) throw payloadTooLarge(limit);
  const spool = new Spool();
  keep(spool);
  await receive(request, spool, limit);
  await spool.end();
  return spool;
}

function receive(request: IncomingMessage, spool: Spool, limit: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let total = 0;
    const fail = (error: Error) => {
      // Destroying the request would close the socket before the response is written.
      request.off('data', onData).off('end', resolve).pause();
      reject(error);
    };
    const onData = (piece: Buffer) => {
      total += piece.length;
      if (total > limit) {
        fail(payloadTooLarge(limit));
        return;
      }
      const written = spool.write(piece);
      if (!written) return;
      request.pause();
      written.then(() => request.resume(), fail);
    };
    request.on('data', onData).once('end', resolve).once('error', reject);
    // If the client leaves, the request may close without an error.
    request.once('close', () => {
      if (!request.complete) reject(new Error('the request was not received whole'));
    });
  });
}
