import { isIP } from 'node:net';
import * as v from 'valibot';
import type { InputProblem } from '../../operation/define.ts';
import type { Trunk } from './store.ts';

const Provider = v.pipe(
  v.picklist(['sip', 'twilio', 'telnyx', 'vonage', 'other']),
  v.description('Who runs the trunk.'),
);
const Transport = v.pipe(v.picklist(['udp', 'tcp', 'tls']), v.description('How SIP messages travel.'));
const TerminationUri = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxCodePoints(255),
  v.description('Such as sip.example.com or sip:trunk@sip.example.com:5060.'),
);
const AuthUsername = v.pipe(
  v.nullable(
    v.pipe(
      v.string(),
      v.maxCodePoints(255),
      v.regex(/^[ -~\u00A0-\uFFFF]+$/, 'Expected printable characters.'),
    ),
  ),
  v.description('User name for the trunk; null for none.'),
);
const AuthPassword = v.pipe(
  v.nullable(v.pipe(v.string(), v.minLength(1), v.maxCodePoints(1000))),
  v.description('Encrypted, never returned; null removes it.'),
);
const AllowedAddresses = v.pipe(
  v.array(v.pipe(v.string(), v.maxCodePoints(50))),
  v.maxLength(100),
  v.description('IP addresses or CIDR ranges; none: any.'),
);

/** The SIP trunk of an external number (decisions#phone-numbers). */
export const TrunkInput = v.strictObject({
  provider: Provider,
  terminationUri: TerminationUri,
  transport: Transport,
  authUsername: v.optional(AuthUsername),
  authPassword: v.optional(AuthPassword),
  allowedAddresses: v.optional(AllowedAddresses),
});

/** The schema that MCP shows for a new trunk; the whole one would cost a client 200 tokens. */
export const trunkOnMcp = (use: string) => ({
  type: 'object',
  description: `${use}: provider (${Provider.options.join(', ')}), terminationUri (a host, or sip:user@host:port), transport (${Transport.options.join(', ')}), authUsername, authPassword (or a person enters it), allowedAddresses (IPs and CIDR ranges; none: any).`,
});

/** A change of a trunk; members that are left out stay as they are, including the password. */
export const TrunkChange = v.partial(TrunkInput);

/** The trunk as responses show it. */
export const ExternalPhoneFields = v.strictObject({
  provider: Provider,
  terminationUri: v.string(),
  transport: Transport,
  authUsername: v.nullable(v.string()),
  hasAuth: v.boolean(),
  allowedAddresses: v.array(v.string()),
});

/** A trunk with a change of its password: a text sets it, null removes it, undefined keeps it. */
export interface TrunkWithPassword {
  readonly trunk: Trunk;
  readonly password: string | null | undefined;
}

/** Applies a change to a trunk; for a new trunk, `given` holds every required member. */
export function changedTrunk(
  current: Trunk | undefined,
  { authPassword, ...given }: v.InferOutput<typeof TrunkChange>,
): TrunkWithPassword {
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const trunk = { authUsername: null, allowedAddresses: [], ...current, ...set } as unknown as Trunk;
  return { trunk, password: authPassword };
}

/** Finds the problems of single members. */
export function memberProblems(given: v.InferOutput<typeof TrunkChange>): InputProblem[] {
  const { terminationUri, allowedAddresses = [] } = given;
  const problems: InputProblem[] = [];
  if (terminationUri !== undefined && !isTerminationUri(terminationUri))
    problems.push({
      path: ['externalPhoneFields', 'terminationUri'],
      message:
        'Expected a host, or a SIP URI such as sip:trunk@sip.example.com:5060: no password, parameters or headers.',
    });
  for (const [index, address] of allowedAddresses.entries())
    if (!isAddressOrRange(address))
      problems.push({
        path: ['externalPhoneFields', 'allowedAddresses', index],
        message: 'Expected an IP address or a CIDR range such as 203.0.113.0/24.',
      });
  return problems;
}

/** Finds the problems of members that contradict each other. */
export function togetherProblems({ authUsername, terminationUri, transport }: Trunk, hasPassword: boolean) {
  const problems: InputProblem[] = [];
  if (hasPassword && authUsername === null)
    problems.push({
      path: ['externalPhoneFields', 'authUsername'],
      message: 'Is required with a password; authPassword null removes the password.',
    });
  if (/^sips:/i.test(terminationUri) && transport !== 'tls')
    problems.push({
      path: ['externalPhoneFields', 'transport'],
      message: 'Expected "tls", which a sips URI requires.',
    });
  return problems;
}

/** A host, or a SIP URI without password, parameters and headers (RFC 3261 section 25.1). */
const uri =
  /^(?:sips?:(?:(?:[\w\-.!~*'()&=+$,;?/]|%[0-9a-f]{2}){1,100}@)?)?(?:\[(?<v6>[0-9a-f:.]+)\]|(?<host>[a-z0-9.-]+))(?::(?<port>\d{1,5}))?$/i;
const hostname =
  /^(?=.{1,253}\.?$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?\.?$/i;

function isTerminationUri(text: string): boolean {
  const parts = uri.exec(text)?.groups;
  if (!parts) return false;
  const { v6, host = '', port } = parts;
  if (port !== undefined && !(Number(port) >= 1 && Number(port) <= 65_535)) return false;
  return v6 === undefined ? isIP(host) === 4 || hostname.test(host) : isIP(v6) === 6;
}

/** Rejects an IPv6 zone (`%eth0`), which is valid on one machine only. */
function isAddressOrRange(text: string): boolean {
  const [address = '', length, ...more] = text.split('/');
  const version = address.includes('%') ? 0 : isIP(address);
  if (version === 0 || more.length > 0) return false;
  if (length === undefined) return true;
  return /^(?:0|[1-9]\d{0,2})$/.test(length) && Number(length) <= (version === 4 ? 32 : 128);
}
