import { type Dispatcher, errors, Pool } from 'undici';
import type { Provider } from '../../platform/config/models.ts';
import { inSpan, type SpanStart } from '../../platform/tracing/spans.ts';
import { Breaker, type BreakerLimits, usualBreaker } from './breaker.ts';
import { UpstreamCall, type UpstreamResponse } from './upstream-call.ts';
import { connectorWithin } from './upstream-connector.ts';
import { connectionFailure, UpstreamFailure } from './upstream-failure.ts';

/** Time limits of an upstream in milliseconds, and how often it may fail. */
export interface UpstreamLimits {
  readonly connect: number;
  readonly firstByte: number;
  /** Between two pieces of a response. Time that the reader takes does not count. */
  readonly idle: number;
  readonly breaker: BreakerLimits;
}

export const usualLimits: UpstreamLimits = {
  connect: 3_000,
  firstByte: 60_000,
  idle: 30_000,
  breaker: usualBreaker,
};

/** A request to a provider, without the parts that all requests share. */
export interface UpstreamRequest {
  /** Relative to the provider's address: `/chat/completions`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Dispatcher.DispatchOptions['body'];
}

/** `refused`: the provider responded with an error of 4xx. `not_called`: it had failed too often a moment before. */
export type UpstreamOutcome = 'success' | 'refused' | 'failure' | 'cancelled' | 'not_called';

/** Receives the end of each call of a provider. */
export interface UpstreamMetrics {
  callEnds(call: {
    /** Its name in the configuration. */
    readonly provider: string;
    readonly outcome: UpstreamOutcome;
    /** `performance.now()` when the call began. */
    readonly began: number;
  }): void;
}

/** One provider, with its connections and its circuit breaker. */
export class Upstream {
  readonly #provider: Provider;
  readonly #pool: Pool;
  readonly #path: string;
  readonly #breaker: Breaker;
  readonly #metrics: UpstreamMetrics | undefined;
  readonly #span: SpanStart;

  constructor(provider: Provider, limits: UpstreamLimits, metrics: UpstreamMetrics | undefined) {
    this.#metrics = metrics;
    const { origin, pathname } = new URL(provider.baseUrl);
    this.#provider = provider;
    this.#span = {
      name: `POST ${provider.name}`,
      kind: 'client',
      attributes: { 'http.request.method': 'POST', 'server.address': new URL(origin).host },
    };
    this.#path = pathname.replace(/\/+$/, '');
    this.#breaker = new Breaker(limits.breaker);
    this.#pool = new Pool(origin, {
      connect: connectorWithin(limits.connect),
      headersTimeout: limits.firstByte,
      bodyTimeout: limits.idle,
    });
  }

  /**
   * Sends a request and passes the response to `read`. `make` builds the request, once for each attempt.
   * @throws UpstreamFailure if no response arrives, if the circuit breaker is open, or if `read` throws one
   */
  send<Result>(
    make: () => UpstreamRequest,
    signal: AbortSignal,
    read: (response: UpstreamResponse) => Result | Promise<Result>,
  ): Promise<Result> {
    return inSpan(this.#span, () => this.#send(make, signal, read));
  }

  async #send<Result>(
    make: () => UpstreamRequest,
    signal: AbortSignal,
    read: (response: UpstreamResponse) => Result | Promise<Result>,
  ): Promise<Result> {
    signal.throwIfAborted();
    const { name } = this.#provider;
    const began = performance.now();
    const ends = (outcome: UpstreamOutcome) => this.#metrics?.callEnds({ provider: name, outcome, began });
    if (!this.#breaker.allows()) {
      ends('not_called');
      throw new UpstreamFailure(`${name} was not called because it failed too often`);
    }
    try {
      const taken = await read(await this.#respond(make, signal));
      this.#breaker.succeeded();
      ends('success');
      return taken;
    } catch (error) {
      if (signal.aborted) {
        this.#breaker.abandoned();
        ends('cancelled');
      } else if (error instanceof UpstreamFailure && error.retryAfter === undefined) {
        this.#breaker.failed();
        ends('failure');
      } else {
        // It responded, so the provider works.
        this.#breaker.succeeded();
        ends('refused');
      }
      throw error;
    }
  }

  async #respond(make: () => UpstreamRequest, signal: AbortSignal): Promise<UpstreamResponse> {
    try {
      return await this.#request(make(), signal).catch((error: unknown) => {
        if (signal.aborted || !wasClosedMeanwhile(error)) throw error;
        return this.#request(make(), signal);
      });
    } catch (error) {
      throw signal.aborted ? error : connectionFailure(this.#provider.name, error);
    }
  }

  #request({ path, headers, body }: UpstreamRequest, signal: AbortSignal): Promise<UpstreamResponse> {
    const { key } = this.#provider;
    const call = new UpstreamCall(body, signal);
    this.#pool.dispatch(
      {
        method: 'POST',
        path: this.#path + path,
        headers: key === undefined ? headers : { ...headers, authorization: `Bearer ${key}` },
        body: body ?? null,
      },
      call,
    );
    return call.response;
  }

  /** Cancels every call. */
  close(): Promise<void> {
    return this.#pool.destroy();
  }
}

/**
 * Whether the upstream closed a kept connection while our request was on its way. It may close idle connections at any
 * time, so the request is sent again. If a new connection ends this way, it is a failure.
 */
function wasClosedMeanwhile(error: unknown): boolean {
  return error instanceof errors.SocketError && (error.socket?.bytesRead ?? 0) > 0;
}
