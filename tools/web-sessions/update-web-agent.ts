import * as v from 'valibot';
import { warnOfOrigins } from '../../src/resources/web-sessions/origin-warning.ts';
import {
  distinct,
  origins,
  requireConversation,
  Scopes,
  Status,
  WebAgent,
  WebAgentName,
} from '../../src/resources/web-sessions/schema.ts';
import { defineTool } from '../../src/tool/define.ts';
import { found } from '../../src/tool/found.ts';
import { ref } from '../../src/tool/reference.ts';

export const updateWebAgent = defineTool({
  name: 'update_web_agent',
  title: 'Update a web agent',
  description:
    'Changes a web agent; fields left out keep their values. addOrigins and removeOrigins change single origins, allowedOrigins replaces the list.',
  rest: { method: 'PATCH', path: '/v1/web-sessions/agents/{webAgentId}' },
  input: v.strictObject({
    webAgentId: ref('webAgent'),
    name: v.optional(WebAgentName),
    conversationId: v.optional(ref('conversation')),
    scopes: v.optional(Scopes),
    allowedOrigins: v.optional(origins('Replaces the whole list.')),
    addOrigins: v.optional(origins('Origins to add, such as https://www.example.com.')),
    removeOrigins: v.optional(origins('Origins to remove, as listed.')),
    status: v.optional(v.pipe(Status, v.description('disabled: starts no sessions.'))),
  }),
  output: WebAgent,
  access: 'publish',
  effect: { readOnly: false, destructive: true, idempotent: true },
  async handler(
    { stores, services },
    { webAgentId, scopes, allowedOrigins, addOrigins = [], removeOrigins = [], ...change },
  ) {
    const current = found(await stores.webAgents.hold(webAgentId), 'webAgent', webAgentId);
    if (change.conversationId !== undefined) await requireConversation(stores, change.conversationId);
    const listed = distinct([...(allowedOrigins ?? current.allowedOrigins), ...addOrigins]);
    const named = allowedOrigins ?? addOrigins[0] ?? removeOrigins[0];
    const updated = await stores.webAgents.update(webAgentId, {
      ...change,
      scopes: scopes && distinct(scopes),
      allowedOrigins:
        named === undefined ? undefined : listed.filter((origin) => !removeOrigins.includes(origin)),
    });
    if (named !== undefined && updated) warnOfOrigins(services, updated);
    return found(updated, 'webAgent', webAgentId);
  },
});
