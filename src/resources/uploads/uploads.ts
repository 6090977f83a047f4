import * as v from 'valibot';
import type { ToolContext } from '../../environment/context.ts';
import { notFound } from '../../operation/found.ts';
import { ref } from '../../operation/reference.ts';
import { Upload, uploadHead } from '../../operation/upload.ts';
import { ToolError, tooManyAtOnce } from '../../platform/errors.ts';
import type { Stores } from '../../store/stores.ts';
import type { OpenUploads, StoredUpload } from './store.ts';

/** Uploads of a project that can still be sent or used. With 25 MiB each, they take 500 MiB at most. */
const mostOpen = 20;
/** Those of one key and of the keys that come from it, so that none uses up all of the project. */
const mostOpenOfKey = 10;

/** @throws ToolError `rate_limited` if the key or the project has as many uploads as it may have */
export function limitOpenUploads({ ofProject, ofKey }: OpenUploads): void {
  if (ofKey >= mostOpenOfKey) throw tooManyUploads('A key, with the keys made from it,', mostOpenOfKey);
  if (ofProject >= mostOpen) throw tooManyUploads('A project', mostOpen);
}

function tooManyUploads(who: string, limit: number): ToolError {
  return tooManyAtOnce(
    'uploads',
    limit,
    `${who} can have ${limit} uploads that wait for their use.`,
    60,
    'Use or forget some: an upload ends 15 minutes after it was made.',
  );
}

/** An input that takes a sent file in place of base64. */
export const UploadId = v.pipe(ref('upload'), v.description('In place of base64: from create_upload.'));

const refusals: Readonly<Record<Exclude<StoredUpload['state'], 'received'>, string>> = {
  waiting: 'has no file yet',
  used: 'has been used',
  expired: 'has expired',
};

const hints: typeof refusals = {
  waiting: 'PUT the file to the url that create_upload returned, then call again.',
  used: 'An upload serves one call. create_upload makes another one.',
  expired: 'An upload lasts 15 minutes. create_upload makes another one.',
};

type Reading = Pick<ToolContext, 'stores' | 'services' | 'caller'>;

/**
 * Returns a file that was sent to an upload's address. Its content is read piece by piece.
 * @throws ToolError `not_found`, which says whether the file is missing, used or expired
 */
export async function uploadedFile({ stores, services, caller }: Reading, id: string): Promise<Upload> {
  const upload = await stores.uploads.find(id);
  if (!upload) throw notFound('upload', id);
  if (upload.state !== 'received') throw refusal(id, upload.state);
  const read = async (position: number) => {
    const sealed = await stores.uploads.piece(id, position);
    return sealed && services.open(caller, 'uploads', `${id} ${position}`, sealed);
  };
  const first = await read(0);
  if (!first) throw refusal(id, 'used');
  const size = upload.size ?? 0;
  return new Upload({
    name: undefined,
    contentType: 'application/octet-stream',
    size,
    head: first.subarray(0, uploadHead),
    async *read() {
      let sent = 0;
      for (let position = 0; sent < size; position++) {
        const piece = position === 0 ? first : await read(position);
        if (!piece) throw refusal(id, 'used');
        sent += piece.length;
        yield piece;
      }
    },
  });
}

/** The whole content of a file that was sent. */
export async function uploadedBytes(context: Reading, id: string): Promise<Buffer> {
  return context.services.readInTurn(context.caller, async () => {
    const file = await uploadedFile(context, id);
    const pieces: Buffer[] = [];
    for await (const piece of file.read()) pieces.push(piece);
    return Buffer.concat(pieces);
  });
}

/**
 * Marks an upload as used, in the transaction of the change that uses it.
 * @throws ToolError `not_found` if another call has used it
 */
export async function useUpload(stores: Stores, id: string | undefined): Promise<void> {
  if (id !== undefined && !(await stores.uploads.use(id))) throw refusal(id, 'used');
}

function refusal(id: string, state: keyof typeof refusals): ToolError {
  return new ToolError('not_found', `The upload ${id} ${refusals[state]}.`, { hint: hints[state] });
}
