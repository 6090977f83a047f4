import type { ProjectStatus } from '../store/projects.ts';
import type { Stores } from '../store/stores.ts';
import type { Build, Caller, Services } from './context.ts';

/** The states that decide whether a call may run at all; read with every call, never cached. */
export interface KeyStatus {
  readonly keyStatus: 'active' | 'revoked';
  readonly projectStatus: ProjectStatus;
}

/** A stored answer, found again by its idempotency key. */
export interface StoredResult {
  readonly inputHash: string;
  readonly answer: unknown;
}

/** What `invoke` writes on its own account, in the transaction of the change. */
export interface Ledger {
  /**
   * Claims an idempotency key for this transaction. A claim of the same key elsewhere is waited for.
   * @returns the answer that is stored already, or undefined where the claim is ours.
   */
  claim(operation: string, key: string, inputHash: string): Promise<StoredResult | undefined>;
  /** Stores the answer of a claimed key, encrypted where it is secret. */
  settle(operation: string, key: string, answer: unknown, secret: boolean): Promise<void>;
  /** Writes the audit row of a change. */
  audit(entry: AuditEntry): Promise<void>;
}

export interface AuditEntry {
  readonly keyId: string;
  readonly operation: string;
  readonly requestId: string;
  /** SHA-256 of the input and of the answer, as hexadecimal text: what was asked and what came of it. */
  readonly inputHash: string;
  readonly outputHash: string;
}

/** What the kernel needs of the world; the stores that it hands out are bound to the caller's project. */
export interface Runtime {
  readonly build: Build;
  readonly services: Services;
  /** Sends the question in this tick. Undefined: the key is gone. */
  keyStatus(caller: Caller): Promise<KeyStatus | undefined>;
  /** Stores over read-only sessions, with the keyStatus asked in the same write to the socket. */
  read(caller: Caller): { readonly keyStatus: Promise<KeyStatus | undefined>; readonly stores: Stores };
  /** Stores over read-only sessions. */
  stores(caller: Caller): Stores;
  /** Hashes of a text that nobody can guess it by, by the current secret key and by older ones that still open. */
  digests(text: string): readonly [current: string, ...older: string[]];
  /** The answer that an idempotency key has stored, if any. */
  storedResult(caller: Caller, operation: string, key: string): Promise<StoredResult | undefined>;
  /** Runs reads in one read-only transaction that sees one moment. */
  snapshot<Output>(caller: Caller, work: (stores: Stores) => Promise<Output>): Promise<Output>;
  /** Runs one change in one transaction, again where Postgres asks for it (deadlock, serialisation). */
  write<Output>(caller: Caller, work: (stores: Stores, ledger: Ledger) => Promise<Output>): Promise<Output>;
}
