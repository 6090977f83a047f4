import { isIP } from 'node:net';
import { Agent } from 'undici';
import { type Log, logSecurityEvent } from '../log.ts';
import { Blocked, FetchFailure, invalidUrl } from './fetch-failure.ts';
import { isPublicAddress } from './public-address.ts';
import { openResolver, type Resolve } from './resolver.ts';
import { wallConnector } from './wall-connector.ts';

export interface GateOptions {
  /** The `host:port` pairs of PARLEY_FETCH_ALLOW, which may be at any address. */
  readonly allow: readonly string[];
  /** Explains PARLEY_FETCH_ALLOW if the text of an address shows that it is internal. */
  readonly trial?: boolean | undefined;
  readonly log: Log;
  readonly resolve?: Resolve | undefined;
  readonly ports?: readonly number[] | undefined;
  /** Milliseconds for DNS and the connection together. */
  readonly connectWithin?: number | undefined;
}

/** What a request is for, for the log. */
export interface RequestPurpose {
  /** The id of a request to Parley, or of a job. */
  readonly id: string;
  readonly projectId: string;
}

const usualPorts = [80, 443];
const usualConnectLimit = 3_000;

/** Characters of a host in the log. */
const longestHost = 300;

/** The port of an http or https URL. */
const portOf = ({ port, protocol }: URL) => port || (protocol === 'https:' ? '443' : '80');

/** Decides which addresses from users Parley may send a request to: those of the open internet. */
export class Gate {
  readonly #ports: readonly number[];
  readonly #allowed: ReadonlySet<string>;
  readonly #trial: boolean;
  readonly #log: Log;
  readonly #resolve: Resolve;
  readonly #connectLimit: number;

  constructor({ allow, trial = false, log, resolve, ports, connectWithin: timeout }: GateOptions) {
    this.#ports = ports ?? usualPorts;
    this.#allowed = new Set(allow);
    this.#trial = trial;
    this.#log = log;
    this.#connectLimit = timeout ?? usualConnectLimit;
    this.#resolve = resolve ?? openResolver(this.#connectLimit);
  }

  /** Opens an agent that connects to nothing but addresses that it has checked. It sets no time limit after that. */
  openAgent(): Agent {
    return new Agent({
      connect: wallConnector({ resolve: this.#resolve, allowed: this.#allowed, timeout: this.#connectLimit }),
      allowH2: false,
      keepAliveMaxTimeout: 10_000,
      // Callers set exact timers; those of undici fire up to a second late.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /**
   * Checks the text of a URL. The connections of `openAgent` check the addresses of its host.
   * @param from the URL that redirected to this one
   * @throws FetchFailure
   */
  admit(address: string, from?: URL): URL {
    const url = URL.parse(address);
    if (!url) throw new FetchFailure(invalidUrl, { final: true });
    const { protocol, hostname } = url;
    if (protocol !== 'http:' && protocol !== 'https:')
      throw new Blocked(`scheme ${protocol.slice(0, 20)}`, 'The address must begin with http or https.');
    if (url.username !== '' || url.password !== '')
      throw new Blocked('user', 'The address must not name a user or a password.');
    if (from?.protocol === 'https:' && protocol === 'http:')
      throw new Blocked('downgrade', 'The page redirects from https to http.');
    const port = portOf(url);
    if (!this.#ports.includes(Number(port)) && !this.#allowed.has(`${hostname}:${port}`))
      throw new Blocked(
        `port ${port}`,
        `The address must use port ${this.#ports.join(' or ')}, not ${port}.`,
      );
    return url;
  }

  /** Adds how to allow the address, unless only its DNS shows that it is internal, which nobody may learn. */
  explained(blocked: Blocked, address: string): FetchFailure {
    const url = URL.parse(address);
    if (!this.#trial || !url || !this.#isEvidentlyBlocked(url)) return blocked;
    const place = `${url.hostname}:${portOf(url)}`;
    return new FetchFailure(
      `${blocked.message} Parley reaches only the public internet. For a trial, start it with PARLEY_FETCH_ALLOW=${place}.`,
      { final: true, cause: blocked },
    );
  }

  /** Logs a blocked request as a security event. */
  note({ reason }: Blocked, address: string, purpose: RequestPurpose | undefined): void {
    logSecurityEvent(this.#log, {
      event: 'fetch_blocked',
      requestId: purpose?.id,
      tool: undefined,
      caller: purpose && { projectId: purpose.projectId },
      outbound: { host: URL.parse(address)?.host.slice(0, longestHost) ?? '', reason },
    });
  }

  #isEvidentlyBlocked(url: URL): boolean {
    const host = url.hostname.replaceAll(/^\[|\]$/g, '');
    const isInternal = isIP(host) > 0 ? !isPublicAddress(host) : /^(?:.+\.)?localhost\.?$/.test(host);
    return isInternal || !this.#ports.includes(Number(portOf(url)));
  }
}
