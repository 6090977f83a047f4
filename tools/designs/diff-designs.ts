import * as v from 'valibot';
import { patchBetween } from '../../src/design/diff.ts';
import { summaryOf } from '../../src/design/summary/summary.ts';
import { textChanges } from '../../src/design/summary/texts.ts';
import { defineTool } from '../../src/environment/define-tool.ts';
import { found } from '../../src/operation/found.ts';
import { ref } from '../../src/operation/reference.ts';
import { callText, invalidRequest } from '../../src/platform/errors.ts';
import {
  chosenNumber,
  VersionNumber,
  VersionToRead,
  versionChoice,
} from '../../src/resources/conversations/schema.ts';
import { loadDesign } from '../../src/resources/designs/stored-design.ts';
import { shortSummary } from '../../src/resources/designs/written.ts';
import { InheritedRejection, Rejection } from '../../src/resources/versions/version-history.ts';

const noneBefore = 'Is required for version 1, because no version comes before it.';

/** Characters of JSON for the summary, if not all of it fits into the response, and for the texts. */
const [maximumSummary, maximumTexts] = [25_000, 8_000];

export const diffDesigns = defineTool({
  name: 'diff_designs',
  title: 'Compare two versions',
  description:
    'Compares two versions: what changed in words, with old and new texts. Use it before you activate one.',
  rest: {
    method: 'GET',
    path: '/v1/conversations/{id}/versions/{n}/diff',
    from: { conversationId: 'path:id', version: 'path:n' },
  },
  input: v.strictObject({
    conversationId: ref('conversation'),
    version: VersionToRead,
    against: v.exactOptional(versionChoice('Default: the active one if older, else the one before.')),
  }),
  output: v.strictObject({
    version: VersionNumber,
    against: VersionNumber,
    activeVersion: v.pipe(VersionNumber, v.description('The live one.')),
    summary: v.array(v.string()),
    texts: v.pipe(v.array(v.string()), v.description('Each text that differs: old → new.')),
    rejection: v.exactOptional(Rejection),
    inheritedRejections: v.exactOptional(v.array(InheritedRejection)),
    patch: v.array(
      v.strictObject({
        op: v.picklist(['add', 'remove', 'replace', 'move']),
        path: v.string(),
        from: v.exactOptional(v.string()),
        value: v.exactOptional(v.unknown()),
      }),
    ),
  }),
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  errors: { 501: ['not_yet_supported', 'unsupported_step'] },
  check: ({ version, against }) =>
    version === 1 && against === undefined ? [{ path: ['against'], message: noneBefore }] : [],
  mcp: {
    app: 'design',
    leavesOut: ['patch'],
    outputSchema: false,
    shorten(response, { conversationId }) {
      const {
        summary,
        patch: _,
        ...rest
      } = response as { version: number; summary: string[]; patch: unknown };
      const read = callText('read_design', { conversationId, version: rest.version, steps: ['…'] });
      const hint = `More has changed than one response holds. ${read} reads steps that the summary names.`;
      return { ...rest, summary: shortSummary(summary, maximumSummary), truncated: true, hint };
    },
  },
  async handler({ caller, stores, services }, { conversationId, version: chosen = 'newest', against }) {
    const conversation = await stores.conversations.findNumbered(conversationId);
    const numbered = found(conversation, 'conversation', conversationId);
    const { activeVersion } = numbered;
    const version = chosenNumber(numbered, chosen);
    const other =
      against === undefined ? Math.min(activeVersion, version - 1) : chosenNumber(numbered, against);
    if (other === 0) throw invalidRequest([{ in: 'querystring', path: '/against', message: noneBefore }]);
    const to = await loadDesign(stores, conversationId, version);
    const from = await loadDesign(stores, conversationId, other);
    const { rejection, inherited } = await stores.rejections.of(
      { kind: 'conversation', id: conversationId },
      version,
    );
    await services.turn(caller);
    return {
      version,
      against: other,
      activeVersion,
      summary: summaryOf(from, to),
      texts: shortSummary(textChanges(from, to), maximumTexts),
      ...(rejection && { rejection }),
      ...(inherited.length > 0 && { inheritedRejections: inherited }),
      patch: patchBetween(from, to),
    };
  },
});
