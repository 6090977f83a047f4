import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { httpAddress, type LiveKitServer, workerName } from './livekit.ts';

/** What telephone calls of one number need in LiveKit. */
export interface SipNumber {
  /** Names the trunk and the rule, so that they are found again. */
  readonly id: string;
  /** E.164. */
  readonly number: string;
  /** What the worker gets, as JSON. */
  readonly purpose: string;
  /** With which the carrier signs in; undefined if it does not. */
  readonly credentials: { readonly username: string; readonly password: string } | undefined;
  /** Addresses and networks from which calls may come; empty for any. */
  readonly allowedAddresses: readonly string[];
}

/** The rooms of telephone calls begin so. */
const roomPrefix = 'call-';

const nameOf = (id: string) => `parley ${id}`;

/**
 * Lets LiveKit take the calls of a number: a trunk that admits the carrier, and a rule that gives each call a room of its own
 * with a voice worker. What was connected before is replaced.
 * @throws the errors of LiveKit's API
 */
export async function connectNumber(server: LiveKitServer, sipNumber: SipNumber): Promise<void> {
  const { id, number, purpose, credentials, allowedAddresses } = sipNumber;
  await disconnectNumber(server, id);
  const { RoomAgentDispatch, RoomConfiguration } = await import('livekit-server-sdk');
  const sip = await clientOf(server);
  const trunk = await sip.createSipInboundTrunk(nameOf(id), [number], {
    allowedAddresses: [...allowedAddresses],
    ...(credentials && { authUsername: credentials.username, authPassword: credentials.password }),
  });
  const agents = [new RoomAgentDispatch({ agentName: workerName, metadata: purpose })];
  await sip.createSipDispatchRule(
    { type: 'individual', roomPrefix },
    { name: nameOf(id), trunkIds: [trunk.sipTrunkId], roomConfig: new RoomConfiguration({ agents }) },
  );
}

/**
 * Removes what {@link connectNumber} has made. Returns false if there was nothing.
 * @throws the errors of LiveKit's API
 */
export async function disconnectNumber(server: LiveKitServer, id: string): Promise<boolean> {
  const sip = await clientOf(server);
  const [rules, trunks] = await Promise.all([sip.listSipDispatchRule(), sip.listSipInboundTrunk()]);
  const ownRules = rules.filter(({ name }) => name === nameOf(id));
  const ownTrunks = trunks.filter(({ name }) => name === nameOf(id));
  // The rule goes first: without it, LiveKit refuses a call that comes meanwhile.
  for (const { sipDispatchRuleId } of ownRules) await sip.deleteSipDispatchRule(sipDispatchRuleId);
  for (const { sipTrunkId } of ownTrunks) await sip.deleteSipTrunk(sipTrunkId);
  return ownRules.length + ownTrunks.length > 0;
}

/** The host to which carriers send calls. LiveKit Cloud has another one for SIP than for rooms. */
export function sipHostOf({ url }: LiveKitServer): string {
  const { hostname } = new URL(url.replace(/^ws/, 'http'));
  const cloud = /^([a-z0-9-]+)\.livekit\.cloud$/.exec(hostname)?.[1];
  return cloud === undefined ? hostname : `${cloud}.sip.livekit.cloud`;
}

/** Milliseconds for a response. */
const longestPing = 2_000;

/** True if a SIP server responds at a host: to OPTIONS (RFC 3261, section 11) over UDP. Any response counts. */
export function sipServerResponds(host: string, port = 5060): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
    let isOver = false;
    const end = (responds: boolean) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      socket.close();
      resolve(responds);
    };
    const timer = setTimeout(() => end(false), longestPing);
    socket.once('error', () => end(false)).once('message', () => end(true));
    socket.connect(port, host, (error?: Error) => {
      // A host whose name takes too long to find was given up before.
      if (error || isOver) {
        end(false);
        return;
      }
      const { address, port: own } = socket.address();
      const [branch, tag, call] = [randomText(), randomText(), randomText()];
      const lines = [
        `OPTIONS sip:${host}:${port} SIP/2.0`,
        `Via: SIP/2.0/UDP ${address}:${own};branch=z9hG4bK${branch};rport`,
        'Max-Forwards: 70',
        `From: <sip:parley@${address}>;tag=${tag}`,
        `To: <sip:${host}:${port}>`,
        `Call-ID: ${call}@${address}`,
        'CSeq: 1 OPTIONS',
        `Contact: <sip:parley@${address}:${own}>`,
        'Content-Length: 0',
      ];
      socket.send(`${lines.join('\r\n')}\r\n\r\n`);
    });
  });
}

function randomText(): string {
  return randomBytes(8).toString('hex');
}

async function clientOf(server: LiveKitServer) {
  const { SipClient } = await import('livekit-server-sdk');
  return new SipClient(httpAddress(server), server.apiKey, server.apiSecret);
}
