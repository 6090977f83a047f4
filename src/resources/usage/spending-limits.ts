import type { Counted, SharedCounts } from '../../store/rate-limit-windows.ts';

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
  /** For all sessions of a project that one client address holds, in each window. Wider networks have {@link networkShares} of it. */
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
  /** Stand for the visitor's address and wider networks, the narrowest first; empty if many visitors may have that address. */
  readonly networks: readonly string[];
  readonly webAgentId: string | null;
}

/** A limit that is used up. */
export interface UsedLimit {
  readonly scope: 'session' | 'address' | 'network' | 'webAgent' | 'project';
  readonly spending: Spending;
  readonly most: number;
}

/**
 * How many times the limit of an address its networks may spend: the address itself, its site and its provider. A site may be a
 * university, and a provider may have half of the visitors, so these may spend more, and are only put on the rule.
 */
const networkShares = [1, 2, 4];
/**
 * A replica claims this part of a limit at once, so that most turns need no query. It lends each network of a client the first
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

/** One limit of a network, a web agent or a project, and this replica's share. */
interface Checked {
  readonly limit: UsedLimit;
  /** It is one of the client, and not one that all visitors share. */
  readonly isOfClient: boolean;
  readonly counted: Counted;
  readonly share: Share;
  readonly amount: number;
}

/**
 * Limits on what sessions spend. Those of networks, web agents and projects hold for all replicas together, because a replica claims
 * parts of them in Postgres, as {@link RateLimits} does. What a session has spent is in its row.
 */
export class SpendingLimits {
  readonly #settings: SpendingSettings;
  readonly #counts: SharedCounts;
  /** A map for each scope, so that a crowd of addresses displaces no web agent. */
  readonly #shares = {
    address: new Map<string, Share>(),
    network: new Map<string, Share>(),
    webAgent: new Map<string, Share>(),
    project: new Map<string, Share>(),
  };

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
   * Spends these amounts of the limits of a client's networks, a web agent and its project, if each limit that is named has something
   * left, and each network less than its part of what others leave. An amount of 0 only looks.
   * @returns the limit that is used up; nothing is spent then
   */
  async take(spender: Spender, amounts: Partial<Spent>): Promise<UsedLimit | undefined> {
    const checked = this.#checked(spender, amounts);
    for (;;) {
      const now = performance.now();
      for (const { limit, isOfClient, share } of checked)
        if (isOfClient && share.end <= now) this.#lend(share, limit.most, now);
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
      const used = checked.find(({ share }) => share.own <= 0)?.limit ?? beyondPart(checked);
      if (used) return used;
      for (const { share, amount } of checked) share.own -= amount;
      return undefined;
    }
  }

  /** Counts what was spent after all, whether there was enough or not. */
  add(spender: Spender, amounts: Partial<Spent>): void {
    for (const { share, amount } of this.#checked(spender, amounts)) share.own -= amount;
  }

  #checked({ projectId, networks, webAgentId }: Spender, amounts: Partial<Spent>): Checked[] {
    const { address, webAgent, project, seconds } = this.#settings;
    const ofClient = networks.map(
      (id, index) => [index === 0 ? 'address' : 'network', id, address, networkShares[index] ?? 1] as const,
    );
    const scopes = [
      ...ofClient,
      ...(webAgentId === null ? [] : [['webAgent', webAgentId, webAgent, 1] as const]),
      ['project', projectId, project, 1] as const,
    ];
    return scopes.flatMap(([scope, id, limits, times]) =>
      spendings.flatMap((spending): Checked[] => {
        const [single, amount] = [limits[spending], amounts[spending]];
        if (single === undefined || amount === undefined) return [];
        const counted = { projectId, policy: `spending-${scope}-${spending}`, id, seconds };
        const isOfClient = scope === 'address' || scope === 'network';
        const limit = { scope, spending, most: times * single };
        return [{ limit, isOfClient, counted, share: shareIn(this.#shares[scope], counted), amount }];
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

/**
 * The limit of a network that has had its part of what all others have left of its web agent and project. So however many networks
 * spend their parts, something is left for the next one.
 */
function beyondPart(checked: readonly Checked[]): UsedLimit | undefined {
  for (const one of checked) {
    if (!one.isOfClient) continue;
    const { spending, most } = one.limit;
    const left = checked
      .filter(({ limit, isOfClient }) => !isOfClient && limit.spending === spending)
      .map((shared) => 1 - (spentOf(shared) - spentOf(one)) / shared.limit.most);
    const part = Math.max(0, Math.ceil(most * Math.min(1, ...left)));
    if (spentOf(one) >= part) return { scope: 'network', spending, most: part };
  }
  return undefined;
}

/** What was spent of a limit when this replica last looked, and by itself since. What other replicas have claimed counts. */
function spentOf({ share, limit }: Checked): number {
  return limit.most - share.unclaimed + share.lent - share.own;
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
