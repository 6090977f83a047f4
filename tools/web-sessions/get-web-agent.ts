import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { found } from '../../src/operation/found.ts';
import { ref } from '../../src/operation/reference.ts';
import { HandoverDetails, WebAgent } from '../../src/resources/web-sessions/schema.ts';

export const getWebAgent = defineTool({
  name: 'get_web_agent',
  title: 'Get a web agent',
  description: 'Returns a web agent with its conversation, scopes and origins.',
  rest: { method: 'GET', path: '/v1/web-sessions/agents/{webAgentId}' },
  input: v.strictObject({ webAgentId: ref('webAgent'), details: HandoverDetails }),
  output: v.strictObject({ ...WebAgent.entries, handoverUrl: v.exactOptional(v.nullable(v.string())) }),
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  mcp: { implied: { details: true } },
  async handler({ stores }, { webAgentId, details }) {
    const [webAgent, handover] = await Promise.all([
      stores.webAgents.find(webAgentId),
      details ? stores.webAgents.handover(webAgentId) : undefined,
    ]);
    const record = found(webAgent, 'webAgent', webAgentId);
    return details ? { ...record, handoverUrl: handover?.url ?? null } : record;
  },
});
