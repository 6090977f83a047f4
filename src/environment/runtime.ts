import type { Start, Visitor } from '../auth/rate-limits.ts';
import type { OpenedToken } from '../auth/session-token.ts';
import type { SpendingLimits } from '../auth/spending-limits.ts';
import type { RecordState, WatchedRecord } from '../store/resource-states.ts';
import type { SecretRequest } from '../store/secret-requests.ts';
import type { IdleSession, OpenSessionLimits, SessionStore } from '../store/sessions.ts';
import type { HeldTask } from '../store/tasks.ts';
import type { AddressedUpload } from '../store/uploads.ts';
import type { Admission, Caller, ClientAddress } from '../tool/context.ts';
import type { Runtime } from '../tool/runtime.ts';
import type { ParleyEnvironment } from './context.ts';

export type { SecretRequest };

/** Everything that the transports need from outside, besides what the kernel needs. */
export interface ServerRuntime extends Runtime<ParleyEnvironment> {
  /** Counts a request of a visitor against the rate limits of the session and its project. */
  admitVisitor(visitor: Visitor): Promise<Admission>;
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
  /** Checks the token of a session; undefined if this installation did not sign it. */
  openSessionToken(token: string): Promise<OpenedToken | undefined>;
  /** The sessions of a project. Each of its statements is a transaction of its own, so that none is open during a turn. */
  sessions(caller: Pick<Caller, 'projectId'>): SessionStore;
  /** Sessions of all projects that have been silent for too long, and whose calls were stored in one of these formats. */
  idleSessions(formats: readonly string[], limit: number): Promise<IdleSession[]>;
  /** Ends the sessions of all projects that cannot go on. */
  endLostSessions(): Promise<void>;
  /** The request whose address holds the token with this SHA-256, as long as it waits for its secret. */
  findSecretRequest(tokenHash: Buffer): Promise<SecretRequest | undefined>;
  /** Says that the tasks of these keys still run here. Returns the ids of those that may go on. */
  renewTasks(held: readonly HeldTask[]): Promise<string[]>;
  /** The states of records of any projects, in their order. */
  recordStates(records: readonly WatchedRecord[]): Promise<RecordState[]>;
  /** The upload whose address holds the token with this SHA-256. */
  findUpload(tokenHash: Buffer): Promise<AddressedUpload | undefined>;
}
