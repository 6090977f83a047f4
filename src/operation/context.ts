import type { Allowance, ToolError } from '../platform/errors.ts';
import type { Access, KeyScope, KeyType } from './access.ts';

/** The key of a call. The status of the key and the project is not part of it: that is read with every call. */
export interface Caller {
  readonly keyId: string;
  readonly projectId: string;
  readonly keyType: KeyType;
  readonly scope: KeyScope;
  readonly access: ReadonlySet<Access>;
}

/**
 * Finds the caller of a credential, at once if it is cached.
 * @throws ToolError `unauthorized` for a missing, malformed or unknown key
 */
export type Authenticate = (credential: string | undefined) => Caller | Promise<Caller>;

/** The status of a project, which decides on the operations that its keys may call. */
export type ProjectStatus = 'active' | 'archived' | 'paused';

/** The states of a key and its project, which may change at any time: read with every call, never cached. */
export interface KeyStatus {
  readonly keyStatus: 'active' | 'revoked' | 'expired';
  readonly projectStatus: ProjectStatus;
}

/** The address that a request comes from, and the networks around it that limits count by. */
export interface ClientAddress {
  readonly address: string;
  /** What limits count by: an IPv4 address, or the first 64 bits of an IPv6 address, which one client can vary. */
  readonly network: string;
  /** The first 56 and the first 48 bits of an IPv6 address: what one line, and one site, can vary. None of an IPv4 address. */
  readonly wider: readonly string[];
  /**
   * What spending counts by, the narrowest first: an IPv4 address, and its first 24 and 16 bits; or the first 56, 48 and 32 bits of
   * an IPv6 address. These are about a line, a site and a provider.
   */
  readonly nested: readonly string[];
  /**
   * True if many clients may have this address: it is not one of the internet, and no trusted proxy has named it, so it may be
   * that of a proxy.
   */
  readonly mayBeShared: boolean;
}

/** Whether rate limits let a request go on. */
export interface Admission {
  readonly allowances: readonly Allowance[];
  /** Undefined if the request may go on; else the limits are in it, too. */
  readonly refusal: ToolError | undefined;
}

/** The running build. */
export interface Build {
  readonly version: string;
  readonly gitSha: string;
}

/**
 * What the handlers of one product work with. The kernel passes both on, and knows only `services.turn`: it is generic over
 * them, and a product binds `toolOf` to its own (`src/environment`).
 */
export interface Environment {
  /** The kernel calls `turn` before a piece of synchronous work that may take tens of milliseconds: it waits for the project's turn. */
  readonly services: { turn(caller: Pick<Caller, 'projectId'>): Promise<void> };
  /** Reach the records of the caller's project, and no others. */
  readonly stores: object;
}

/** A text field of a form; several may have one name. */
export type FormField = readonly [name: string, text: string];

/** The context of a handler without authentication. */
export interface OpenContext {
  readonly build: Build;
  /** Aborts when the caller leaves. */
  readonly signal: AbortSignal;
  /** The request's id, as in its response and in the log. */
  readonly requestId: string;
}

/** The context of every other handler. */
export interface ToolContext<E extends Environment = Environment> extends OpenContext {
  readonly caller: Caller;
  /** The origin of the web page that calls (RFC 6454), if a browser names one. */
  readonly origin: string | undefined;
  readonly services: E['services'];
  /** Bound to the caller's project; a handler cannot reach another one. */
  readonly stores: E['stores'];
}

/** The context of a handler with `transaction: 'none'`. */
export interface OutsideContext<E extends Environment = Environment, Found = unknown> extends ToolContext<E> {
  /** The result of the definition's `lookup`. */
  readonly found: Found;
  /** The body as it was sent, the JSON text of the input; undefined on MCP. */
  readonly bytes: Buffer | undefined;
  /** The text fields of the form as they were sent; undefined if the input came as JSON. */
  readonly fields: readonly FormField[] | undefined;
  /** The trace of the call, to pass on to upstreams (W3C Trace Context, `traceparent`). */
  readonly trace: string | undefined;
}

/** The context of a handler with `transaction: 'own'`: it reads at any time and writes at most once. */
export interface OwnTransactionContext<E extends Environment = Environment> extends ToolContext<E> {
  /**
   * Runs `work` in one transaction with the audit row and the idempotency record. The handler has to return its
   * result. Throws at the second call.
   */
  readonly write: <Output>(work: (stores: E['stores']) => Promise<Output>) => Promise<Output>;
}
