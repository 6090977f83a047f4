/** How fast one host gets requests, whichever source they are for. */
export interface PaceLimits {
  /** Concurrent requests. */
  readonly atOnce: number;
  /** Milliseconds between the starts of two requests. */
  readonly gap: number;
}

export const usualPace: PaceLimits = { atOnce: 2, gap: 100 };

interface Waiting {
  readonly gap: number;
  readonly start: () => void;
}

/** The requests to one host: those that run, and those that wait for a turn, the oldest first. */
interface Host {
  running: number;
  /** By `performance.now()`. */
  lastStart: number;
  readonly waiting: Waiting[];
  timer: NodeJS.Timeout | undefined;
}

/** Spaces the requests to each host, in the order in which they arrive. */
export class Pace {
  readonly #limits: PaceLimits;
  readonly #hosts = new Map<string, Host>();
  /** Milliseconds. A host without requests is forgotten after the longest gap of any request. */
  #longestGap: number;

  constructor(limits: PaceLimits = usualPace) {
    this.#limits = limits;
    this.#longestGap = limits.gap;
  }

  /** How many hosts it remembers. */
  get hosts(): number {
    return this.#hosts.size;
  }

  /**
   * Waits for a turn with a host.
   * @param gap milliseconds since the request before, if the host wants more than the usual gap
   * @returns a function that the caller calls when the request is over
   * @throws the signal's reason
   */
  async turn(name: string, gap: number, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    const host = this.#host(name);
    this.#longestGap = Math.max(this.#longestGap, gap);
    const { promise, resolve: start, reject } = Promise.withResolvers<void>();
    const waiting = { gap: Math.max(gap, this.#limits.gap), start };
    const giveUp = () => {
      const place = host.waiting.indexOf(waiting);
      if (place < 0) return;
      host.waiting.splice(place, 1);
      reject(signal.reason);
      this.#advance(name, host);
    };
    signal.addEventListener('abort', giveUp, { once: true });
    host.waiting.push(waiting);
    this.#advance(name, host);
    await promise.finally(() => signal.removeEventListener('abort', giveUp));
    return () => {
      host.running -= 1;
      this.#advance(name, host);
    };
  }

  #host(name: string): Host {
    const known = this.#hosts.get(name);
    if (known) return known;
    const host: Host = { running: 0, lastStart: -Infinity, waiting: [], timer: undefined };
    this.#hosts.set(name, host);
    return host;
  }

  /** Starts the requests that may start now, and sets a timer for the next one or for forgetting the host. */
  #advance(name: string, host: Host): void {
    clearTimeout(host.timer);
    const since = performance.now() - host.lastStart;
    const [next] = host.waiting;
    if (!next) {
      if (host.running > 0) return;
      host.timer = setTimeout(() => this.#hosts.delete(name), Math.max(this.#longestGap - since, 0)).unref();
      return;
    }
    if (host.running >= this.#limits.atOnce) return;
    if (since < next.gap) {
      host.timer = setTimeout(() => this.#advance(name, host), next.gap - since);
      return;
    }
    host.waiting.shift();
    host.running += 1;
    host.lastStart = performance.now();
    next.start();
    this.#advance(name, host);
  }
}
