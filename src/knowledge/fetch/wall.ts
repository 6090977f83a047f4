import { isIP } from 'node:net';
import { Agent } from 'undici';
import { type Log, logSecurityEvent } from '../../log.ts';
import { canonicalUrl } from './canonical-url.ts';
import { Blocked, FetchFailure, invalidUrl, unreachable } from './fetch-failure.ts';
import { type FetchLimits, usualFetchLimits } from './fetch-limits.ts';
import { type FetchResponse, sendRequest } from './fetch-request.ts';
import { Pace } from './pace.ts';
import { isPublicAddress } from './public-address.ts';
import { openResolver, type Resolve } from './resolver.ts';
import { wallConnector } from './wall-connector.ts';

export interface WallOptions {
  /** The `host:port` pairs of PARLEY_FETCH_ALLOW. */
  readonly allow: readonly string[];
  /** Explains PARLEY_FETCH_ALLOW if the text of an address shows that it is internal. */
  readonly trial?: boolean | undefined;
  readonly log: Log;
  /** Parley's version, for the User-Agent. */
  readonly version: string;
  readonly limits?: Partial<FetchLimits>;
  readonly resolve?: Resolve;
}

export interface FetchOptions {
  readonly signal: AbortSignal;
  /** Media types, such as `text/html` and `text/*`. A response of another type is a failure. */
  readonly accept?: readonly string[];
  /** Whether a redirect may lead to this URL; by default, wherever the wall allows. */
  readonly follow?: (url: string) => boolean;
  /** Bytes to read of a page of any length; without it, a page that is too large is a failure. */
  readonly enough?: number;
  /** Milliseconds between two requests, if the host asks for more than usual. */
  readonly gap?: number;
  /** The source that the request is for, for the log. */
  readonly job?: { readonly id: string; readonly projectId: string };
}

/** A page of status 2xx. */
export interface Fetched {
  /** The canonical URL after all redirects. */
  readonly url: string;
  readonly status: number;
  /** The Content-Type header. */
  readonly contentType?: string;
  readonly bytes: Uint8Array;
}

/** The name in Parley's User-Agent, and in robots.txt. */
export const productToken = 'Parley';

/** Characters of a host in the log. */
const longestHost = 300;

/** The port of an http or https URL. */
const portOf = ({ port, protocol }: URL) => port || (protocol === 'https:' ? '443' : '80');

/** Opens the wall. A process needs exactly one, because each wall paces its requests on its own. */
export function openWall(options: WallOptions): Wall {
  return new Wall(options);
}

/** Fetches addresses from users. No other module may do that. */
export class Wall {
  readonly #limits: FetchLimits;
  readonly #allowed: ReadonlySet<string>;
  readonly #trial: boolean;
  readonly #log: Log;
  readonly #userAgent: string;
  readonly #pace: Pace;
  readonly #agent: Agent;

  constructor({ allow, trial = false, log, version, limits, resolve }: WallOptions) {
    this.#limits = { ...usualFetchLimits, ...limits };
    const { connect: timeout, pace } = this.#limits;
    this.#allowed = new Set(allow);
    this.#trial = trial;
    this.#log = log;
    this.#userAgent = `${productToken}/${version} (+knowledge)`;
    this.#pace = new Pace(pace);
    this.#agent = new Agent({
      connect: wallConnector({ resolve: resolve ?? openResolver(timeout), allowed: this.#allowed, timeout }),
      allowH2: false,
      keepAliveMaxTimeout: 10_000,
      // `sendRequest` has exact timers; those of undici fire up to a second late.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /**
   * Fetches a page when it is the host's turn. The wall follows redirects itself and checks each one.
   * @throws FetchFailure, or the signal's reason
   */
  async fetch(address: string, options: FetchOptions): Promise<Fetched> {
    const { signal, follow } = options;
    const budget = { left: this.#limits.whole };
    let at = address;
    try {
      let url = this.#admitted(address);
      for (let hops = 0; hops <= this.#limits.redirects; hops++) {
        const response = await this.#request(url, options, budget);
        if ('bytes' in response) return { url: canonicalUrl(url.href) ?? url.href, ...response };
        at = URL.parse(response.location, url.href)?.href ?? response.location;
        url = this.#admitted(at, url);
        if (follow && !follow(at))
          throw new FetchFailure('The page redirects to another site.', { final: true });
      }
      throw new FetchFailure(`The page redirects more than ${this.#limits.redirects} times.`, {
        final: true,
      });
    } catch (error) {
      if (error instanceof Blocked) this.#note(error, at, options);
      signal.throwIfAborted();
      if (error instanceof Blocked && at === address) throw this.#explained(error, address);
      if (error instanceof FetchFailure) throw error;
      throw new FetchFailure(unreachable, { final: false, cause: error });
    }
  }

  /** Ends every request. */
  close(): Promise<void> {
    return this.#agent.destroy();
  }

  /** Checks the text of a URL. The connector checks the addresses of its host. */
  #admitted(address: string, from?: URL): URL {
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
    if (!this.#limits.ports.includes(Number(port)) && !this.#allowed.has(`${hostname}:${port}`))
      throw new Blocked(
        `port ${port}`,
        `The address must use port ${this.#limits.ports.join(' or ')}, not ${port}.`,
      );
    return url;
  }

  async #request(url: URL, options: FetchOptions, budget: { left: number }): Promise<FetchResponse> {
    const { signal, accept, enough, gap = 0 } = options;
    const release = await this.#pace.turn(url.hostname, gap, signal);
    const started = performance.now();
    try {
      return await sendRequest(this.#agent, url, {
        headers: { 'user-agent': this.#userAgent, accept: accept?.join(', ') ?? '*/*' },
        accept,
        signal,
        headersWithin: this.#limits.headers,
        within: budget.left,
        longestBody: enough ?? this.#limits.body,
        isCut: enough !== undefined,
      });
    } finally {
      budget.left -= performance.now() - started;
      release();
    }
  }

  /** Adds how to allow the address, unless only its DNS shows that it is internal, which nobody may learn. */
  #explained(blocked: Blocked, address: string): FetchFailure {
    const url = URL.parse(address);
    if (!this.#trial || !url || !this.#isEvidentlyBlocked(url)) return blocked;
    const place = `${url.hostname}:${portOf(url)}`;
    return new FetchFailure(
      `${blocked.message} Parley reads only the public internet. For a trial, start it with PARLEY_FETCH_ALLOW=${place}.`,
      { final: true, cause: blocked },
    );
  }

  #isEvidentlyBlocked(url: URL): boolean {
    const host = url.hostname.replaceAll(/^\[|\]$/g, '');
    const isInternal = isIP(host) > 0 ? !isPublicAddress(host) : /^(?:.+\.)?localhost\.?$/.test(host);
    return isInternal || !this.#limits.ports.includes(Number(portOf(url)));
  }

  #note({ reason }: Blocked, address: string, { job }: FetchOptions): void {
    logSecurityEvent(this.#log, {
      event: 'fetch_blocked',
      requestId: job?.id,
      tool: undefined,
      caller: job && { projectId: job.projectId },
      outbound: { host: URL.parse(address)?.host.slice(0, longestHost) ?? '', reason },
    });
  }
}
