import { Readable } from 'node:stream';
import type { Context } from 'koa';
import { ToolError } from '../../platform/errors.ts';
import type { RequestState } from '../http/request-state.ts';
import { lastWords } from '../http/server.ts';
import { sendWhole } from './boundary.ts';
import { errorEvent } from './event-stream.ts';

/** Sends a body as it comes, or at once if it is whole. */
export function sendStream(
  ctx: Context,
  status: number,
  contentType: string,
  body: AsyncIterable<string | Uint8Array> | Uint8Array,
): void {
  if (body instanceof Uint8Array) {
    // A stop has refused a request that took too long.
    if (ctx.res.headersSent) return;
    // As a latin1 text, because Node.js writes a text together with the headers.
    const text = Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1');
    sendWhole(ctx, status, contentType, text, 'latin1');
    return;
  }
  ctx.status = status;
  ctx.set('content-type', contentType);
  sendPieces(ctx, body instanceof Readable ? body : Readable.from(body, { objectMode: false }));
}

/** Pipes a stream. Koa's own pipeline creates an error at each stream's end, which costs more than a small response. */
function sendPieces(ctx: Context, body: Readable): void {
  const { res } = ctx;
  ctx.respond = false;
  body.once('error', (error) => {
    // The client has left.
    if (res.destroyed) return;
    // Cut the connection, so that the client does not take a part for the whole.
    res.destroy();
    ctx.app.emit('error', error);
  });
  res.once('close', () => body.destroy()).once('error', () => body.destroy());
  lastWords(res, () => {
    body.unpipe(res).destroy();
    const { requestId } = ctx.state as RequestState;
    // An upstream's last event may be incomplete, and an empty line ends it.
    res.end(`\n\n${errorEvent(new ToolError('internal_error', ''), requestId)}`);
  });
  body.pipe(res);
}
