import * as v from 'valibot';
import { patchBetween } from '../../src/design/diff.ts';
import { summaryOf } from '../../src/design/summary/summary.ts';
import { callText, invalidRequest } from '../../src/errors.ts';
import {
  numberOf,
  VersionNumber,
  VersionToRead,
  versionChoice,
} from '../../src/resources/conversations/schema.ts';
import { loadDesign } from '../../src/resources/designs/stored-design.ts';
import { shortSummary } from '../../src/resources/designs/written.ts';
import { defineTool } from '../../src/tool/define.ts';
import { ref } from '../../src/tool/reference.ts';

const noneBefore = 'Is required for version 1, because no version comes before it.';

/** Characters of JSON for the summary, if the patch does not fit into the response. */
const maximumSummary = 30_000;

export const diffDesigns = defineTool({
  name: 'diff_designs',
  title: 'Compare two versions',
  description:
    'Compares a version with another one: a summary in words, and the JSON Patch that turns `against` into it. Use it to review a version before you activate it. list_conversation_versions shows the numbers.',
  rest: {
    method: 'GET',
    path: '/v1/conversations/{id}/versions/{n}/diff',
    from: { conversationId: 'path:id' },
  },
  input: v.strictObject({
    conversationId: ref('conversation'),
    n: VersionToRead,
    against: v.exactOptional(versionChoice('Version to compare with; default the one before.')),
  }),
  output: v.strictObject({
    from: VersionNumber,
    to: VersionNumber,
    summary: v.array(v.string()),
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
  check: ({ n, against }) =>
    n === 1 && against === undefined ? [{ path: ['against'], message: noneBefore }] : [],
  mcp: {
    names: { n: 'version' },
    outputSchema: false,
    shorten(response, { conversationId }) {
      const { from, to, summary } = response as { from: number; to: number; summary: string[] };
      const read = callText('read_design', { conversationId, version: to, steps: ['…'] });
      const hint = `The patch is too long for one response. ${read} reads steps that the summary names.`;
      return { from, to, summary: shortSummary(summary, maximumSummary), truncated: true, hint };
    },
  },
  async handler({ caller, stores, services }, { conversationId, n: chosen, against }) {
    const n = await numberOf(stores, conversationId, chosen);
    const other = against === undefined ? n - 1 : await numberOf(stores, conversationId, against);
    if (other === 0) throw invalidRequest([{ in: 'querystring', path: '/against', message: noneBefore }]);
    const to = await loadDesign(stores, conversationId, n);
    const from = await loadDesign(stores, conversationId, other);
    await services.turn(caller);
    return { from: other, to: n, summary: summaryOf(from, to), patch: patchBetween(from, to) };
  },
});
