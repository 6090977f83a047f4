import * as v from 'valibot';
import type { ToolContext } from '../../src/environment/context.ts';
import { defineTool } from '../../src/environment/define-tool.ts';
import { found } from '../../src/operation/found.ts';
import { ref } from '../../src/operation/reference.ts';
import { callText, invalidRequest, ToolError } from '../../src/platform/errors.ts';
import { Timestamp } from '../../src/resources/record/timestamp.ts';
import { isAllowedOrigin } from '../../src/resources/web-sessions/origins.ts';
import { Mode } from '../../src/resources/web-sessions/schema.ts';
import type { WebAgent } from '../../src/resources/web-sessions/web-agent-store.ts';

export const createWebSession = defineTool({
  name: 'create_web_session',
  title: 'Start a web session',
  description:
    'Starts a session of a web agent (list_web_agents) with the version that is active now. Within 10 minutes, a page sends the token to roomUrl; voice may be a LiveKit room.',
  rest: { method: 'POST', path: '/v1/web-sessions', status: 201 },
  input: v.strictObject({ webAgentId: ref('webAgent'), mode: v.optional(Mode) }),
  output: v.strictObject({ roomUrl: v.string(), token: v.string(), expiresAt: Timestamp }),
  access: 'run',
  effect: { readOnly: false, destructive: false, idempotent: false },
  errors: { 502: ['internal_error'] },
  special: {
    browsers: true,
    secretOutput: { member: 'token', instead: 'Start another session.' },
  },
  async handler(context, { webAgentId, mode }) {
    const { stores, services } = context;
    const start = found(await stores.webAgents.startSession(webAgentId), 'webAgent', webAgentId);
    const { webAgent, activeVersion: version, now } = start;
    requireOrigin(context, webAgent);
    if (webAgent.status === 'disabled')
      throw new ToolError('forbidden', `The web agent ${webAgentId} is disabled.`, {
        details: { reason: 'disabled' },
        hint: `${callText('update_web_agent', { webAgentId, status: 'active' })} makes it active.`,
      });
    const { scopes, conversationId } = webAgent;
    const chosen = mode ?? (scopes.includes('voice') ? 'voice' : 'chat');
    if (!scopes.includes(chosen)) {
      const message = `This web agent offers ${scopes.join(' and ')} only.`;
      throw invalidRequest([{ in: 'body', path: '/mode', message }]);
    }
    const { projectId } = context.caller;
    if (chosen === 'voice' && !(await services.playsVoice()))
      return services.openRoom({ projectId, webAgentId, conversationId, version, mode: chosen }, now);
    const origin = context.origin ?? null;
    return services.mintSession(
      { projectId, conversationId, version, webAgentId, channel: chosen, origin },
      now,
    );
  },
});

/**
 * Requires a page to have an allowed origin. Without an Origin header, or without a list, only a secret key is accepted,
 * which servers hold (`decisions#publishable-keys`).
 */
function requireOrigin({ caller, origin }: ToolContext, { allowedOrigins }: WebAgent): void {
  const checked = origin !== undefined && allowedOrigins.length > 0;
  if (checked ? isAllowedOrigin(allowedOrigins, origin) : caller.keyType === 'secret') return;
  throw new ToolError('forbidden', 'This web agent cannot be used from this origin.', {
    details: { reason: 'origin' },
  });
}
