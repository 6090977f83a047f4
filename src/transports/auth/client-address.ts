import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import type { ClientAddress } from '../../operation/context.ts';

/** A network in CIDR notation, parsed: its address, and the length of its prefix. */
export type Network = readonly [address: ipaddr.IPv4 | ipaddr.IPv6, prefix: number];

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Socket = IncomingMessage['socket'];

/** The other end of a connection. */
interface Peer {
  readonly isTrusted: boolean;
  /** The client, if no header names another. */
  readonly client: ClientAddress;
}

/**
 * Finds the address of the client of each request: that of the connection, or, through trusted proxies, the one that
 * they name in `X-Forwarded-For` or `Forwarded` (RFC 7239). The headers of anybody else count for nothing.
 */
export class ClientAddresses {
  readonly #trusted: readonly Network[];
  readonly #foundProxy: () => void;
  #hasFoundProxy = false;
  /** Reading the address of a connection with each of its requests took 3 % of Node's CPU for a get_flow. */
  readonly #peers = new WeakMap<Socket, Peer>();

  /** @param foundProxy is called once if a request has passed a proxy that is not trusted, or claims so */
  constructor(trusted: readonly Network[], foundProxy: () => void) {
    this.#trusted = trusted;
    this.#foundProxy = foundProxy;
  }

  of({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): ClientAddress {
    const peer = this.#peers.get(socket) ?? this.#readPeer(socket);
    if (!peer) return { address: '', network: '', wider: [], nested: [], mayBeShared: true };
    const named = [forwardedFor(headers['x-forwarded-for']), forwardedHops(headers.forwarded)];
    if (!peer.isTrusted) {
      if (named.some((hops) => hops.length > 0)) this.#noteProxy();
      return peer.client;
    }
    const [one, other] = named.filter((hops) => hops.length > 0).map((hops) => this.#clientIn(hops));
    // A proxy that sets one of the headers passes the other one on, and its client may have made that up.
    if (one && other && one.toString() !== other.toString()) return { ...peer.client, mayBeShared: false };
    const client = one ?? other;
    return client ? described(client, false) : peer.client;
  }

  /** Undefined if the connection has closed: it has no address any more. */
  #readPeer(socket: Socket): Peer | undefined {
    const address = addressIn(socket.remoteAddress ?? '');
    if (!address) return undefined;
    const isTrusted = this.#isTrusted(address);
    const peer = { isTrusted, client: described(address, isTrusted || address.range() !== 'unicast') };
    this.#peers.set(socket, peer);
    return peer;
  }

  /** The last address that is not a trusted proxy's, or the first one if all are. Undefined if it has no known form. */
  #clientIn(hops: readonly string[]): Address | undefined {
    let client: Address | undefined;
    for (const hop of hops.toReversed()) {
      client = addressIn(hop);
      if (!client || !this.#isTrusted(client)) break;
    }
    return client;
  }

  #isTrusted(address: Address): boolean {
    return this.#trusted.some(([network, prefix]) =>
      network instanceof ipaddr.IPv4
        ? address instanceof ipaddr.IPv4 && address.match(network, prefix)
        : address instanceof ipaddr.IPv6 && address.match(network, prefix),
    );
  }

  #noteProxy(): void {
    if (this.#hasFoundProxy) return;
    this.#hasFoundProxy = true;
    this.#foundProxy();
  }
}

function described(address: Address, mayBeShared: boolean): ClientAddress {
  const text = address.toString();
  if (address instanceof ipaddr.IPv4) {
    const [first, second, third] = address.octets;
    const nested = [text, `${first}.${second}.${third}.0/24`, `${first}.${second}.0.0/16`];
    return { address: text, network: text, wider: [], nested, mayBeShared };
  }
  const [network = text, line = text, site = text, provider = text] = [64, 56, 48, 32].map((bits) =>
    networkOf(address, bits),
  );
  return { address: text, network, wider: [line, site], nested: [line, site, provider], mayBeShared };
}

/** The network of an IPv6 address with a prefix of at most 64 bits. */
function networkOf({ parts }: ipaddr.IPv6, bits: number): string {
  const kept = parts.slice(0, 4).map((part, index) => {
    const free = Math.min(16, Math.max(0, 16 * (index + 1) - bits));
    return ((part >> free) << free).toString(16);
  });
  return `${kept.join(':')}::/${bits}`;
}

/** The addresses in `X-Forwarded-For`, the nearest last. */
function forwardedFor(header: string | readonly string[] | undefined): readonly string[] {
  if (header === undefined) return none;
  return textOf(header)
    .split(',')
    .map((hop) => hop.trim())
    .filter((hop) => hop !== '');
}

/** The addresses in `Forwarded`, the nearest last. An element without one counts, because a proxy has set it. */
function forwardedHops(header: string | readonly string[] | undefined): readonly string[] {
  if (header === undefined) return none;
  return textOf(header)
    .split(',')
    .filter((element) => element.trim() !== '')
    .map((element) => /(?:^|;)\s*for="?([^";,\s]+)"?/i.exec(element)?.[1] ?? 'unknown');
}

/** Of a request that has passed no proxy. */
const none: readonly string[] = [];

function textOf(header: string | readonly string[]): string {
  return typeof header === 'string' ? header : header.join(',');
}

/** Reads an address with or without a port or a zone: `192.0.2.1:80`, `[2001:db8::1]:80`, `fe80::1%eth0`. */
function addressIn(text: string): Address | undefined {
  const plain = /^\[(.*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  const address = plain.replace(/%.*$/, '');
  // Accepts four decimal numbers only, and not the other notations of IPv4 that ipaddr.js reads.
  const isWritten = ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address);
  return isWritten ? ipaddr.process(address) : undefined;
}
