/** A value that JSON can hold, as an object. */
export type JsonObject = Record<string, unknown>;

/** An object without some of its members. */
export function without(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

/**
 * Events as they happen, then the operation's value: server-sent events in REST, progress notifications and one
 * result on MCP. `return` is called on the generator when the caller leaves.
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
  /** Bytes, if known in advance. */
  readonly length: number | undefined;
  constructor(contentType: string, body: AsyncIterable<Uint8Array>, length?: number) {
    this.contentType = contentType;
    this.body = body;
    this.length = length;
  }
}

/**
 * An upstream's response, unchanged in REST. For MCP, `interpret` turns the whole body into the operation's value;
 * `events` does so for a response that is a stream of events, and yields each of them.
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

/** Yields the events of an upstream's response, and returns the value that they add up to. */
export type RelayedEvents<Value> = (
  body: AsyncIterable<Uint8Array>,
) => AsyncGenerator<JsonObject, Value, undefined>;

/**
 * A list that is longer than one page. REST sends all of its pages as one list; every other transport sends the first
 * page, which holds the cursor of the next.
 */
export class LongList<Value> {
  readonly first: Value;
  /** The pages that follow. They are read one by one, each when the one before it has been sent. */
  readonly rest: AsyncGenerator<Value, void, undefined>;
  constructor(first: Value, rest: AsyncGenerator<Value, void, undefined>) {
    this.first = first;
    this.rest = rest;
  }
}

/** The kinds of result other than a value. */
export type ResultKind = 'events' | 'bytes' | 'relay';

/** What the handler of an operation with such results may return instead of a value. */
export type SpecialResult<Value, Kind extends ResultKind> =
  | LongList<Value>
  | (Kind extends 'events' ? EventStream<Value> : never)
  | (Kind extends 'bytes' ? Bytes : never)
  | (Kind extends 'relay' ? Relay<Value> : never);

/** A checked value, with its JSON text if the kernel has made it. */
export interface ValueResult {
  readonly kind: 'value';
  readonly value: unknown;
  readonly json?: string;
  /** If the value is the first page of a list: the pages that follow. */
  readonly rest?: AsyncGenerator<unknown, void, undefined>;
}

/** What `invoke` returns to an adapter. Values are checked, also those behind events and relays. */
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
