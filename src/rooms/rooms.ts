import { randomBytes } from 'node:crypto';
import type { VideoGrant } from 'livekit-server-sdk';
import { ToolError } from '../errors.ts';

/** How a visitor takes part: by speaking and listening, or by text. */
export type SessionMode = 'voice' | 'chat';

/** A LiveKit server and the key that its tokens are signed with. */
export interface LiveKitPlace {
  /** Where clients connect: `wss://…`. */
  readonly url: string;
  readonly apiKey: string;
  readonly apiSecret: string;
}

/** What a room is made for, which whoever serves it reads in the room's metadata. */
export interface RoomPurpose {
  readonly webAgentId: string;
  readonly conversationId: string;
  /** Number of the version that this session is held in, whatever is activated meanwhile. */
  readonly version: number;
  readonly mode: SessionMode;
}

/** Web session, `service-api` part 2. */
export interface WebSession {
  readonly roomUrl: string;
  readonly token: string;
  readonly expiresAt: string;
}

/** Makes a room for a session that begins at `now`, by the database's clock, which all replicas share. */
export type OpenRoom = (purpose: RoomPurpose, now: Date) => Promise<WebSession>;

const secondsToJoin = 600;
/** Seconds; what LiveKit's server and other verifiers forgive. */
const clockLeeway = 60;

/**
 * Rooms of a LiveKit server. The server makes a room, with the metadata that the token carries, when its visitor
 * joins; an agent worker with automatic dispatch joins every new room. Without a place there are none.
 */
export function liveKitRooms(place: LiveKitPlace | undefined): OpenRoom {
  return async (purpose, now) => {
    if (!place)
      throw new ToolError('internal_error', 'LIVEKIT_URL is not set: there is no room for a web session.', {
        status: 502,
      });
    const ahead = (Date.now() - now.getTime()) / 1000;
    // The library writes this host's clock as the time before which the token is void.
    if (ahead > clockLeeway)
      throw new Error(`the clock of this host is ${Math.round(ahead)} s ahead of the database's`);
    const token = await signedToken(place, purpose, secondsToJoin - Math.round(ahead));
    return { roomUrl: place.url, token, expiresAt: expiryOf(token) };
  };
}

async function signedToken(place: LiveKitPlace, purpose: RoomPurpose, ttl: number): Promise<string> {
  // Loaded with the first session: a client that only lists tools starts without it.
  const { AccessToken, RoomConfiguration, TrackSource } = await import('livekit-server-sdk');
  const identity = `web-${unguessable()}`;
  const token = new AccessToken(place.apiKey, place.apiSecret, { identity, ttl });
  const room = `room-${unguessable()}`;
  const grants: Record<SessionMode, VideoGrant> = {
    voice: { canPublish: true, canPublishSources: [TrackSource.MICROPHONE], canSubscribe: true },
    chat: { canPublish: false, canSubscribe: false },
  };
  token.addGrant({ room, roomJoin: true, ...grants[purpose.mode], canPublishData: true });
  const { webAgentId, conversationId, version, mode } = purpose;
  const metadata = JSON.stringify({ webAgentId, conversationId, version, mode });
  token.roomConfig = new RoomConfiguration({ metadata });
  return token.toJwt();
}

/** 128 random bits. */
function unguessable(): string {
  return randomBytes(16).toString('hex');
}

/** What the token itself says, to the second. */
function expiryOf(token: string): string {
  const [, claims = ''] = token.split('.');
  const { exp } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { exp: number };
  return new Date(exp * 1000).toISOString();
}
