import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { found } from '../../src/operation/found.ts';
import { ref } from '../../src/operation/reference.ts';
import { Timestamp } from '../../src/resources/record/timestamp.ts';
import { From, To, VersionStatistics } from '../../src/resources/sessions/schema.ts';
import { rangeOf, rangeProblems } from '../../src/resources/usage/range.ts';

const mostCounted = 50_000;

export const getSessionStatistics = defineTool({
  name: 'get_session_statistics',
  title: 'Get session statistics',
  description:
    'Numbers of the sessions of each version: how they ended, turns, where visitors left, turns not understood. Default: the last 30 days.',
  rest: {
    method: 'GET',
    path: '/v1/conversations/{id}/session-statistics',
    from: { conversationId: 'path:id' },
  },
  input: v.strictObject({ conversationId: ref('conversation'), from: From, to: To }),
  output: v.strictObject({
    from: Timestamp,
    to: Timestamp,
    versions: v.array(VersionStatistics),
    truncated: v.exactOptional(
      v.pipe(v.literal(true), v.description(`Only the newest ${mostCounted} sessions are counted.`)),
    ),
  }),
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  check: rangeProblems,
  mcp: { outputSchema: false },
  async handler({ stores }, { conversationId, ...ends }) {
    const range = rangeOf(ends);
    const [conversation, { versions, isCut }] = await Promise.all([
      stores.conversations.find(conversationId),
      stores.sessionRecords.statistics(conversationId, range),
    ]);
    found(conversation, 'conversation', conversationId);
    return {
      from: new Date(range.from).toISOString(),
      to: new Date(range.to).toISOString(),
      versions: versions.map((version) => ({
        ...version,
        leftAt: version.leftAt.map((step) => ({ ...step })),
      })),
      ...(isCut && { truncated: true as const }),
    };
  },
});
