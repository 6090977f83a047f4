import { type Dispatcher, errors, Pool } from 'undici';
import type { Provider } from '../config/models.ts';
import { Breaker, type BreakerLimits, usualBreaker } from './breaker.ts';
import { connectorWithin } from './connector.ts';
import { Exchange, type UpstreamAnswer } from './exchange.ts';
import { connectionFailure, UpstreamFailure } from './failure.ts';

/** How long an upstream may take, in milliseconds, and how often it may fail. */
export interface UpstreamLimits {
  readonly connect: number;
  readonly firstByte: number;
  /** Between two pieces of an answer. A reader who is slow himself is waited for. */
  readonly idle: number;
  readonly breaker: BreakerLimits;
}

export const usualLimits: UpstreamLimits = {
  connect: 3_000,
  firstByte: 60_000,
  idle: 30_000,
  breaker: usualBreaker,
};

/** A request as a provider takes it, without what every one has. */
export interface UpstreamRequest {
  /** Below the provider's address: `/chat/completions`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Dispatcher.DispatchOptions['body'];
}

/** One provider, and how it has been doing. */
export class Upstream {
  readonly #provider: Provider;
  readonly #pool: Pool;
  readonly #path: string;
  readonly #breaker: Breaker;

  constructor(provider: Provider, limits: UpstreamLimits) {
    const { origin, pathname } = new URL(provider.baseUrl);
    this.#provider = provider;
    this.#path = pathname.replace(/\/+$/, '');
    this.#breaker = new Breaker(limits.breaker);
    this.#pool = new Pool(origin, {
      connect: connectorWithin(limits.connect),
      headersTimeout: limits.firstByte,
      bodyTimeout: limits.idle,
    });
  }

  /**
   * Sends a request and lets `take` have the answer; what `take` throws as an UpstreamFailure counts as one. `make` makes
   * it anew each time that it is sent.
   * @throws UpstreamFailure where there is no answer, or none is asked for since too many have failed
   */
  async send<Taken>(
    make: () => UpstreamRequest,
    signal: AbortSignal,
    take: (answer: UpstreamAnswer) => Taken | Promise<Taken>,
  ): Promise<Taken> {
    signal.throwIfAborted();
    const { name } = this.#provider;
    if (!this.#breaker.lets()) throw new UpstreamFailure(`${name} is not asked: it failed too often`);
    try {
      const taken = await take(await this.#answerTo(make, signal));
      this.#breaker.succeeded();
      return taken;
    } catch (error) {
      if (signal.aborted) this.#breaker.abandoned();
      else if (error instanceof UpstreamFailure && error.retryAfter === undefined) this.#breaker.failed();
      // It is there and answers, if not with what was hoped for.
      else this.#breaker.succeeded();
      throw error;
    }
  }

  async #answerTo(make: () => UpstreamRequest, signal: AbortSignal): Promise<UpstreamAnswer> {
    try {
      return await this.#request(make(), signal).catch((error: unknown) => {
        if (signal.aborted || !wasClosedMeanwhile(error)) throw error;
        return this.#request(make(), signal);
      });
    } catch (error) {
      throw signal.aborted ? error : connectionFailure(this.#provider.name, error);
    }
  }

  #request({ path, headers, body }: UpstreamRequest, signal: AbortSignal): Promise<UpstreamAnswer> {
    const { key } = this.#provider;
    const exchange = new Exchange(body, signal);
    this.#pool.dispatch(
      {
        method: 'POST',
        path: this.#path + path,
        headers: key === undefined ? headers : { ...headers, authorization: `Bearer ${key}` },
        body: body ?? null,
      },
      exchange,
    );
    return exchange.answer;
  }

  /** Ends every call. */
  close(): Promise<void> {
    return this.#pool.destroy();
  }
}

/**
 * True where an upstream ended a connection that had served before, without a word: it closes those that were idle for
 * as long as it likes, and our request was on its way by then. A new connection that ends so is a failure.
 */
function wasClosedMeanwhile(error: unknown): boolean {
  return error instanceof errors.SocketError && (error.socket?.bytesRead ?? 0) > 0;
}
