import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { storedDocument } from '../../src/operation/document.ts';
import { ref } from '../../src/operation/reference.ts';
import { numberOf, versionChoice } from '../../src/resources/conversations/schema.ts';
import { designInUpload } from '../../src/resources/designs/design-file.ts';
import { designErrors } from '../../src/resources/designs/errors.ts';
import { furtherProblemsIn } from '../../src/resources/designs/further-problems.ts';
import { lockNewest, readNewest, refuseOldBase } from '../../src/resources/designs/newest-version.ts';
import { prepareToStore } from '../../src/resources/designs/prepare.ts';
import { rulesFor } from '../../src/resources/designs/rules.ts';
import {
  DesignDocument,
  designHintAt,
  designOnMcp,
  Tag,
  WrittenVersion,
} from '../../src/resources/designs/schema.ts';
import { reportOf } from '../../src/resources/designs/written.ts';
import { touchedBy } from '../../src/resources/scenarios/touched.ts';
import { useUpload } from '../../src/resources/uploads/uploads.ts';
import { draftPage } from '../../src/resources/versions/draft-link.ts';
import { inheritRejections } from '../../src/resources/versions/rejection.ts';

export const writeDesign = defineTool({
  name: 'write_design',
  title: 'Write a design',
  description:
    'Stores a whole design as the next version, inactive. Call validate_design before, and activate_conversation_version after. Name the version that you read. To change a part, use edit_design.',
  rest: {
    method: 'POST',
    path: '/v1/conversations/{id}/versions',
    from: { conversationId: 'path:id' },
    status: 201,
  },
  input: v.strictObject({
    conversationId: ref('conversation'),
    design: v.exactOptional(DesignDocument),
    uploadId: v.exactOptional(
      v.pipe(ref('upload'), v.description('In place of design: from create_upload.')),
    ),
    tag: v.exactOptional(Tag),
    version: v.exactOptional(versionChoice('Refused unless it is the newest.')),
  }),
  output: WrittenVersion,
  access: 'draft',
  effect: { readOnly: false, destructive: false, idempotent: false, transaction: 'own' },
  special: { uploadInto: 'design' },
  errors: { ...designErrors, 409: ['version_conflict'] },
  mcp: {
    openWorld: true,
    inputs: { design: designOnMcp },
    hintAt: designHintAt,
    furtherProblems: ({ design }, context) =>
      design === undefined ? [] : furtherProblemsIn(context, design, {}),
    required: ['version'],
    link: draftPage,
    leavesOut: ['design'],
  },
  async handler(context, { conversationId, design: inline, uploadId, tag = null, version: chosen }) {
    const { stores, services, signal, write } = context;
    const design = inline ?? (await designInUpload(context, uploadId ?? ''));
    const base = chosen && (await numberOf(stores, conversationId, chosen));
    // The model is asked before the transaction starts, so that no lock waits for it.
    const before = services.confirmDisclosure && (await readNewest(stores, conversationId)).design;
    const rules = await rulesFor({ services, signal }, design, before);
    return write(async (stores) => {
      const newest = await lockNewest(stores, conversationId);
      const checked = await prepareToStore(stores, design, newest.design, rules);
      const { design: stored } = checked;
      if (base !== undefined) await refuseOldBase(stores, conversationId, base, newest);
      await useUpload(stores, uploadId);
      const handler = { kind: 'conversation', id: conversationId } as const;
      // The conversation is held, so the number is known, and one round trip is enough.
      const version = newest.newestVersion + 1;
      const [{ n: _, ...record }, touched, rejected] = await Promise.all([
        stores.conversationVersions.create(conversationId, storedDocument(stored), tag),
        touchedBy(stores, conversationId, newest.design, stored),
        inheritRejections(
          stores,
          handler,
          { version, document: stored },
          { builtOn: [newest.newestVersion] },
        ),
      ]);
      const report = reportOf(newest.design, checked);
      return {
        version,
        ...record,
        ...report,
        warnings: [...rejected, ...report.warnings],
        ...touched,
        design: stored,
      };
    });
  },
});
