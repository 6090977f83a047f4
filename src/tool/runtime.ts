import type { ClientAddress } from '../auth/client-address.ts';
import type { Admission, Start, Visitor } from '../auth/rate-limits.ts';
import type { OpenedToken } from '../auth/session-token.ts';
import type { SpendingLimits } from '../auth/spending-limits.ts';
import type { KeyStatus } from '../store/key-status.ts';
import type { RecordState, WatchedRecord } from '../store/resource-states.ts';
import type { SecretRequest } from '../store/secret-requests.ts';
import type { IdleSession, OpenSessionLimits, SessionStore } from '../store/sessions.ts';
import type { Stores } from '../store/stores.ts';
import type { HeldTask } from '../store/tasks.ts';
import type { AddressedUpload } from '../store/uploads.ts';
import type { Build, Caller, Services } from './context.ts';

export type { KeyStatus, SecretRequest };

/** What an idempotency key has stored. */
export interface StoredResult {
  /** SHA-256 or a keyed digest of the input, as hexadecimal text. */
  readonly inputHash: string;
  readonly value: unknown;
}

/** What an idempotency key counts for: one operation, called with one credential. */
export interface Claim {
  readonly credential: string;
  readonly operation: string;
  readonly key: string;
}

/** Records that `invoke` writes in the transaction of a change. */
export interface Ledger {
  /**
   * Claims an idempotency key for this transaction, after any other transaction that holds it has ended.
   * @returns what the key has stored, or undefined if this transaction now holds the key
   */
  claim(claim: Claim, inputHash: string): Promise<StoredResult | undefined>;
  /** Stores the JSON text of a claimed key's result, which holds no secret. The change fails if this fails. */
  settle(claim: Claim, result: string): void;
  /** Writes the audit row of a change. The change fails if this fails. */
  audit(entry: AuditEntry): void;
}

/** What one change runs on, in its transaction. */
export interface Change {
  readonly stores: Stores;
  readonly ledger: Ledger;
  /** Reads the status of the caller's key, in one write to the database with what else this turn sends. */
  readonly keyStatus: () => Promise<KeyStatus | undefined>;
}

export interface AuditEntry {
  readonly keyId: string;
  readonly operation: string;
  readonly requestId: string;
  /** SHA-256 of the input without its secret, as hexadecimal text. */
  readonly inputHash: string;
  /** SHA-256 of the output, as hexadecimal text. */
  readonly outputHash: string;
  /** What was changed, if it is one resource. */
  readonly resourceId: string | null;
  /** What changed, in words; without secrets. */
  readonly summary: string | null;
}

/** The key of a call, or that of an upload's address. */
type KeyOfCall = Pick<Caller, 'keyId' | 'projectId'>;

/** Everything that the kernel needs from outside; stores are bound to the caller's project. */
export interface Runtime {
  readonly build: Build;
  readonly services: Services;
  /**
   * Counts a call against the rate limits of its key and project, and with a publishable key, of its address; undefined,
   * without a promise, if there are none.
   */
  admit(caller: Caller, client?: ClientAddress): Promise<Admission> | undefined;
  /** Sends the query in this turn of the event loop. Undefined if the key is gone. */
  keyStatus(key: KeyOfCall): Promise<KeyStatus | undefined>;
  /** Stores on read-only sessions; their first point read and the status go out in one statement. */
  read(caller: Caller): { readonly keyStatus: Promise<KeyStatus | undefined>; readonly stores: Stores };
  /** Stores on read-only sessions. */
  stores(caller: Pick<Caller, 'projectId'>): Stores;
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
  /** Sessions of all projects that have been silent for too long. */
  idleSessions(limit: number): Promise<IdleSession[]>;
  /** Ends the sessions of all projects that cannot go on. */
  endLostSessions(): Promise<void>;
  /** Keyed hashes of a text, from which it cannot be guessed: by the current secret key, then by older ones. */
  digests(text: string): readonly [current: string, ...older: string[]];
  /** The request whose address holds the token with this SHA-256, as long as it waits for its secret. */
  findSecretRequest(tokenHash: Buffer): Promise<SecretRequest | undefined>;
  /** Says that the tasks of these keys still run here. Returns the ids of those that may go on. */
  renewTasks(held: readonly HeldTask[]): Promise<string[]>;
  /** The states of records of any projects, in their order. */
  recordStates(records: readonly WatchedRecord[]): Promise<RecordState[]>;
  /** The upload whose address holds the token with this SHA-256. */
  findUpload(tokenHash: Buffer): Promise<AddressedUpload | undefined>;
  /** What an idempotency key has stored. */
  storedResult(caller: Caller, claim: Claim): Promise<StoredResult | undefined>;
  /** Runs reads in one read-only transaction on one snapshot. */
  snapshot<Output>(caller: Caller, work: (stores: Stores) => Promise<Output>): Promise<Output>;
  /**
   * Runs one change in one transaction, and retries it after a deadlock or a serialisation failure. Nothing is committed
   * before `work` resolves, and nothing if it rejects.
   */
  write<Output>(key: KeyOfCall, work: (change: Change) => Promise<Output>): Promise<Output>;
}
