import { patientDesk } from '../../test/designs/patient-desk.ts';
import type { HttpRequest } from '../http-request.ts';
import { type Create, httpRow } from '../http-row.ts';
import type { World } from '../world.ts';
import { headersWith } from './write-row.ts';

/** A session ends after 500 turns, so each connection takes turns in several. */
const sessionsOfConnection = 10;

/** The web agent of a run, which its connections share. */
const webAgents = new WeakMap<World, Promise<string>>();

/** A turn of a visitor whom an agent answers by rule. */
export const chatTurn = httpRow({
  name: 'chat-turn',
  path: 'POST /v1/web-sessions/{id}/messages without a model, 32 connections',
  limit: 'bare node:http + pg, BEGIN, one row read and written, COMMIT',
  baseline: 'turns.ts',
  unit: 'ms CPU',
  connections: 32,
  figure: 'cpu',
  better: 'lower',
  reach: 2,
  floor: 4,
  // The limits on one visitor and on one web agent count, and refuse nothing.
  settings: {
    PARLEY_RATE_LIMIT_SESSION: '9999999/60',
    PARLEY_SPENDING_SESSION: 'turns=1000000',
    PARLEY_SPENDING_WEB_AGENT: 'turns=100000000',
    PARLEY_SPENDING_PROJECT: 'turns=100000000',
  },
  async request(world, create, base) {
    const webAgentId = await webAgentOf(world, create);
    const requests: HttpRequest[] = [];
    for (let count = 0; count < sessionsOfConnection; count++)
      requests.push(await messageIn(base, world, webAgentId));
    return requests;
  },
  compare: (_body, text) => text.replace(/"turn":\d+/, ''),
  sameLength: false,
  distinctBodies: true,
});

function webAgentOf(world: World, create: Create): Promise<string> {
  const known = webAgents.get(world) ?? createWebAgent(world, create);
  webAgents.set(world, known);
  return known;
}

async function createWebAgent({ projectId }: World, create: Create): Promise<string> {
  const conversationId = await create(`/v1/projects/${projectId}/conversations`, {
    name: 'Desk',
    design: patientDesk,
  });
  const webAgent = { name: 'Website', scopes: ['chat'], conversationId };
  return create(`/v1/projects/${projectId}/web-sessions/agents`, webAgent);
}

/** Starts a session, plays its opening, and returns the request that sends a message of its visitor. */
async function messageIn(base: string, { key }: World, webAgentId: string): Promise<HttpRequest> {
  const started = await post(`${base}/v1/web-sessions`, key, { webAgentId });
  const { roomUrl, token } = JSON.parse(started) as { readonly roomUrl: string; readonly token: string };
  const path = `${new URL(roomUrl).pathname}/messages`;
  await post(base + path, token, { start: true });
  const body = JSON.stringify({ text: 'zebra', messageId: '[<id>]' });
  return { method: 'POST', path, headers: headersWith(token), body };
}

async function post(url: string, credential: string, body: object): Promise<string> {
  const reply = await fetch(url, {
    method: 'POST',
    headers: headersWith(credential),
    body: JSON.stringify(body),
  });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`POST ${url}: ${reply.status} ${text}`);
  return text;
}
