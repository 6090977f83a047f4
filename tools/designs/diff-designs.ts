import * as v from 'valibot';
import { patchBetween } from '../../src/design/diff.ts';
import { summaryOf } from '../../src/design/summary/summary.ts';
import { VersionNumber } from '../../src/resources/conversations/schema.ts';
import { designOf } from '../../src/resources/designs/version.ts';
import { fitting } from '../../src/resources/fitting.ts';
import { defineTool } from '../../src/tool/define.ts';
import { ref } from '../../src/tool/reference.ts';

/** What a summary may come to where the patch does not fit, in characters. */
const maximumSummary = 30_000;

export const diffDesigns = defineTool({
  name: 'diff_designs',
  title: 'Compare two versions',
  description:
    'Compares version n with an older or newer one: a summary in words, and the JSON Patch that turns `against` into n. edit_design takes such a patch. list_conversation_versions shows the numbers.',
  rest: {
    method: 'GET',
    path: '/v1/conversations/{id}/versions/{n}/diff',
    from: { conversationId: 'path:id', n: 'path', against: 'query' },
  },
  input: v.strictObject({
    conversationId: ref('conversation'),
    n: VersionNumber,
    against: v.exactOptional(v.pipe(VersionNumber, v.description('Default the version before n.'))),
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
  check: ({ n, against }) =>
    n === 1 && against === undefined
      ? [{ path: ['against'], message: 'Is required with version 1, which has none before it.' }]
      : [],
  mcp: {
    outputSchema: false,
    shorten(answer) {
      const { from, to, summary } = answer as { from: number; to: number; summary: string[] };
      const hint =
        'The patch is too long for one answer: read_design with steps reads what the summary names.';
      return { from, to, summary: shortSummary(summary), truncated: true, hint };
    },
  },
  async handler({ stores }, { conversationId, n, against = n - 1 }) {
    const to = await designOf(stores, conversationId, n);
    const from = await designOf(stores, conversationId, against);
    return { from: against, to: n, summary: summaryOf(from, to), patch: patchBetween(from, to) };
  },
});

function shortSummary(lines: readonly string[]): string[] {
  const fit = fitting(lines, maximumSummary);
  return fit.length === lines.length ? fit : [...fit, `and ${lines.length - fit.length} more`];
}
