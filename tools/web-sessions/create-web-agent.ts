import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { ref } from '../../src/operation/reference.ts';
import { Warnings } from '../../src/resources/designs/schema.ts';
import { warningsOfLive } from '../../src/resources/versions/rejection.ts';
import { warnOfOrigins } from '../../src/resources/web-sessions/origin-warning.ts';
import {
  Channel,
  distinct,
  origins,
  requireConversation,
  Scopes,
  WebAgent,
  WebAgentName,
} from '../../src/resources/web-sessions/schema.ts';

export const createWebAgent = defineTool({
  name: 'create_web_agent',
  title: 'Create a web agent',
  description:
    'Puts a conversation on websites. Pages with a publishable key (mint_key) then start sessions with create_web_session, but only from allowedOrigins.',
  rest: {
    method: 'POST',
    path: '/v1/projects/{projectId}/web-sessions/agents',
    status: 201,
    omits: ['warnings'],
  },
  input: v.strictObject({
    projectId: ref('project'),
    name: WebAgentName,
    conversationId: ref('conversation'),
    channel: v.optional(
      v.pipe(Channel, v.description('widget: a page embeds it; api: your code starts the sessions.')),
      'widget',
    ),
    scopes: Scopes,
    allowedOrigins: v.optional(origins('Such as https://*.example.com, or * for any.'), []),
  }),
  output: v.strictObject({ ...WebAgent.entries, warnings: Warnings }),
  access: 'publish',
  effect: { readOnly: false, destructive: false, idempotent: false },
  async handler({ stores, services }, { name, conversationId, channel, scopes, allowedOrigins }) {
    await requireConversation(stores, conversationId);
    const webAgent = await stores.webAgents.create({
      name,
      conversationId,
      channel,
      scopes: distinct(scopes),
      allowedOrigins: distinct(allowedOrigins),
    });
    warnOfOrigins(services, webAgent);
    const warnings = await warningsOfLive(stores, [{ kind: 'conversation', id: conversationId }]);
    return { ...webAgent, ...warnings };
  },
});
