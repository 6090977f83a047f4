import type { Output } from '../../api/client.ts';
import { mostRead } from '../../versions/use-entrances.ts';

type WebAgents = Output<'list_web_agents'>;
export type WebAgent = WebAgents['webAgents'][number];

/** The web agents through which a person can call a conversation, those first that the pages of the Studio may use. */
export function callableAgents(conversationId: string, { webAgents }: WebAgents): WebAgent[] {
  const callable = webAgents.filter(
    (agent) =>
      agent.conversationId === conversationId && agent.status === 'active' && agent.scopes.includes('voice'),
  );
  return [...callable.filter(isForStudio), ...callable.filter((agent) => !isForStudio(agent))];
}

/** Without a list, a secret key may start sessions from any page. */
function isForStudio({ allowedOrigins }: WebAgent): boolean {
  return (
    allowedOrigins.length === 0 ||
    allowedOrigins.some((origin) => origin === '*' || origin === globalThis.location.origin)
  );
}

/** Why nobody can call a conversation, and what to do about it; undefined if somebody can. */
export function missingAgent(conversationId: string, list: WebAgents): string | undefined {
  if (callableAgents(conversationId, list).length > 0) return undefined;
  const own = list.webAgents.filter((agent) => agent.conversationId === conversationId);
  const speaking = own.find(({ scopes }) => scopes.includes('voice'));
  if (speaking)
    return `A call needs an active web agent, and ${speaking.name} is disabled: an agent makes it active over MCP with update_web_agent.`;
  const [chatting] = own;
  if (chatting)
    return `A call needs a web agent with scope voice, and ${chatting.name} only chats: an agent adds the scope over MCP with update_web_agent.`;
  const among = list.nextCursor === undefined ? 'none' : `none of the newest ${mostRead}`;
  return `A call needs a web agent with scope voice, and ${among} leads here: an agent makes one over MCP with create_web_agent.`;
}
