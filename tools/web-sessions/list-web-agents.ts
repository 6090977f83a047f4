import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { ref } from '../../src/operation/reference.ts';
import { withNames } from '../../src/resources/names/referred-names.ts';
import { details } from '../../src/resources/record/details.ts';
import { idCursor, limitOr, NextCursor } from '../../src/resources/record/page.ts';
import { WebAgent } from '../../src/resources/web-sessions/schema.ts';

const conversation = { kind: 'conversation', id: 'conversationId', name: 'conversationName' } as const;

export const listWebAgents = defineTool({
  name: 'list_web_agents',
  title: 'List web agents',
  description: 'Lists web agents, newest first: which conversation runs on which websites.',
  rest: { method: 'GET', path: '/v1/projects/{projectId}/web-sessions/agents' },
  input: v.strictObject({
    projectId: ref('project'),
    limit: limitOr(50),
    cursor: idCursor('webAgent'),
    details: details('conversationName'),
  }),
  output: v.strictObject({
    webAgents: v.array(
      v.strictObject({ ...WebAgent.entries, conversationName: v.exactOptional(v.nullable(v.string())) }),
    ),
    nextCursor: NextCursor,
  }),
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  mcp: { implied: { details: true }, outputSchema: false, pages: { items: 'webAgents', cursor: 'id' } },
  async handler({ stores }, { limit, cursor, details: asked }) {
    const { items, ...more } = await stores.webAgents.list({ limit, cursor });
    return { webAgents: asked ? await withNames(stores, items, conversation) : items, ...more };
  },
});
