import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import type { VideoGrant } from 'livekit-server-sdk';
import { ToolError } from '../platform/errors.ts';

/** A LiveKit server and the key pair that signs its tokens. */
export interface LiveKitServer {
  /** Where clients connect: `wss://…`. */
  readonly url: string;
  readonly apiKey: string;
  readonly apiSecret: string;
  /** True for the address that is assumed in development: maybe no server runs there. */
  readonly isAssumed?: boolean;
}

/** The purpose of a room for a voice session. The worker reads it from the metadata of its job, and others from those of the room. */
export interface RoomPurpose {
  readonly webAgentId: string;
  readonly conversationId: string;
  /** Number of the version that the session keeps, even if another one is activated. */
  readonly version: number;
  readonly mode: 'voice';
  readonly projectId: string;
}

/** The record of `service-api#web-session`. */
export interface WebSession {
  readonly roomUrl: string;
  readonly token: string;
  readonly expiresAt: string;
}

/** Opens a room for a session that starts at `now`, by the database's clock, which all replicas share. */
export type OpenRoom = (purpose: RoomPurpose, now: Date) => Promise<WebSession>;

/** The rooms of a LiveKit server. */
export interface Rooms {
  readonly open: OpenRoom;
  /** False if none is configured, or none runs at the assumed address. */
  isThere(): Promise<boolean>;
  /**
   * Sends a worker into a room in which somebody waits, and removes the agents in it, which are dead.
   * @param purpose what the worker gets, as JSON
   * @returns false if nobody is left in the room
   */
  sendWorker(room: string, purpose: string): Promise<boolean>;
}

/** The name under which voice workers register with LiveKit. A room of Parley asks for a worker by this name. */
export const workerName = 'parley';

const secondsToJoin = 600;
/** Seconds of clock difference that LiveKit's server and other verifiers accept. */
const clockLeeway = 60;

/**
 * Opens rooms on a LiveKit server. The server creates a room, with the metadata from the token, when the visitor
 * joins, and sends a worker of the name {@link workerName} into it. Without a server, `open` throws `internal_error`
 * with status 502.
 */
export function liveKitRooms(server: LiveKitServer | undefined): Rooms {
  const open: OpenRoom = async (purpose, now) => {
    if (!server) throw noRoom('LIVEKIT_URL is not set, so voice sessions cannot start.');
    if (server.isAssumed && !(await isListening(new URL(server.url))))
      throw noRoom(`No LiveKit server runs at ${server.url}, so voice sessions cannot start.`);
    const ahead = (Date.now() - now.getTime()) / 1000;
    // The library makes the token valid from this host's time on.
    if (ahead > clockLeeway)
      throw new Error(`the clock of this host is ${Math.round(ahead)} s ahead of the database's`);
    const token = await signedToken(server, purpose, secondsToJoin - Math.round(ahead));
    // A page tells a room from a session of this server by the scheme.
    return { roomUrl: server.url.replace(/^http/, 'ws'), token, expiresAt: expiryOf(token) };
  };
  return {
    open,
    isThere: async () =>
      server !== undefined && (!server.isAssumed || (await isListening(new URL(server.url)))),
    async sendWorker(room, purpose) {
      if (!server) throw noRoom('LIVEKIT_URL is not set, so no worker can be sent.');
      const { AgentDispatchClient, RoomServiceClient } = await import('livekit-server-sdk');
      const rooms = new RoomServiceClient(httpAddress(server), server.apiKey, server.apiSecret);
      // A room that LiveKit has closed has no participants, and asking for them is an error.
      const [open] = await rooms.listRooms([room]);
      const people = open ? await rooms.listParticipants(room) : [];
      const agents = people.filter(({ permission }) => permission?.agent === true);
      if (agents.length === people.length) return false;
      await Promise.all(agents.map(({ identity }) => rooms.removeParticipant(room, identity)));
      const dispatches = new AgentDispatchClient(httpAddress(server), server.apiKey, server.apiSecret);
      await dispatches.createDispatch(room, workerName, { metadata: purpose });
      return true;
    },
  };
}

/** The address of the APIs of a LiveKit server. */
export function httpAddress({ url }: LiveKitServer): string {
  return url.replace(/^ws/, 'http');
}

function noRoom(message: string): ToolError {
  const remedy =
    'The operator of this server starts `livekit-server --dev`, sets LIVEKIT_URL and its key, or sets models that transcribe and speak.';
  return new ToolError('internal_error', message, { status: 502, hint: `${message} ${remedy}` });
}

/** Milliseconds; the assumed server runs on this host. */
const longestConnect = 1_000;

function isListening({ hostname, port }: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port), timeout: longestConnect });
    const end = (found: boolean) => {
      socket.destroy();
      resolve(found);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
    socket.once('timeout', () => end(false));
  });
}

async function signedToken(server: LiveKitServer, purpose: RoomPurpose, ttl: number): Promise<string> {
  // Imported with the first session, so that a client that only lists tools starts faster.
  const { AccessToken, RoomAgentDispatch, RoomConfiguration, TrackSource } = await import(
    'livekit-server-sdk'
  );
  const identity = `web-${random128Bits()}`;
  const token = new AccessToken(server.apiKey, server.apiSecret, { identity, ttl });
  const room = `room-${random128Bits()}`;
  const grant: VideoGrant = {
    room,
    roomJoin: true,
    canPublish: true,
    canPublishSources: [TrackSource.MICROPHONE],
    canSubscribe: true,
    canPublishData: true,
  };
  token.addGrant(grant);
  const { projectId, ...shown } = purpose;
  const metadata = JSON.stringify(shown);
  const job = JSON.stringify({ projectId, ...shown });
  const agents = [new RoomAgentDispatch({ agentName: workerName, metadata: job })];
  const config = new RoomConfiguration({ metadata, agents });
  // A server that is older than the library refuses a token with a member that it does not know, also an empty one.
  token.roomConfig = Object.assign(config, { toJSON: () => config.toJson() });
  return token.toJwt();
}

function random128Bits(): string {
  return randomBytes(16).toString('hex');
}

/** Returns the expiry that the token itself states, to the second. */
function expiryOf(token: string): string {
  const [, claims = ''] = token.split('.');
  const { exp } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { exp: number };
  return new Date(exp * 1000).toISOString();
}
