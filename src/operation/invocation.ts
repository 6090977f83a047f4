import type { Allowance } from '../platform/errors.ts';
import type { Caller, ClientAddress, KeyStatus } from './context.ts';
import type { Tool } from './define.ts';
import type { Naming, RawInput } from './input.ts';
import type { JsonObject } from './result.ts';
import type { Runtime } from './runtime.ts';

/** Waits for a turn of the caller's project (`Services.turn`). */
export type TakeTurn = () => Promise<void>;

/** One call of one operation, as an adapter passes it on. */
export interface Call {
  /** Undefined for operations of access `none` only. */
  readonly caller: Caller | undefined;
  /** The status of the caller's key, if the adapter has read it for this request. */
  readonly keyStatus?: KeyStatus | undefined;
  readonly requestId: string;
  /** Reads the input, after access is granted. Awaits `turn` before it parses a large one. May throw 413. */
  readonly input: (turn: TakeTurn) => RawInput | Promise<RawInput>;
  /** Whose names the issues use for inputs. */
  readonly naming: Naming;
  readonly idempotencyKey: string | undefined;
  /** The origin of the web page that calls (RFC 6454), if a browser names one. */
  readonly origin?: string | undefined;
  /** Where the request comes from, if it came over HTTP. */
  readonly client?: ClientAddress | undefined;
  /** The trace that the call belongs to (W3C Trace Context, `traceparent`). */
  readonly trace?: string | undefined;
  readonly signal: AbortSignal;
  /**
   * Runs once the call is known to be allowed and its input is checked, before anything changes, and returns the input
   * for the handler. If it throws, nothing happens. It does not run for a retry that gets the stored result of its idempotency key.
   */
  readonly beforeChange?: (input: JsonObject) => Promise<JsonObject>;
  /** Is handed the rate limits that the call has passed. */
  readonly noteAllowances?: (allowances: readonly Allowance[]) => void;
}

/** One call whose access and input are checked. */
export interface Invocation {
  readonly runtime: Runtime;
  readonly tool: Tool;
  readonly call: Call;
  readonly caller: Caller;
  readonly raw: RawInput;
  /** The checked input, defaults filled in. */
  readonly input: JsonObject;
  /** The status of the key, if it was requested before the input was read. */
  readonly keyStatus: Promise<KeyStatus | undefined> | undefined;
}
