import * as v from 'valibot';
import { WebAgent } from '../../src/resources/web-sessions/schema.ts';
import { defineTool } from '../../src/tool/define.ts';
import { found } from '../../src/tool/found.ts';
import { ref } from '../../src/tool/reference.ts';

export const getWebAgent = defineTool({
  name: 'get_web_agent',
  title: 'Get a web agent',
  description: 'Returns a web agent with its conversation, its scopes and the origins that may use it.',
  rest: { method: 'GET', path: '/v1/web-sessions/agents/{webAgentId}' },
  input: v.strictObject({ webAgentId: ref('webAgent') }),
  output: WebAgent,
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  handler: async ({ stores }, { webAgentId }) =>
    found(await stores.webAgents.find(webAgentId), 'webAgent', webAgentId),
});
