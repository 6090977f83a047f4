/** A value that JSON can hold, as an object. */
export type JsonObject = Record<string, unknown>;

/**
 * Events as they come, then the operation's value: server-sent events in REST, progress notifications and
 * one result in MCP. The generator is returned when the caller leaves.
 */
export class EventStream<Value> {
  readonly events: AsyncGenerator<JsonObject, Value, undefined>;
  constructor(events: AsyncGenerator<JsonObject, Value, undefined>) {
    this.events = events;
  }
}

/** A content type and its bytes: the body in REST; an image, audio or resource block in MCP. */
export class Bytes {
  readonly contentType: string;
  readonly body: AsyncIterable<Uint8Array>;
  /** How many bytes, where that is known before they are there. */
  readonly length: number | undefined;
  constructor(contentType: string, body: AsyncIterable<Uint8Array>, length?: number) {
    this.contentType = contentType;
    this.body = body;
    this.length = length;
  }
}

/**
 * An upstream's answer, untouched in REST. `interpret` makes the operation's value of the whole of it, for
 * transports that carry values; one that comes as events has `events` instead, which tell of each on the way.
 */
export class Relay<Value> {
  readonly contentType: string;
  readonly body: AsyncIterable<Uint8Array> | Uint8Array;
  readonly interpret: (whole: Uint8Array) => Value;
  readonly events: RelayedEvents<Value> | undefined;
  constructor(
    contentType: string,
    body: AsyncIterable<Uint8Array> | Uint8Array,
    interpret: (whole: Uint8Array) => Value,
    events?: RelayedEvents<Value>,
  ) {
    this.contentType = contentType;
    this.body = body;
    this.interpret = interpret;
    this.events = events;
  }
}

/** Reads the events of an upstream's answer, and the value that they add up to. */
export type RelayedEvents<Value> = (
  body: AsyncIterable<Uint8Array>,
) => AsyncGenerator<JsonObject, Value, undefined>;

/** The kinds of result besides a plain value. */
export type ResultKind = 'events' | 'bytes' | 'relay';

/** What a handler of such an operation may return instead of a value. */
export type SpecialResult<Value, Kind extends ResultKind> =
  | (Kind extends 'events' ? EventStream<Value> : never)
  | (Kind extends 'bytes' ? Bytes : never)
  | (Kind extends 'relay' ? Relay<Value> : never);

/** A checked value, with its JSON text where that was made on the way. */
export interface ValueResult {
  readonly kind: 'value';
  readonly value: unknown;
  readonly json?: string;
}

/** What `invoke` hands to an adapter: a checked value, or one of the other kinds as the handler made it. */
export type ToolResult =
  | ValueResult
  | { readonly kind: 'events'; readonly events: AsyncGenerator<JsonObject, unknown, undefined> }
  | {
      readonly kind: 'bytes';
      readonly contentType: string;
      readonly body: AsyncIterable<Uint8Array>;
      readonly length: number | undefined;
    }
  | {
      readonly kind: 'relay';
      readonly contentType: string;
      readonly body: AsyncIterable<Uint8Array> | Uint8Array;
      readonly interpret: (whole: Uint8Array) => unknown;
      readonly events: RelayedEvents<unknown> | undefined;
    };
