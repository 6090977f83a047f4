import type { IncomingMessage } from 'node:http';
import type { RouterMiddleware } from '@koa/router';
import { largestUpload, Upload } from '../../operation/upload.ts';
import { invalidRequest, ToolError, unauthorized } from '../../platform/errors.ts';
import { addressTokenHash, uploadPath } from '../auth/address-token.ts';
import type { RequestState } from '../http/request-state.ts';
import type { Spool } from '../http/spool.ts';
import type { ServerRuntime } from '../server-runtime.ts';
import { sendJson } from './boundary.ts';
import { isForm, readForm } from './form.ts';
import { spoolBody } from './spooled-body.ts';

/** Bytes that are encrypted and stored together. */
const pieceSize = 1_048_576;

/**
 * Receives the file of an upload (`decisions#uploads`), as the body or as the part `file` of a form. Its address is the
 * only credential: whoever has it may send one file within 15 minutes.
 */
export function uploadRoute(runtime: ServerRuntime): RouterMiddleware {
  return async (ctx) => {
    // The path holds the token, so the log gets the route.
    (ctx.state as RequestState).route = `${uploadPath}/{token}`;
    const hash = addressTokenHash(ctx.params['token'] ?? '');
    const upload = hash && (await runtime.findUpload(hash));
    if (!upload) throw refusal('is unknown or has expired');
    const status = await runtime.keyStatus(upload);
    if (status?.keyStatus !== 'active') throw unauthorized();
    if (status.projectStatus === 'archived')
      throw new ToolError('forbidden', 'The project is archived, which rules out uploads.');
    if (upload.state === 'expired') throw refusal('has expired');
    if (upload.state !== 'waiting') throw refusal('has been used');
    let spool: Spool | undefined;
    ctx.res.once('close', () => spool?.close());
    const file = await readFile(ctx.req, (opened) => {
      spool = opened;
      if (ctx.res.closed) opened.close();
    });
    const { id } = upload;
    await runtime.write(upload, async ({ stores }) => {
      let position = 0;
      const sealed = async function* () {
        for await (const piece of piecesOf(file.read())) {
          yield runtime.services.seal(upload, 'uploads', `${id} ${position}`, piece);
          position += 1;
        }
      };
      if (!(await stores.uploads.receive(id, file.size, sealed()))) throw refusal('has been used');
    });
    sendJson(ctx, 200, { uploadId: id, bytes: file.size });
  };
}

function refusal(reason: string): ToolError {
  return new ToolError('not_found', `This upload address ${reason}. create_upload makes another one.`);
}

/** @throws ToolError `payload_too_large`; `invalid_request` for an encoded or empty body, or a form without a file */
async function readFile(request: IncomingMessage, keep: (spool: Spool) => void): Promise<Upload> {
  if (isForm(request)) {
    const { body, issues } = await readForm(request, largestUpload, 'file', keep);
    const [first, ...more] = issues;
    if (first) throw invalidRequest([first, ...more]);
    const file = body?.['file'];
    if (!(file instanceof Upload)) throw wrong('/file', 'Is required.');
    return notEmpty(file);
  }
  const spool = await spoolBody(request, largestUpload, keep);
  const { size, head } = spool;
  const contentType = request.headers['content-type'] ?? 'application/octet-stream';
  return notEmpty(new Upload({ name: undefined, contentType, size, head, read: () => spool.read() }));
}

function notEmpty(file: Upload): Upload {
  if (file.size === 0) throw wrong('', 'Expected a file that is not empty.');
  return file;
}

function wrong(path: string, message: string): ToolError {
  return invalidRequest([{ in: 'body', path, message }]);
}

/** Joins what was read into pieces of 1 MiB; the last may be shorter. */
async function* piecesOf(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let length = 0;
  for await (const part of parts) {
    waiting.push(part);
    length += part.length;
    while (length >= pieceSize) {
      const joined = Buffer.concat(waiting);
      yield joined.subarray(0, pieceSize);
      waiting = [joined.subarray(pieceSize)];
      length -= pieceSize;
    }
  }
  if (length > 0) yield Buffer.concat(waiting);
}
