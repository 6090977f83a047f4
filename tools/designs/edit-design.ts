import * as v from 'valibot';
import { changesBetween } from '../../src/design/changes.ts';
import { defineTool } from '../../src/environment/define-tool.ts';
import { storedDocument } from '../../src/operation/document.ts';
import { ref } from '../../src/operation/reference.ts';
import { callText } from '../../src/platform/errors.ts';
import { numberOf, Version } from '../../src/resources/conversations/schema.ts';
import { putLive } from '../../src/resources/designs/activate-conversation.ts';
import { designLossInWords } from '../../src/resources/designs/activation-loss.ts';
import { chosenDesign, withNamedRecords } from '../../src/resources/designs/chosen-design.ts';
import {
  editedDesign,
  editInputs,
  editInputsOnMcp,
  exactlyOneOf,
  mostBytesAfter,
  patchProblems,
  requireSize,
  Texts,
  textsOnMcp,
} from '../../src/resources/designs/edit.ts';
import { designErrors } from '../../src/resources/designs/errors.ts';
import { type BaseVersion, mergeWithNewest } from '../../src/resources/designs/merge-with-newest.ts';
import {
  conflictFacts,
  lockNewestNumber,
  type NewestVersion,
  readNewestNumber,
  versionConflict,
  versionOf,
} from '../../src/resources/designs/newest-version.ts';
import { factsOf, lockNamed, prepared } from '../../src/resources/designs/prepare.ts';
import { withRecordIds } from '../../src/resources/designs/record-names.ts';
import { rulesFor } from '../../src/resources/designs/rules.ts';
import { DesignChange, Tag, WrittenVersion } from '../../src/resources/designs/schema.ts';
import { loadSized } from '../../src/resources/designs/stored-design.ts';
import { reportOf } from '../../src/resources/designs/written.ts';
import { touchedBy } from '../../src/resources/scenarios/touched.ts';
import { trialOf, tryScenarios } from '../../src/resources/scenarios/trial.ts';
import { Activate, Answers, activateAccess } from '../../src/resources/versions/activation.ts';
import { draftPage } from '../../src/resources/versions/draft-link.ts';
import { inheritRejections } from '../../src/resources/versions/rejection.ts';
import type { Stores } from '../../src/store/stores.ts';

export const editDesign = defineTool({
  name: 'edit_design',
  title: 'Edit a design',
  description:
    'Changes part of a version and stores the result as the next one; activate puts it live. Check first with validate_design. onConflict: refuse lists what changed since, merge keeps both changes or lists the fields in conflict, branch ignores newer versions.',
  rest: {
    method: 'PATCH',
    path: '/v1/conversations/{id}/versions/{n}/design',
    from: { conversationId: 'path:id', version: 'path:n' },
    status: 201,
  },
  input: v.strictObject({
    conversationId: ref('conversation'),
    version: Version,
    ...editInputs,
    texts: v.exactOptional(v.pipe(Texts, v.description(textsOnMcp.description))),
    tag: v.exactOptional(Tag),
    onConflict: v.optional(
      v.pipe(v.picklist(['refuse', 'merge', 'branch']), v.description('If version is not the newest.')),
      'refuse',
    ),
    activate: Activate,
  }),
  output: v.strictObject({
    ...WrittenVersion.entries,
    changes: v.array(DesignChange),
    answers: v.exactOptional(Answers),
  }),
  access: 'draft',
  inputAccess: { activate: activateAccess },
  effect: { readOnly: false, destructive: true, idempotent: false, transaction: 'own' },
  errors: {
    ...designErrors,
    409: ['version_conflict', 'version_rejected'],
    501: ['not_yet_supported', 'unsupported_step'],
  },
  mcp: {
    openWorld: true,
    inputs: { ...editInputsOnMcp, texts: textsOnMcp },
    link: draftPage,
    leavesOut: ['design', 'changes'],
  },
  check: ({ patch, merge, texts }) => [
    ...exactlyOneOf(['patch', 'merge', 'texts'], { patch, merge, texts }),
    ...patchProblems({ patch }),
  ],
  async consequences({ stores }, { conversationId, version, patch, merge, texts, activate }) {
    if (!activate) return undefined;
    const { design } = await chosenDesign(stores, conversationId, { version, patch, merge, texts });
    return designLossInWords(stores, conversationId, design, 'this edit');
  },
  async handler(
    context,
    { conversationId, version: chosen, patch, merge, texts, tag = null, onConflict, activate },
  ) {
    const { caller, stores, services, signal, write } = context;
    const number = await numberOf(stores, conversationId, chosen);
    const { design: old, bytes } = await loadSized(stores, conversationId, number);
    await services.turn(caller);
    const yours = editedDesign(old, { patch, merge, texts }, { conversationId, version: number });
    const next = async (stores: Stores, newest: number) => {
      if (onConflict !== 'merge' || newest === number) return { design: yours, base: old };
      const theirs = await versionOf(stores, conversationId, newest);
      return {
        design: mergeWithNewest({ conversationId, version: number, design: old }, theirs, yours),
        base: theirs.design,
      };
    };
    // The model is asked before the transaction starts, so that no lock waits for it.
    const expect = async () => next(stores, await readNewestNumber(stores, conversationId));
    const expected = services.confirmDisclosure && (await expect());
    const rules = await rulesFor({ services, signal }, expected?.design ?? yours, expected?.base ?? old);
    const trial = activate
      ? await tryScenarios(context, conversationId, async () =>
          withNamedRecords(stores, (expected ?? (await expect())).design),
        )
      : undefined;
    return write(async (stores) => {
      const [newest, held] = await Promise.all([
        lockNewestNumber(stores, conversationId),
        onConflict === 'merge' ? undefined : lockNamed(stores, yours),
      ]);
      const { design, base } = await next(stores, newest);
      requireSize(design, design === yours ? mostBytesAfter(bytes, { patch, merge, texts }) : undefined);
      const named = held ?? (await lockNamed(stores, design));
      const resolved = withRecordIds(design, named.names);
      const checked = prepared(resolved, factsOf(named, base, rules));
      const { design: stored } = checked;
      if (onConflict === 'refuse' && newest !== number)
        throw oldVersion(
          { conversationId, version: number, design: old },
          await versionOf(stores, conversationId, newest),
        );
      const handler = { kind: 'conversation', id: conversationId } as const;
      const builtOn = onConflict === 'merge' ? [number, newest] : [number];
      // The conversation is held, so the number is known, and one round trip is enough.
      const version = newest + 1;
      const [{ n: _, ...record }, touched, rejected] = await Promise.all([
        stores.conversationVersions.create(conversationId, storedDocument(stored), tag),
        touchedBy(stores, conversationId, base, stored),
        inheritRejections(stores, handler, { version, document: stored }, { builtOn, activate }),
      ]);
      const answers = activate
        ? await putLive(stores, conversationId, version, trialOf(trial, resolved))
        : undefined;
      const report = reportOf(base, checked);
      return {
        version,
        ...record,
        changes: changesBetween(base, stored),
        ...report,
        warnings: [...rejected, ...report.warnings],
        ...touched,
        ...(answers && { isActive: true, answers }),
        design: stored,
      };
    });
  },
});

function oldVersion({ conversationId, version, design: base }: BaseVersion, newest: NewestVersion) {
  const { newestVersion } = newest;
  return versionConflict(
    conflictFacts(version, base, newest),
    `The newest version is ${newestVersion}, not ${version}.`,
    `Call again with version ${newestVersion}, or with onConflict merge to keep both changes. ${callText('diff_designs', { conversationId, version: newestVersion, against: version })} shows what was written since.`,
  );
}
