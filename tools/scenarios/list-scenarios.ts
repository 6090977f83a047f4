import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { found } from '../../src/operation/found.ts';
import { ref } from '../../src/operation/reference.ts';
import { idCursor, limitOr, NextCursor } from '../../src/resources/record/page.ts';
import { ScenarioChange, ScenarioSummary, Tag } from '../../src/resources/scenarios/schema.ts';

/** Changes that the first page shows. */
const mostChanges = 200;

export const listScenarios = defineTool({
  name: 'list_scenarios',
  title: 'List scenarios',
  description: 'Lists the scenarios of a conversation with their newest results, newest first.',
  rest: { method: 'GET', path: '/v1/conversations/{id}/scenarios', from: { conversationId: 'path:id' } },
  input: v.strictObject({
    conversationId: ref('conversation'),
    tag: v.exactOptional(v.pipe(Tag, v.description('Only those with this tag.'))),
    limit: limitOr(50),
    cursor: idCursor('scenario'),
  }),
  output: v.strictObject({
    requireScenarios: v.pipe(v.boolean(), v.description('As update_conversation sets it.')),
    scenarios: v.array(ScenarioSummary),
    nextCursor: NextCursor,
    changes: v.exactOptional(v.array(ScenarioChange)),
  }),
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  mcp: { outputSchema: false, pages: { items: 'scenarios', cursor: 'id' } },
  async handler({ stores }, { conversationId, ...page }) {
    const requireScenarios = found(
      await stores.conversations.requiresScenarios(conversationId),
      'conversation',
      conversationId,
    );
    const [{ items, ...more }, changes] = await Promise.all([
      stores.scenarios.list(conversationId, page),
      page.cursor === undefined ? stores.scenarios.changes(conversationId, mostChanges) : [],
    ]);
    return { requireScenarios, scenarios: items, ...more, ...(changes.length > 0 && { changes }) };
  },
});
