import type { MintedKey } from '../auth/key.ts';
import type { DrawPicture } from '../drawing/drawer.ts';
import type { ConfirmDisclosure } from '../models/disclosure.ts';
import type { Stores } from '../store/stores.ts';
import type { Access, KeyScope, KeyType } from './access.ts';

/** Whose key a call came with. Never holds the status of the key or project: that is read with each call. */
export interface Caller {
  readonly keyId: string;
  readonly projectId: string;
  readonly keyType: KeyType;
  readonly scope: KeyScope;
  readonly access: ReadonlySet<Access>;
}

/** Which build is running. */
export interface Build {
  readonly version: string;
  readonly gitSha: string;
}

/** What handlers can do besides reading and writing records. */
export interface Services {
  /** Makes a key; its text is in no record and cannot be had again. */
  mintKey(type: KeyType): MintedKey;
  /** Encrypts the value of a secret of the caller's project. */
  sealSecret(caller: Caller, name: string, value: string): Buffer;
  /** Encrypts the reference audio of a voice of the caller's project. */
  sealAudio(caller: Caller, voiceId: string, audio: Uint8Array): Buffer;
  /** The reference audio that `sealAudio` made this of. */
  openAudio(caller: Caller, voiceId: string, sealed: Buffer): Buffer;
  /**
   * Asks a model of each line whether it tells that an AI speaks; undefined where none is configured.
   * Throws ToolError `validation_unavailable` where it does not answer.
   */
  readonly confirmDisclosure: ConfirmDisclosure | undefined;
  /** Draws a design as SVG or PNG, beside the server's own thread. */
  readonly drawPicture: DrawPicture;
}

/** What a handler of an operation without authentication is given. */
export interface OpenContext {
  readonly build: Build;
  /** Aborts when the caller leaves. */
  readonly signal: AbortSignal;
}

/** What any other handler is given. */
export interface ToolContext extends OpenContext {
  readonly caller: Caller;
  readonly services: Services;
  /** Bound to the caller's project; a handler cannot name another one. */
  readonly stores: Stores;
}

/** What a handler with `transaction: 'own'` is given: reads now, and one write when it has what it needs. */
export interface OwnTransactionContext extends ToolContext {
  /**
   * Runs `work` in one transaction with the audit row and the idempotency record. Its result is the
   * operation's answer, which the handler has to return. At most one call.
   */
  readonly write: <Output>(work: (stores: Stores) => Promise<Output>) => Promise<Output>;
}
