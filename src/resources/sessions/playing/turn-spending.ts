import type { Spender, Spent, UsedLimit } from '../../usage/spending-limits.ts';
import type { LeasedSession, SessionSpending } from '../store.ts';
import type { SessionRuntime } from './session-runtime.ts';

/** What a turn has spent so far. */
export type TurnSpent = { -readonly [Kind in keyof SessionSpending]: SessionSpending[Kind] };

const owners: Readonly<Record<UsedLimit['scope'], string>> = {
  session: 'session',
  address: 'client address',
  network: 'network of the client',
  webAgent: 'web agent',
  project: 'project',
};
const units: Readonly<Record<UsedLimit['spending'], string>> = {
  turns: 'turns',
  calls: 'calls of models',
  tokens: 'tokens of models',
  speech: 'seconds of speech',
};

/** What one turn may spend, by the limits of its session, its visitor's networks, its web agent and its project, and what it has spent. */
export class TurnSpending {
  readonly #limits: SessionRuntime['spending'];
  readonly #spender: Spender;
  readonly #session: LeasedSession;
  readonly #spent: TurnSpent;
  #reached: UsedLimit | undefined;

  /** `spent` is added to, so that a turn that fails counts, too. */
  constructor(
    limits: SessionRuntime['spending'],
    spender: Spender,
    session: LeasedSession,
    spent: TurnSpent,
  ) {
    this.#limits = limits;
    this.#spender = spender;
    this.#session = session;
    this.#spent = spent;
  }

  /** The limit that was reached. */
  get reached(): UsedLimit | undefined {
    return this.#reached;
  }

  /** That limit, for the record of the session. */
  get note(): string | undefined {
    if (!this.#reached) return undefined;
    const { scope, spending, most } = this.#reached;
    return `The ${owners[scope]} has reached its limit of ${most} ${units[spending]}.`;
  }

  /**
   * Counts a turn of the visitor.
   * @returns false if the session has to end: it or its visitor's address has reached a limit, or a wider network, its web agent or
   * project has and the session cannot go on by rule, because it is long or the turn cannot be heard
   */
  async begin(isRecorded: boolean): Promise<boolean> {
    const spent = this.#inAll();
    this.#reached =
      this.#limits.ofSession(spent) ??
      (isRecorded ? await this.#limits.take(this.#spender, { speech: 0 }) : undefined);
    if (this.#reached) return false;
    this.#reached = await this.#limits.take(this.#spender, { turns: 1, calls: 0, tokens: 0 });
    return this.#reached === undefined || (this.#reached.scope !== 'address' && this.#limits.isLight(spent));
  }

  /** True if the model may be asked, which counts as a call; else the rule has to read. */
  async takeCall(): Promise<boolean> {
    const { calls, tokens } = this.#inAll();
    this.#reached ??= this.#limits.ofSession({ turns: 0, calls, tokens, speech: 0 });
    this.#reached ??= await this.#limits.take(this.#spender, { calls: 1, tokens: 0 });
    if (this.#reached) return false;
    this.#spent.calls += 1;
    return true;
  }

  /** Counts what was spent. */
  add(amounts: Partial<SessionSpending>): void {
    this.#limits.add(this.#spender, amounts);
    this.#spent.calls += amounts.calls ?? 0;
    this.#spent.tokens += amounts.tokens ?? 0;
    this.#spent.speech += amounts.speech ?? 0;
  }

  /** Counts a line that will be spoken, for the session: the others count it when it is spoken. */
  addLine(seconds: number): void {
    this.#spent.speech += seconds;
  }

  #inAll(): Spent {
    const { turns, spent } = this.#session;
    const { calls, tokens, speech } = this.#spent;
    return {
      turns,
      calls: spent.calls + calls,
      tokens: spent.tokens + tokens,
      speech: spent.speech + speech,
    };
  }
}
