import * as v from 'valibot';
import { patchBetween } from '../../src/design/diff.ts';
import { summaryOf } from '../../src/design/summary/summary.ts';
import { textChanges } from '../../src/design/summary/texts.ts';
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
    from: { conversationId: 'path:id' },
  },
  input: v.strictObject({
    conversationId: ref('conversation'),
    n: VersionToRead,
    against: v.exactOptional(versionChoice('Default: the one before.')),
  }),
  output: v.strictObject({
    from: VersionNumber,
    to: VersionNumber,
    summary: v.array(v.string()),
    texts: v.pipe(v.array(v.string()), v.description('Each text that differs: old → new.')),
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
    app: 'design',
    leavesOut: 'patch',
    outputSchema: false,
    shorten(response, { conversationId }) {
      const { from, to, summary, texts } = response as Record<'from' | 'to', number> &
        Record<'summary' | 'texts', string[]>;
      const read = callText('read_design', { conversationId, version: to, steps: ['…'] });
      const hint = `More has changed than one response holds. ${read} reads steps that the summary names.`;
      return { from, to, summary: shortSummary(summary, maximumSummary), texts, truncated: true, hint };
    },
  },
  async handler({ caller, stores, services }, { conversationId, n: chosen, against }) {
    const n = await numberOf(stores, conversationId, chosen);
    const other = against === undefined ? n - 1 : await numberOf(stores, conversationId, against);
    if (other === 0) throw invalidRequest([{ in: 'querystring', path: '/against', message: noneBefore }]);
    const to = await loadDesign(stores, conversationId, n);
    const from = await loadDesign(stores, conversationId, other);
    await services.turn(caller);
    return {
      from: other,
      to: n,
      summary: summaryOf(from, to),
      texts: shortSummary(textChanges(from, to), maximumTexts),
      patch: patchBetween(from, to),
    };
  },
});
