import type { JWTPayload } from 'jose';
import type { SessionClaims } from '../../environment/services.ts';
import { fingerprint } from '../keys/key.ts';

/** The path of the addresses of sessions; the id follows. */
export const sessionPath = '/v1/web-sessions';

const address = new RegExp(`^${sessionPath}/cws[0-9a-z]+(?:/[a-z]+)?$`);

/** True for the paths of sessions that this server plays. */
export function isSessionAddress(path: string): boolean {
  return address.test(path);
}

/** A token whose signature is right. */
export interface OpenedToken {
  readonly claims: SessionClaims;
  /** True if the time to start is over; a session that has started keeps its token. */
  readonly isExpired: boolean;
}

/** Signs and checks the tokens of the sessions that this server plays. */
export interface SessionTokens {
  /** The token can start its session for ten minutes from `now`, to the second. */
  sign(claims: SessionClaims, now: Date): Promise<{ readonly token: string; readonly expiresAt: string }>;
  /** Undefined if the token was not signed by this installation, or for something else. */
  open(token: string): Promise<OpenedToken | undefined>;
}

const secondsToStart = 600;
const mostRemembered = 10_000;
const algorithm = 'HS256';
const issuer = 'parley';
const audience = 'web-session';

/** Loaded with the first session, so that a client that only lists tools starts faster. */
const jose = () => import('jose');

/** Tokens under these keys (RFC 7519, HS256): the first signs, all of them are accepted. */
export function sessionTokens(keys: readonly [current: Uint8Array, ...older: Uint8Array[]]): SessionTokens {
  /** The claims of tokens whose signature was right, by the SHA-256 of the token. Checking it again would take a sixth of a turn. */
  const checked = new Map<string, JWTPayload>();
  const payloadOf = async (token: string) => {
    for (const key of keys) {
      const payload = await payloadWith(key, token);
      if (payload) return payload;
    }
    return undefined;
  };
  const remember = (name: string, payload: JWTPayload) => {
    const [oldest] = checked.size >= mostRemembered ? checked.keys() : [];
    if (oldest !== undefined) checked.delete(oldest);
    checked.set(name, payload);
  };
  return {
    async sign({ sessionId, ...claims }, now) {
      const { SignJWT } = await jose();
      const expiry = Math.floor(now.getTime() / 1000) + secondsToStart;
      const { projectId, conversationId, version, webAgentId, channel, origin, flowId, room, phone } = claims;
      const ofRoom = {
        ...(flowId !== undefined && { flowId }),
        ...(room !== undefined && { room }),
        ...(phone && { phone }),
      };
      const about = { projectId, conversationId, version, webAgentId, channel, origin, ...ofRoom };
      const token = await new SignJWT(about)
        .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(sessionId)
        .setExpirationTime(expiry)
        .sign(keys[0]);
      return { token, expiresAt: new Date(expiry * 1000).toISOString() };
    },

    async open(token) {
      const name = fingerprint(token);
      const payload = checked.get(name) ?? (await payloadOf(token));
      if (!payload) return undefined;
      if (!checked.has(name)) remember(name, payload);
      const { exp = 0 } = payload;
      return { claims: claimsIn(payload), isExpired: exp <= Math.floor(Date.now() / 1000) };
    },
  };
}

async function payloadWith(key: Uint8Array, token: string): Promise<JWTPayload | undefined> {
  const { errors, jwtVerify } = await jose();
  try {
    return (await jwtVerify(token, key, { algorithms: [algorithm], issuer, audience })).payload;
  } catch (error) {
    // jose checks the signature and the other claims before the expiry.
    if (error instanceof errors.JWTExpired) return error.payload;
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}

/** The claims of a token that this installation has signed, so they have the form that it gave them. */
function claimsIn({ sub, ...claims }: JWTPayload): SessionClaims {
  return { ...(claims as unknown as Omit<SessionClaims, 'sessionId'>), sessionId: sub ?? '' };
}
