import type { Agent } from 'undici';
import { Blocked, FetchFailure, unreachable } from '../../../platform/outbound/fetch-failure.ts';
import { Gate, type GateOptions, type RequestPurpose } from '../../../platform/outbound/gate.ts';
import { canonicalUrl } from './canonical-url.ts';
import { type FetchLimits, usualFetchLimits } from './fetch-limits.ts';
import { type FetchResponse, sendRequest } from './fetch-request.ts';
import { Pace } from './pace.ts';

export interface WallOptions extends Omit<GateOptions, 'ports' | 'connectWithin'> {
  /** Parley's version, for the User-Agent. */
  readonly version: string;
  readonly limits?: Partial<FetchLimits>;
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
  readonly job?: RequestPurpose;
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

/** Opens the wall. A process needs exactly one, because each wall paces its requests on its own. */
export function openWall(options: WallOptions): Wall {
  return new Wall(options);
}

/** Fetches pages at addresses from users. */
export class Wall {
  readonly #limits: FetchLimits;
  readonly #gate: Gate;
  readonly #userAgent: string;
  readonly #pace: Pace;
  readonly #agent: Agent;

  constructor({ version, limits, ...gate }: WallOptions) {
    this.#limits = { ...usualFetchLimits, ...limits };
    const { connect: connectWithin, pace, ports } = this.#limits;
    this.#gate = new Gate({ ...gate, ports, connectWithin });
    this.#userAgent = `${productToken}/${version} (+knowledge)`;
    this.#pace = new Pace(pace);
    this.#agent = this.#gate.openAgent();
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
      let url = this.#gate.admit(address);
      for (let hops = 0; hops <= this.#limits.redirects; hops++) {
        const response = await this.#request(url, options, budget);
        if ('bytes' in response) return { url: canonicalUrl(url.href) ?? url.href, ...response };
        at = URL.parse(response.location, url.href)?.href ?? response.location;
        url = this.#gate.admit(at, url);
        if (follow && !follow(at))
          throw new FetchFailure('The page redirects to another site.', { final: true });
      }
      throw new FetchFailure(`The page redirects more than ${this.#limits.redirects} times.`, {
        final: true,
      });
    } catch (error) {
      if (error instanceof Blocked) this.#gate.note(error, at, options.job);
      signal.throwIfAborted();
      if (error instanceof Blocked && at === address) throw this.#gate.explained(error, address);
      if (error instanceof FetchFailure) throw error;
      throw new FetchFailure(unreachable, { final: false, cause: error });
    }
  }

  /** Ends every request. */
  close(): Promise<void> {
    return this.#agent.destroy();
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
}
