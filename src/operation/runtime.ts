import type { Admission, Build, Caller, ClientAddress, Environment, KeyStatus } from './context.ts';

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
export interface Change<E extends Environment = Environment> {
  readonly stores: E['stores'];
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
export interface Runtime<E extends Environment = Environment> {
  readonly build: Build;
  readonly services: E['services'];
  /**
   * Counts a call against the rate limits of its key and project, and with a publishable key, of its address; undefined,
   * without a promise, if there are none.
   */
  admit(caller: Caller, client?: ClientAddress): Promise<Admission> | undefined;
  /** Sends the query in this turn of the event loop. Undefined if the key is gone. */
  keyStatus(key: KeyOfCall): Promise<KeyStatus | undefined>;
  /** Stores on read-only sessions; their first point read and the status go out in one statement. */
  read(caller: Caller): { readonly keyStatus: Promise<KeyStatus | undefined>; readonly stores: E['stores'] };
  /** Stores on read-only sessions. */
  stores(caller: Pick<Caller, 'projectId'>): E['stores'];
  /** Keyed hashes of a text, from which it cannot be guessed: by the current secret key, then by older ones. */
  digests(text: string): readonly [current: string, ...older: string[]];
  /** What an idempotency key has stored. */
  storedResult(caller: Caller, claim: Claim): Promise<StoredResult | undefined>;
  /** Runs reads in one read-only transaction on one snapshot. */
  snapshot<Output>(caller: Caller, work: (stores: E['stores']) => Promise<Output>): Promise<Output>;
  /**
   * Runs one change in one transaction, and retries it after a deadlock or a serialisation failure. Nothing is committed
   * before `work` resolves, and nothing if it rejects.
   */
  write<Output>(key: KeyOfCall, work: (change: Change<E>) => Promise<Output>): Promise<Output>;
}
