import * as v from 'valibot';
import type { ToolContext } from '../../src/environment/context.ts';
import { defineTool } from '../../src/environment/define-tool.ts';
import { found } from '../../src/operation/found.ts';
import { ref } from '../../src/operation/reference.ts';
import { Warnings } from '../../src/resources/designs/schema.ts';
import { warningsOfLive } from '../../src/resources/versions/rejection.ts';
import { changeInWords } from '../../src/resources/web-sessions/changing.ts';
import { warnOfOrigins } from '../../src/resources/web-sessions/origin-warning.ts';
import {
  distinct,
  HandoverUrl,
  origins,
  requireConversation,
  Scopes,
  Status,
  WebAgent,
  WebAgentName,
} from '../../src/resources/web-sessions/schema.ts';

export const updateWebAgent = defineTool({
  name: 'update_web_agent',
  title: 'Update a web agent',
  description: 'Changes a web agent; what is left out stays.',
  rest: { method: 'PATCH', path: '/v1/web-sessions/agents/{webAgentId}', omits: ['warnings'] },
  input: v.strictObject({
    webAgentId: ref('webAgent'),
    name: v.optional(WebAgentName),
    conversationId: v.optional(ref('conversation')),
    scopes: v.optional(Scopes),
    allowedOrigins: v.optional(origins('Replaces the whole list.')),
    addOrigins: v.optional(origins('Such as https://www.example.com.')),
    removeOrigins: v.optional(origins('As they are listed.')),
    status: v.optional(v.pipe(Status, v.description('disabled: starts no sessions.'))),
    handoverUrl: v.exactOptional(
      v.pipe(
        v.nullable(HandoverUrl),
        v.description('Takes over chats, by signed webhook. A new one returns signingSecret, once.'),
      ),
    ),
  }),
  output: v.strictObject({
    ...WebAgent.entries,
    handoverUrl: v.exactOptional(v.nullable(v.string())),
    signingSecret: v.exactOptional(v.string()),
    warnings: Warnings,
  }),
  access: 'publish',
  effect: { readOnly: false, destructive: true, idempotent: true },
  special: {
    secretOutput: {
      member: 'signingSecret',
      instead: 'Set handoverUrl to null and then again: that makes another secret.',
    },
  },
  consequences: ({ stores }, { webAgentId, status, conversationId }) =>
    changeInWords(stores, webAgentId, { status, conversationId }),
  async handler(
    context,
    { webAgentId, scopes, allowedOrigins, addOrigins = [], removeOrigins = [], handoverUrl, ...change },
  ) {
    const { stores, services } = context;
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
    const met = change.conversationId === undefined ? [] : [change.conversationId];
    const warnings = await warningsOfLive(
      stores,
      met.map((id) => ({ kind: 'conversation', id })),
    );
    const record = { ...found(updated, 'webAgent', webAgentId), ...warnings };
    return handoverUrl === undefined
      ? record
      : { ...record, handoverUrl, ...(await setHandover(context, webAgentId, handoverUrl)) };
  },
});

/** Returns the secret of a new address. An address that the web agent has already keeps its secret. */
async function setHandover(
  { stores, services, caller }: ToolContext,
  webAgentId: string,
  url: string | null,
): Promise<{ signingSecret?: string }> {
  const current = await stores.webAgents.handover(webAgentId);
  if ((current?.url ?? null) === url) return {};
  if (url === null) {
    await stores.webAgents.setHandover(webAgentId, undefined);
    return {};
  }
  const signingSecret = services.mintSigningSecret();
  const sealedSecret = services.seal(caller, 'web_agents', webAgentId, signingSecret);
  await stores.webAgents.setHandover(webAgentId, { url, sealedSecret });
  return { signingSecret };
}
