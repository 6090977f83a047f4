import type { Counted } from '../store/rate-limit-windows.ts';
import type { SharedCounts } from './rate-limits.ts';

/** What sessions spend: turns of visitors, calls and tokens of models, and seconds of speech, heard and spoken. */
export const spendings = ['turns', 'calls', 'tokens', 'speech'] as const;
export type Spending = (typeof spendings)[number];

/** How much of each was spent. */
export type Spent = Readonly<Record<Spending, number>>;

/** How much may be spent at most; undefined: without a limit. */
export type SpendingLimit = Readonly<Partial<Record<Spending, number | undefined>>>;

/** The limits that hold (`decisions#limits-on-spending`). */
export interface SpendingSettings {
  /** For the whole life of a session. */
  readonly session: SpendingLimit;
  /** For all sessions of a project that one client address holds, in each window. */
  readonly address: SpendingLimit;
  /** For all sessions of a web agent, in each window. */
  readonly webAgent: SpendingLimit;
  /** For all sessions of a project, in each window. */
  readonly project: SpendingLimit;
  /** The length of a window. */
  readonly seconds: number;
}

/** A session and its visitor, as far as limits depend on them. */
export interface Spender {
  readonly projectId: string;
  /** Stands for the visitor's address; undefined if it does not count, because many visitors may have it. */
  readonly address: string | undefined;
  readonly webAgentId: string | null;
}

/** A limit that is used up. */
export interface UsedLimit {
  readonly scope: 'session' | 'address' | 'webAgent' | 'project';
  readonly spending: Spending;
  readonly most: number;
}

/**
 * A replica claims this part of a limit at once, so that most turns need no query. It lends each client address the first
 * part without a claim, so that most visitors need none at all.
 */
const shareOfReplica = 1 / 50;
const maximumRemembered = 10_000;
/** The part of its session's limit up to which a session goes on although its web agent or project has reached a limit. */
const lightShare = 1 / 10;

/** What a replica may still spend of a limit in one window, without a query. */
interface Share {
  /** Negative if more was spent than claimed: the next claim pays for it. */
  own: number;
  /** The part of it that the next claim counts, because it was lent before there was one. */
  lent: number;
  /** What no replica had claimed when this one last looked. */
  unclaimed: number;
  /** When the window ends, by `performance.now()`. */
  end: number;
  claim: Promise<void> | undefined;
}

/** One limit of an address, a web agent or a project, and this replica's share. */
interface Checked {
  readonly limit: UsedLimit;
  readonly counted: Counted;
  readonly share: Share;
  readonly amount: number;
}

/**
 * Limits on what sessions spend. Those of addresses, web agents and projects hold for all replicas together, because a replica claims
 * parts of them in Postgres, as {@link RateLimits} does. What a session has spent is in its row.
 */
export class SpendingLimits {
  readonly #settings: SpendingSettings;
  readonly #counts: SharedCounts;
  readonly #shares = new Map<string, Share>();
  /** A map of their own, so that a crowd of addresses displaces no web agent. */
  readonly #sharesOfAddresses = new Map<string, Share>();

  constructor(settings: SpendingSettings, counts: SharedCounts) {
    this.#settings = settings;
    this.#counts = counts;
  }

  /** The limit of a session that is used up. */
  ofSession(spent: Spent): UsedLimit | undefined {
    const { session } = this.#settings;
    for (const spending of spendings) {
      const most = session[spending];
      if (most !== undefined && spent[spending] >= most) return { scope: 'session', spending, most };
    }
    return undefined;
  }

  /** False for a session that has spent so much that it ends if its web agent or project has reached a limit. */
  isLight(spent: Spent): boolean {
    const { session } = this.#settings;
    return spendings.every((spending) => spent[spending] <= (session[spending] ?? Infinity) * lightShare);
  }

  /**
   * Spends these amounts of the limits of an address, a web agent and its project, if each limit that is named has something left. An
   * amount of 0 only looks.
   * @returns the limit that is used up; nothing is spent then
   */
  async take(spender: Spender, amounts: Partial<Spent>): Promise<UsedLimit | undefined> {
    const checked = this.#checked(spender, amounts);
    for (;;) {
      const now = performance.now();
      for (const { limit, share } of checked)
        if (limit.scope === 'address' && share.end <= now) this.#lend(share, limit.most, now);
      const unclaimed = checked.find(
        ({ share }) => share.end <= now || (share.own <= 0 && share.unclaimed > 0),
      );
      if (unclaimed) {
        const { share } = unclaimed;
        share.claim ??= this.#claim(unclaimed).finally(() => {
          share.claim = undefined;
        });
        await share.claim;
        continue;
      }
      const used = checked.find(({ share }) => share.own <= 0);
      if (used) return used.limit;
      for (const { share, amount } of checked) share.own -= amount;
      return undefined;
    }
  }

  /** Counts what was spent after all, whether there was enough or not. */
  add(spender: Spender, amounts: Partial<Spent>): void {
    for (const { share, amount } of this.#checked(spender, amounts)) share.own -= amount;
  }

  #checked({ projectId, address, webAgentId }: Spender, amounts: Partial<Spent>): Checked[] {
    const { address: ofAddress, webAgent, project, seconds } = this.#settings;
    const scopes = [
      ...(address === undefined ? [] : [['address', address, ofAddress] as const]),
      ...(webAgentId === null ? [] : [['webAgent', webAgentId, webAgent] as const]),
      ['project', projectId, project] as const,
    ];
    return scopes.flatMap(([scope, id, limits]) =>
      spendings.flatMap((spending): Checked[] => {
        const [most, amount] = [limits[spending], amounts[spending]];
        if (most === undefined || amount === undefined) return [];
        const counted = { projectId, policy: `spending-${scope}-${spending}`, id, seconds };
        const shares = scope === 'address' ? this.#sharesOfAddresses : this.#shares;
        return [{ limit: { scope, spending, most }, counted, share: shareIn(shares, counted), amount }];
      }),
    );
  }

  #lend(share: Share, most: number, now: number): void {
    share.own = share.lent = Math.ceil(most * shareOfReplica);
    share.unclaimed = most;
    share.end = now + 1_000 * this.#settings.seconds;
  }

  async #claim({ share, counted, limit: { most } }: Checked): Promise<void> {
    const began = performance.now();
    const { lent } = share;
    const owed = share.end > began ? Math.max(0, -share.own) + lent : 0;
    const claimed = Math.ceil(most * shareOfReplica + owed);
    const { taken, remaining } = await this.#counts.take(counted, claimed);
    const isSameWindow = share.end > performance.now();
    const granted = Math.min(claimed, Math.max(0, most - (taken - claimed)));
    share.own = granted + (isSameWindow ? share.own - lent : 0);
    share.lent = 0;
    share.unclaimed = Math.max(0, most - taken);
    share.end = began + remaining;
  }
}

function shareIn(shares: Map<string, Share>, { policy, id }: Counted): Share {
  const name = `${policy} ${id}`;
  const known = shares.get(name);
  if (known) return known;
  const [oldest] = shares.size >= maximumRemembered ? shares.keys() : [];
  if (oldest !== undefined) shares.delete(oldest);
  const share = { own: 0, lent: 0, unclaimed: 0, end: 0, claim: undefined };
  shares.set(name, share);
  return share;
}
