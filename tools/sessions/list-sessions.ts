import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { found } from '../../src/operation/found.ts';
import { ref } from '../../src/operation/reference.ts';
import { idCursor, limitOr, NextCursor } from '../../src/resources/record/page.ts';
import { momentOf } from '../../src/resources/record/timestamp.ts';
import {
  From,
  SessionChannel,
  SessionOutcome,
  SessionSummary,
  To,
} from '../../src/resources/sessions/schema.ts';
import { rangeProblems } from '../../src/resources/usage/range.ts';

const optional = v.exactOptional;

export const listSessions = defineTool({
  name: 'list_sessions',
  title: 'List sessions',
  description: 'Lists chats of visitors, newest first.',
  rest: { method: 'GET', path: '/v1/projects/{projectId}/sessions' },
  input: v.strictObject({
    projectId: ref('project'),
    conversationId: optional(ref('conversation')),
    version: optional(
      v.pipe(
        v.number(),
        v.integer(),
        v.minValue(1),
        v.maxValue(Number.MAX_SAFE_INTEGER),
        v.description('Needs conversationId too.'),
      ),
    ),
    channel: optional(v.pipe(SessionChannel, v.description('By which channel.'))),
    outcome: optional(
      v.pipe(v.picklist(['open', ...SessionOutcome.options]), v.description('open: not ended.')),
    ),
    from: From,
    to: To,
    limit: limitOr(50),
    cursor: idCursor('session'),
  }),
  output: v.strictObject({
    retentionDays: v.pipe(v.number(), v.description('As update_project sets it.')),
    sessions: v.array(SessionSummary),
    nextCursor: NextCursor,
  }),
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  check: ({ conversationId, version, ...ends }) => [
    ...(version !== undefined && conversationId === undefined
      ? [{ path: ['version'] as const, message: 'Needs conversationId.' }]
      : []),
    ...rangeProblems(ends),
  ],
  mcp: { outputSchema: false, pages: { items: 'sessions', cursor: 'id' } },
  async handler({ stores }, { projectId: _, limit, cursor, from, to, ...filter }) {
    const { conversationId } = filter;
    if (conversationId !== undefined)
      found(await stores.conversations.find(conversationId), 'conversation', conversationId);
    const period = {
      from: from === undefined ? undefined : momentOf(from),
      to: to === undefined ? undefined : momentOf(to),
    };
    const [retentionDays, { items, ...more }] = await Promise.all([
      stores.projects.sessionRetentionDays(),
      stores.sessionRecords.list({ ...filter, ...period }, { limit, cursor }),
    ]);
    return { retentionDays, sessions: items, ...more };
  },
});
