import { Agent } from 'undici';
import { type Log, noteSecurityEvent } from '../../log.ts';
import { canonicalUrl } from './canonical-url.ts';
import { Blocked, FetchFailure, unreachable } from './fetch-failure.ts';
import { type FetchLimits, usualFetchLimits } from './fetch-limits.ts';
import { type Answer, exchange } from './fetch-request.ts';
import { Pace } from './pace.ts';
import { openResolver, type Resolve } from './resolver.ts';
import { wallConnector } from './wall-connector.ts';

export interface WallOptions {
  /** `host:port` of PARLEY_FETCH_ALLOW. */
  readonly allow: readonly string[];
  readonly log: Log;
  /** Parley's, which sites are told. */
  readonly version: string;
  readonly limits?: Partial<FetchLimits>;
  readonly resolve?: Resolve;
}

export interface FetchOptions {
  readonly signal: AbortSignal;
  /** Media types, such as `text/html` and `text/*`: an answer that says it is of another is not read. */
  readonly accept?: readonly string[];
  /** Whether a redirect may lead to this URL; left out: wherever the wall lets it. */
  readonly follow?: (url: string) => boolean;
  /** Bytes that are wanted of a page, whatever its length; left out: a page that is too large is refused. */
  readonly enough?: number;
  /** Milliseconds that the host wants between two requests. */
  readonly gap?: number;
  /** For whom, in the log. */
  readonly job?: { readonly id: string; readonly projectId: string };
}

/** A page of status 2xx. */
export interface Fetched {
  /** Where it was in the end, canonical. */
  readonly url: string;
  readonly status: number;
  /** As the site says it. */
  readonly contentType?: string;
  readonly bytes: Uint8Array;
}

/** As Parley names itself to sites, and they it in robots.txt. */
export const productToken = 'Parley';

/** Names make a log no longer than this. */
const longestHost = 300;

/** Opens the wall of a process: two would ask the same host side by side. */
export function openWall(options: WallOptions): Wall {
  return new Wall(options);
}

/** The one way out for an address that somebody gave us. */
export class Wall {
  readonly #limits: FetchLimits;
  readonly #allowed: ReadonlySet<string>;
  readonly #log: Log;
  readonly #userAgent: string;
  readonly #pace: Pace;
  readonly #agent: Agent;

  constructor({ allow, log, version, limits, resolve }: WallOptions) {
    this.#limits = { ...usualFetchLimits, ...limits };
    const { connect: timeout, pace } = this.#limits;
    this.#allowed = new Set(allow);
    this.#log = log;
    this.#userAgent = `${productToken}/${version} (+knowledge)`;
    this.#pace = new Pace(pace);
    this.#agent = new Agent({
      connect: wallConnector({ resolve: resolve ?? openResolver(timeout), allowed: this.#allowed, timeout }),
      allowH2: false,
      keepAliveMaxTimeout: 10_000,
      // Ours are exact, where undici's are up to a second late.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /**
   * Fetches a page when the turn of its host has come, and follows redirects by hand: each is checked anew.
   * @throws FetchFailure, or the signal's reason
   */
  async fetch(address: string, options: FetchOptions): Promise<Fetched> {
    const { signal, follow } = options;
    const budget = { left: this.#limits.whole };
    let at = address;
    try {
      let url = this.#admitted(address);
      for (let hops = 0; hops <= this.#limits.redirects; hops++) {
        const answer = await this.#ask(url, options, budget);
        if ('bytes' in answer) return { url: canonicalUrl(url.href) ?? url.href, ...answer };
        at = URL.parse(answer.location, url.href)?.href ?? answer.location;
        url = this.#admitted(at, url);
        if (follow && !follow(at))
          throw new FetchFailure('The page leads away from the site.', { final: true });
      }
      throw new FetchFailure(`The page redirects more than ${this.#limits.redirects} times.`, {
        final: true,
      });
    } catch (error) {
      if (error instanceof Blocked) this.#note(error, at, options);
      signal.throwIfAborted();
      if (error instanceof FetchFailure) throw error;
      throw new FetchFailure(unreachable, { final: false, cause: error });
    }
  }

  /** Ends every request. */
  close(): Promise<void> {
    return this.#agent.destroy();
  }

  /** What a URL's own text forbids; its host's addresses are checked when they are dialled. */
  #admitted(address: string, from?: URL): URL {
    const url = URL.parse(address);
    if (!url) throw new FetchFailure('The address is not a valid URL.', { final: true });
    const { protocol, hostname } = url;
    if (protocol !== 'http:' && protocol !== 'https:')
      throw new Blocked(`scheme ${protocol.slice(0, 20)}`, 'The address has to begin with http or https.');
    if (url.username !== '' || url.password !== '')
      throw new Blocked('user', 'The address must not name a user or a password.');
    if (from?.protocol === 'https:' && protocol === 'http:')
      throw new Blocked('downgrade', 'The page leads from https to http.');
    const port = url.port || (protocol === 'https:' ? '443' : '80');
    if (!this.#limits.ports.includes(Number(port)) && !this.#allowed.has(`${hostname}:${port}`))
      throw new Blocked(`port ${port}`, `The address has to be on port ${this.#limits.ports.join(' or ')}.`);
    return url;
  }

  async #ask(url: URL, options: FetchOptions, budget: { left: number }): Promise<Answer> {
    const { signal, accept, enough, gap = 0 } = options;
    const release = await this.#pace.turn(url.hostname, gap, signal);
    const started = performance.now();
    try {
      return await exchange(this.#agent, url, {
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

  #note({ reason }: Blocked, address: string, { job }: FetchOptions): void {
    noteSecurityEvent(this.#log, {
      event: 'fetch_blocked',
      requestId: job?.id,
      tool: undefined,
      caller: job && { projectId: job.projectId },
      outbound: { host: URL.parse(address)?.host.slice(0, longestHost) ?? '', reason },
    });
  }
}
