import jwt from 'jsonwebtoken';
import { TokenVerifier } from 'livekit-server-sdk';
import { expect } from 'vitest';
import { liveKit, type RestAnswer, type World } from '../helpers/world.ts';
import { created, type DesignProject, openDesignProject } from './design-project.ts';

/** A project, and the calls that tests of web agents and sessions make in it. */
export interface WebProject extends DesignProject {
  readonly publishableKey: string;
  createWebAgent(body?: Record<string, unknown>): Promise<RestAnswer>;
  /** The id of a new web agent of a new conversation. */
  newWebAgent(body?: Record<string, unknown>): Promise<string>;
  /** Starts a session with the secret key, unless another key is named. */
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

/** A session's claims, as LiveKit's own verifier and another library both read them. */
export async function claimsOf({ status, body }: RestAnswer, place = liveKit) {
  expect(status, JSON.stringify(body)).toBe(201);
  const claims = await new TokenVerifier(place.apiKey, place.apiSecret).verify(body.token, 0);
  const options = { algorithms: ['HS256' as const], issuer: place.apiKey };
  expect(jwt.verify(body.token, place.apiSecret, options)).toStrictEqual(claims);
  return claims;
}
