import type { Admission } from '../../operation/context.ts';
import { type Allowance, ToolError } from '../../platform/errors.ts';
import type { Start, Visitor } from '../../resources/sessions/playing/session-runtime.ts';
import type { Counted, SharedCounts } from '../../store/rate-limit-windows.ts';

/** At most `requests` in each window of `seconds`. */
export interface RateLimit {
  readonly requests: number;
  readonly seconds: number;
}

/** The limits that hold; undefined: no limit (`decisions#rate-limits`). */
export interface RateLimitSettings {
  /** Requests with one secret key. */
  readonly secretKey?: RateLimit | undefined;
  /** Requests with one publishable key, which all visitors of a web page share. */
  readonly publishableKey?: RateLimit | undefined;
  /** Requests with all keys of a project. */
  readonly project?: RateLimit | undefined;
  /** Requests of the visitor of one session. */
  readonly session?: RateLimit | undefined;
  /** Starts of the sessions of one web agent. */
  readonly webAgent?: RateLimit | undefined;
  /** Starts of the sessions of a project from one client address. Wider networks of IPv6 have {@link wideShares} of it. */
  readonly address?: RateLimit | undefined;
  /** Drawings of a project that failed. */
  readonly failedDrawings?: RateLimit | undefined;
}

/** The key of a request, as far as limits depend on it. */
export interface LimitedCaller {
  readonly keyId: string;
  readonly projectId: string;
  readonly keyType: 'secret' | 'publishable';
}

/** A replica takes this part of a limit at once, so that most requests need no query. */
const shareOfReplica = 1 / 50;
const maximumRemembered = 10_000;
/** Starts of an address in a window that no limit refuses which other addresses can use up. */
const firstStarts = 10;
/**
 * How much more the first 56 and the first 48 bits of an IPv6 address may do than one address. A line can vary the bits after
 * the first 56, and a site those after the first 48; but a provider may also share 48 bits among many people.
 */
export const wideShares = [
  ['address-56', 2],
  ['address-48', 4],
] as const;

/** One limit that a request counts against. */
type Checked = readonly [policy: string, id: string, limit: RateLimit | undefined];

/** What a replica has taken of a limit for one key or project, in one window. */
interface Share {
  /** Requests that this replica may still admit without a query. */
  own: number;
  /** What no replica has taken yet, when this one last looked. */
  unclaimed: number;
  /** When the window ends, by `performance.now()`. */
  end: number;
  /** The query that takes more. */
  claim: Promise<void> | undefined;
}

/**
 * Rate limits that hold for all replicas together: a replica claims a part of a limit in Postgres and admits requests from
 * it. So a limit is never exceeded, and what replicas have claimed and not used is lost at the end of the window: at most
 * a fiftieth of the limit for each replica (`docs/adr/0010-rate-limits.md`).
 */
export class RateLimits {
  readonly #settings: RateLimitSettings;
  readonly #counts: SharedCounts;
  readonly #shares = new Map<string, Share>();

  constructor(settings: RateLimitSettings, counts: SharedCounts) {
    this.#settings = settings;
    this.#counts = counts;
  }

  /**
   * Counts a request. Undefined, without a promise, if no limit holds for it.
   * @param addresses stand for the address of a visitor, who starts a session with a publishable key, and for its wider networks
   */
  admit(caller: LimitedCaller, addresses: readonly string[] = []): Promise<Admission> | undefined {
    const { publishableKey, secretKey, project } = this.#settings;
    const { keyId, projectId, keyType } = caller;
    const ofKey = keyType === 'publishable' ? publishableKey : secretKey;
    const key = [`${keyType}-key`, keyId, ofKey] as const;
    if (addresses.length > 0)
      return this.#admitStart(projectId, 'made', addresses, key, ['project', projectId, project]);
    return ofKey || project ? this.#admit(projectId, key, ['project', projectId, project]) : undefined;
  }

  /** Counts a request of the visitor of a session. */
  admitVisitor({ projectId, sessionId }: Visitor): Promise<Admission> {
    const { session, project } = this.#settings;
    return this.#admit(projectId, ['session', sessionId, session], ['project', projectId, project]);
  }

  /** Counts the first request of a session. */
  admitStart({ projectId, webAgentId }: Start, addresses: readonly string[]): Promise<Admission> {
    // A telephone number has no limit of its own: its carrier sends the calls.
    if (webAgentId === null) return this.#admit(projectId);
    const ofAgent = ['web-agent', webAgentId, this.#settings.webAgent] as const;
    return addresses.length === 0
      ? this.#admit(projectId, ofAgent)
      : this.#admitStart(projectId, 'begun', addresses, ofAgent);
  }

  /** @throws ToolError `rate_limited` if too many drawings of the project have failed */
  async requireFewFailedDrawings(projectId: string): Promise<void> {
    const limit = this.#settings.failedDrawings;
    if (!limit) return;
    const { taken, remaining } = await this.#counts.look(failedDrawings(projectId, limit));
    if (taken >= limit.requests) throw rateLimited(allowanceOf('failed-drawings', limit, 0, remaining));
  }

  /** Counts a drawing that failed. */
  async countFailedDrawing(projectId: string): Promise<void> {
    const limit = this.#settings.failedDrawings;
    if (limit) await this.#counts.take(failedDrawings(projectId, limit), 1);
  }

  /**
   * Counts a start against the limits of its address and of the networks around it, and if these let it through, against one
   * that many addresses share, and others. The shared one does not refuse the first starts of an address, so a flood from elsewhere does not either.
   */
  async #admitStart(
    projectId: string,
    what: 'made' | 'begun',
    [address, ...wider]: readonly string[],
    shared: Checked,
    ...others: readonly Checked[]
  ): Promise<Admission> {
    const limit = this.#settings.address;
    const widened = wideShares.flatMap(([policy, share], index): Checked[] => {
      const network = wider[index];
      if (!limit || network === undefined) return [];
      return [[policy, `${what} ${network}`, { ...limit, requests: share * limit.requests }]];
    });
    const own = await this.#admit(projectId, ['address', `${what} ${address}`, limit], ...widened);
    if (own.refusal) return own;
    const common = await this.#admit(projectId, shared);
    const started = limit && own.allowances[0] ? limit.requests - own.allowances[0].left : firstStarts + 1;
    const refusal = started > firstStarts ? common.refusal : undefined;
    const rest = refusal ? undefined : await this.#admit(projectId, ...others);
    return {
      allowances: [...own.allowances, ...common.allowances, ...(rest?.allowances ?? [])],
      refusal: refusal ?? rest?.refusal,
    };
  }

  async #admit(projectId: string, ...limits: readonly Checked[]): Promise<Admission> {
    const allowances: Allowance[] = [];
    for (const [policy, id, limit] of limits) {
      if (!limit) continue;
      const { isAdmitted, allowance } = await this.#take({ projectId, policy, id, ...limit });
      allowances.push(allowance);
      if (!isAdmitted) return { allowances, refusal: rateLimited(allowance, allowances) };
    }
    return { allowances, refusal: undefined };
  }

  async #take(counted: Counted & RateLimit): Promise<{ isAdmitted: boolean; allowance: Allowance }> {
    const share = this.#shareOf(counted);
    for (;;) {
      const remaining = share.end - performance.now();
      const isCurrent = remaining > 0;
      const isAdmitted = isCurrent && share.own > 0;
      if (isAdmitted) share.own--;
      if (isAdmitted || (isCurrent && share.unclaimed === 0)) {
        const left = share.own + share.unclaimed;
        return { isAdmitted, allowance: allowanceOf(counted.policy, counted, left, remaining) };
      }
      share.claim ??= this.#claim(share, counted).finally(() => {
        share.claim = undefined;
      });
      await share.claim;
    }
  }

  async #claim(share: Share, counted: Counted & RateLimit): Promise<void> {
    const { requests } = counted;
    const claimed = Math.ceil(requests * shareOfReplica);
    // From before the query, so that this replica never takes the end for later than it is.
    const began = performance.now();
    const { taken, remaining } = await this.#counts.take(counted, claimed);
    share.own = Math.max(0, Math.min(claimed, requests - (taken - claimed)));
    share.unclaimed = Math.max(0, requests - taken);
    share.end = began + remaining;
  }

  #shareOf({ policy, id }: Counted): Share {
    const name = `${policy} ${id}`;
    const known = this.#shares.get(name);
    if (known) return known;
    const [oldest] = this.#shares.size >= maximumRemembered ? this.#shares.keys() : [];
    if (oldest !== undefined) this.#shares.delete(oldest);
    const share = { own: 0, unclaimed: 0, end: 0, claim: undefined };
    this.#shares.set(name, share);
    return share;
  }
}

function failedDrawings(projectId: string, { seconds }: RateLimit): Counted {
  return { projectId, policy: 'failed-drawings', id: projectId, seconds };
}

function allowanceOf(
  policy: string,
  { requests, seconds }: RateLimit,
  left: number,
  remaining: number,
): Allowance {
  return { policy, requests, seconds, left, remaining: Math.max(1, Math.ceil(remaining / 1000)) };
}

function rateLimited(allowance: Allowance, allowances: readonly Allowance[] = [allowance]): ToolError {
  const { policy, requests, seconds, remaining } = allowance;
  return new ToolError(
    'rate_limited',
    `The limit "${policy}" allows ${requests} in ${seconds} s. Try again in ${remaining} s.`,
    {
      details: { policy, limit: requests, window: seconds, retryAfter: remaining },
      hint: `Wait ${remaining} seconds and call again.`,
      retryAfter: remaining,
      allowances,
    },
  );
}
