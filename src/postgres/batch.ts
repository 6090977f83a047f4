import type { Writable } from 'node:stream';
import type pg from 'pg';
import {
  type Binding,
  collectingConnection,
  collectSync,
  type DrivenQuery,
  drivenQuery,
  forgetPrepared,
  rememberPrepared,
} from '../platform/private-members/pg.ts';
import { remembersRefusedNames } from './pgbouncer.ts';
import type { BoundStatement } from './prepared.ts';
import { postgresTypes } from './session-config.ts';

/** A statement that waits to be sent, and where its outcome goes. */
export interface PendingStatement {
  readonly statement: BoundStatement;
  readonly resolve: (result: pg.QueryResult) => void;
  readonly reject: (error: Error) => void;
}

/** Collects the messages that pg's queries write to a connection, without the Sync of each. */
interface Collector {
  readonly collecting: pg.Connection;
  readonly messages: Buffer[];
}

const collectors = new WeakMap<pg.Connection, Collector>();

function collectorOf(connection: pg.Connection): Collector {
  const known = collectors.get(connection);
  if (known) return known;
  const messages: Buffer[] = [];
  const collecting = collectingConnection(
    connection,
    (message) => messages.push(message),
    (binding) => {
      if (!binding.values.some(isLarge)) return false;
      messages.push(...bindMessage(binding));
      return true;
    },
  );
  collectors.set(connection, { collecting, messages });
  return { collecting, messages };
}

/** Bytes from which a value, such as a file, is sent from its own buffer. pg would copy it three times, at once. */
const largeValue = 262_144;

function isLarge(value: unknown): value is Buffer {
  return Buffer.isBuffer(value) && value.length >= largeValue;
}

/** A Bind message (Postgres, Message Formats) in parts. Its results are texts. */
function bindMessage({ statement = '', values, valueMapper }: Binding): Buffer[] {
  const mapped = values.map((value) => valueMapper(value));
  const texts = int16(mapped.length, ...mapped.map((value) => Number(Buffer.isBuffer(value))), mapped.length);
  const parts = mapped.flatMap((value) => {
    if (value === null) return int32(-1);
    const bytes = Buffer.isBuffer(value) ? value : Buffer.from(value);
    return [int32(bytes.length), bytes];
  });
  const all = [Buffer.from(`\0${statement}\0`), texts, ...parts, int16(1, 0)];
  const length = all.reduce((sum, part) => sum + part.length, 4);
  return [Buffer.from('B'), int32(length), ...all];
}

function int16(...numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(2 * numbers.length);
  for (const [index, number] of numbers.entries()) bytes.writeInt16BE(number, 2 * index);
  return bytes;
}

function int32(number: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(number);
  return bytes;
}

/** Writes messages at once, without a copy of large values. */
function writeAll(stream: Writable, messages: readonly Buffer[]): void {
  if (!messages.some(isLarge)) {
    stream.write(Buffer.concat(messages));
    return;
  }
  stream.cork();
  for (const message of messages) stream.write(message);
  stream.uncork();
}

/**
 * Several statements in one write with one Sync at the end: if one of them fails, Postgres skips those that follow, and
 * they fail with the same error. pg's client drives a batch as it drives a single query; each message goes on to the
 * statement whose turn it is.
 */
export class Batch implements pg.Submittable {
  readonly #pending: readonly PendingStatement[];
  readonly #queries: readonly DrivenQuery[];
  readonly #onEnd: (error?: Error) => void;
  /** The statement whose messages arrive. */
  #index = 0;
  #refusal: Error | null = null;

  /**
   * @param pending at least one statement
   * @param onEnd called once every statement has its outcome, with the error if one failed
   */
  constructor(pending: readonly PendingStatement[], onEnd: (error?: Error) => void) {
    this.#pending = pending;
    this.#onEnd = onEnd;
    this.#queries = pending.map((each) => this.#queryOf(each));
  }

  /** pg's client remembers by name and text what the server has prepared. */
  get name(): string | undefined {
    return this.#pending[this.#index]?.statement.name;
  }

  get text(): string | undefined {
    return this.#pending[this.#index]?.statement.text;
  }

  /** @returns why a statement could not be written, for instance because of a value; then nothing is sent */
  submit(connection: pg.Connection): Error | null {
    const { collecting, messages } = collectorOf(connection);
    messages.length = 0;
    for (const query of this.#queries) this.#refusal ??= query.submit(collecting);
    if (this.#refusal) return this.#refusal;
    collectSync(connection, collecting);
    writeAll(connection.stream, messages);
    messages.length = 0;
    return null;
  }

  handleRowDescription(message: unknown): void {
    this.#queries[this.#index]?.handleRowDescription(message);
  }

  handleDataRow(message: unknown): void {
    this.#queries[this.#index]?.handleDataRow(message);
  }

  handleCommandComplete(message: unknown, connection: pg.Connection): void {
    const query = this.#queries[this.#index];
    query?.handleCommandComplete(message, connection);
    query?.handleReadyForQuery(connection);
    this.#index++;
  }

  handleError(error: Error, connection: pg.Connection): void {
    const isRemembered = remembersRefusedNames(connection);
    for (const { statement, reject } of this.#pending.slice(this.#index)) {
      if (statement.name !== undefined) {
        // The server has skipped its Parse, or refused it.
        forgetPrepared(connection, statement.name);
        if (isRemembered) rememberPrepared(connection, statement.name, statement.text);
      }
      reject(error);
    }
    this.#index = this.#pending.length;
    this.#onEnd(error);
  }

  handleReadyForQuery(): void {
    this.#onEnd();
  }

  #queryOf({ statement, resolve, reject }: PendingStatement): DrivenQuery {
    return drivenQuery(statement, postgresTypes, (error, result) => {
      if (!error) return resolve(result);
      this.#refusal ??= error;
      reject(error);
    });
  }
}
