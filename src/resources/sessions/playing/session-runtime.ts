import type { ParleyEnvironment } from '../../../environment/context.ts';
import type { Admission, Caller, ClientAddress } from '../../../operation/context.ts';
import type { Runtime } from '../../../operation/runtime.ts';
import type { SpendingLimits } from '../../usage/spending-limits.ts';
import type { IdleSession, OpenSessionLimits, SessionStore } from '../store.ts';

/** The visitor of a session, as far as limits depend on it. */
export interface Visitor {
  readonly projectId: string;
  readonly sessionId: string;
}

/** The first request of a session. */
export interface Start {
  readonly projectId: string;
  /** Null for a call of a telephone, which counts for no web agent. */
  readonly webAgentId: string | null;
}

/** What the sessions of visitors need from outside. */
export interface SessionRuntime extends Pick<Runtime<ParleyEnvironment>, 'services' | 'stores'> {
  /** The limits on what sessions spend. */
  readonly spending: Pick<SpendingLimits, 'ofSession' | 'isLight' | 'take' | 'add'>;
  /** Counts the first request of a session against the rate limits of its address and web agent. */
  admitStart(start: Start, client: ClientAddress | undefined): Promise<Admission>;
  /** How many sessions can be open at once. */
  readonly openSessions: OpenSessionLimits;
  /** What stands for the address of a visitor in the database, who cannot be found by it, and for its wider networks; empty for an unknown address. */
  addressHashes(visitor: Pick<Caller, 'projectId'>, client: ClientAddress | undefined): readonly string[];
  /** The same of the networks whose spending counts together, the narrowest first; empty if many visitors may have that address. */
  spendingNetworks(visitor: Pick<Caller, 'projectId'>, client: ClientAddress | undefined): readonly string[];
  /** The sessions of a project. Each of its statements is a transaction of its own, so that none is open during a turn. */
  sessions(caller: Pick<Caller, 'projectId'>): SessionStore;
  /** Sessions of all projects that have been silent for too long, and whose calls were stored in one of these formats. */
  idleSessions(formats: readonly string[], limit: number): Promise<IdleSession[]>;
  /** Ends the sessions of all projects that cannot go on. */
  endLostSessions(): Promise<void>;
}
