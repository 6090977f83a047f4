import jwt from 'jsonwebtoken';
import { TokenVerifier } from 'livekit-server-sdk';
import { expect } from 'vitest';
import { created, type DesignProject, openDesignProject } from './design-project.ts';
import { liveKit, type RestAnswer, type World } from './world.ts';

/** A project with calls for tests of web agents and web sessions. */
export interface WebProject extends DesignProject {
  readonly publishableKey: string;
  createWebAgent(body?: Record<string, unknown>): Promise<RestAnswer>;
  /** Creates a web agent with a new conversation, and returns its id. */
  newWebAgent(body?: Record<string, unknown>): Promise<string>;
  /** Starts a session, with the secret key by default. */
  startSession(body: unknown, request?: { key?: string; origin?: string }): Promise<RestAnswer>;
}

export async function openWebProject(world: World): Promise<WebProject> {
  const project = await openDesignProject(world);
  const { projectId } = project;
  const { key: publishableKey } = await world.key(projectId, { type: 'publishable', scope: 'service_app' });
  const createWebAgent = async (body: Record<string, unknown> = {}) =>
    project.call('POST', `/v1/projects/${projectId}/web-sessions/agents`, {
      name: 'Website',
      scopes: ['voice', 'chat'],
      ...('conversationId' in body ? {} : { conversationId: await project.newConversation() }),
      ...body,
    });
  return {
    ...project,
    publishableKey,
    createWebAgent,
    newWebAgent: async (body) => created(await createWebAgent(body)).id,
    startSession: (body, { key = project.key, origin } = {}) =>
      world.rest('POST', '/v1/web-sessions', {
        key,
        body,
        headers: { ...(origin !== undefined && { origin }) },
      }),
  };
}

/** Returns a token's claims, which LiveKit's verifier and another library must read alike. */
export async function claimsOf({ status, body }: RestAnswer, place = liveKit) {
  expect(status, JSON.stringify(body)).toBe(201);
  const claims = await new TokenVerifier(place.apiKey, place.apiSecret).verify(body.token, 0);
  const options = { algorithms: ['HS256' as const], issuer: place.apiKey };
  expect(jwt.verify(body.token, place.apiSecret, options)).toStrictEqual(claims);
  return claims;
}

/** Returns the claims of the token of a session that this server plays, unchecked. */
export function sessionClaimsOf({ status, body }: RestAnswer): jwt.JwtPayload {
  expect(status, JSON.stringify(body)).toBe(201);
  return jwt.decode(body.token) as jwt.JwtPayload;
}
