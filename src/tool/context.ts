import type { MintedKey } from '../auth/key.ts';
import type { OpenRoom } from '../livekit/rooms.ts';
import type { CompleteChat } from '../models/chat.ts';
import type { ConfirmDisclosure } from '../models/disclosure.ts';
import type { EmbedQuestion } from '../models/embeddings.ts';
import type { Speak } from '../models/speech.ts';
import type { Transcribe } from '../models/transcription.ts';
import type { RenderDiagram } from '../rendering/renderer.ts';
import type { Stores } from '../store/stores.ts';
import type { Use } from '../store/usage.ts';
import type { Access, KeyScope, KeyType } from './access.ts';

/** Whose key a call came with. Never holds the status of the key or project: that is read with each call. */
export interface Caller {
  readonly keyId: string;
  readonly projectId: string;
  readonly keyType: KeyType;
  readonly scope: KeyScope;
  readonly access: ReadonlySet<Access>;
}

/**
 * Whose call a credential stands for, at once where it was seen before.
 * @throws ToolError `unauthorized` for what is no key
 */
export type Authenticate = (credential: string | undefined) => Caller | Promise<Caller>;

/** Which build is running. */
export interface Build {
  readonly version: string;
  readonly gitSha: string;
}

/** What handlers can do besides reading and writing records. */
export interface Services {
  /** Makes a key; its text is in no record and cannot be had again. */
  mintKey(type: KeyType): MintedKey;
  /** Encrypts what a row of the caller's project keeps secret, bound to the row: its table and its id or name. */
  seal(caller: Caller, table: string, id: string, value: string | Uint8Array): Buffer;
  /** The bytes that `seal` made this of. */
  open(caller: Pick<Caller, 'projectId'>, table: string, id: string, sealed: Buffer): Buffer;
  /**
   * Asks a model of each line whether it tells that an AI speaks; undefined where none is configured.
   * Throws ToolError `validation_unavailable` where it does not answer.
   */
  readonly confirmDisclosure: ConfirmDisclosure | undefined;
  /** Makes a room for a web session. Throws ToolError `internal_error` with status 502 where there is no place for one. */
  readonly openRoom: OpenRoom;
  /** Has a model complete a chat. Throws ToolError, 502 where none answers. */
  readonly completeChat: CompleteChat;
  /** Has a model speak. Throws ToolError, 502 where none answers. */
  readonly speak: Speak;
  /** Has a model write down what is said in a recording. Throws ToolError, 502 where none answers. */
  readonly transcribe: Transcribe;
  /** Makes the vector of a question, for passages that say the same in other words; undefined where there can be none. */
  readonly embedQuestion: EmbedQuestion | undefined;
  /** Renders a diagram as SVG or PNG in a worker thread. */
  readonly renderDiagram: RenderDiagram;
  /** Notes what a call of the caller's project used, in memory: it never throws, and a second later it is written. */
  meter(caller: Caller, uses: readonly Use[]): void;
}

/** A text field of a form; several may have one name. */
export type FormField = readonly [name: string, text: string];

/** What a handler of an operation without authentication is given. */
export interface OpenContext {
  readonly build: Build;
  /** Aborts when the caller leaves. */
  readonly signal: AbortSignal;
  /** As every answer names it, and the log. */
  readonly requestId: string;
}

/** What any other handler is given. */
export interface ToolContext extends OpenContext {
  readonly caller: Caller;
  /** The origin of the web page that calls (RFC 6454), where a browser names one. */
  readonly origin: string | undefined;
  readonly services: Services;
  /** Bound to the caller's project; a handler cannot name another one. */
  readonly stores: Stores;
}

/** What a handler with `transaction: 'none'` is given. */
export interface OutsideContext<Found = unknown> extends ToolContext {
  /** What the definition's `lookup` has found. */
  readonly found: Found;
  /** The body as it was sent, which is the input's JSON text; undefined where the call came over MCP. */
  readonly bytes: Buffer | undefined;
  /** The texts of the form as they were sent; undefined where the input came as JSON. */
  readonly fields: readonly FormField[] | undefined;
  /** The trace that the call belongs to, for whom it asks in turn (W3C Trace Context, `traceparent`). */
  readonly trace: string | undefined;
}

/** What a handler with `transaction: 'own'` is given: reads now, and one write when it has what it needs. */
export interface OwnTransactionContext extends ToolContext {
  /**
   * Runs `work` in one transaction with the audit row and the idempotency record. Its result is the
   * operation's answer, which the handler has to return. At most one call.
   */
  readonly write: <Output>(work: (stores: Stores) => Promise<Output>) => Promise<Output>;
}
