import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { Cuid, ref } from '../../src/operation/reference.ts';
import { largestUpload } from '../../src/operation/upload.ts';
import { Timestamp } from '../../src/resources/record/timestamp.ts';
import { limitOpenUploads } from '../../src/resources/uploads/uploads.ts';

export const createUpload = defineTool({
  name: 'create_upload',
  title: 'Create an upload',
  description:
    'Makes an address for a file of up to 25 MiB: PUT its bytes to url within 15 minutes, without a key (curl -T FILE URL). Then give uploadId to one call of clone_voice, add_knowledge_source, create_transcription or write_design.',
  rest: { method: 'POST', path: '/v1/projects/{projectId}/uploads', status: 201 },
  input: v.strictObject({ projectId: ref('project') }),
  output: v.strictObject({
    uploadId: Cuid,
    url: v.string(),
    expiresAt: Timestamp,
    maxBytes: v.pipe(v.number(), v.integer()),
  }),
  access: 'draft',
  effect: { readOnly: false, destructive: false, idempotent: false },
  errors: { 429: ['rate_limited'] },
  special: {
    secretOutput: { member: 'url', instead: 'Call again with another key: that upload ends by itself.' },
  },
  async handler({ stores, services, caller }) {
    // The lock keeps others from creating one between counting and inserting.
    await stores.projects.hold();
    limitOpenUploads(await stores.uploads.countOpen(caller.keyId));
    const { url, tokenHash } = services.mintUploadAddress();
    const { id, expiresAt } = await stores.uploads.create(caller.keyId, tokenHash);
    return { uploadId: id, url, expiresAt, maxBytes: largestUpload };
  },
});
