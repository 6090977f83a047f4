import pg from 'pg';

/*
 * Members of pg 8.23.1 that its types or its documentation lack. pg is pinned; `test/platform/private-members.test.ts` fails
 * with another version until somebody has compared this file with it.
 */

/**
 * True while a statement of the client waits for its result (`Client.readyForQuery`).
 * Why: pg's own limit on time takes a timer for each statement. Test: test/platform/private-members.test.ts.
 */
export function isWaiting(client: pg.Client): boolean {
  return !(client as pg.Client & { readonly readyForQuery: boolean }).readyForQuery;
}

/**
 * The id of the process that the handshake named (`Client.processID`).
 * Why: behind a pooler, it is not the process that runs the statements. Test: test/platform/private-members.test.ts.
 */
export function handshakeProcess(client: pg.Client): number | undefined {
  return (client as pg.Client & { readonly processID?: number }).processID;
}

/** pg's query with the members by which its client drives it. */
export interface DrivenQuery extends Omit<pg.Query, 'submit'> {
  submit(connection: pg.Connection): Error | null;
  handleRowDescription(message: unknown): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: pg.Connection): void;
  handleReadyForQuery(connection: pg.Connection): void;
}

/**
 * A query that somebody else than pg's client drives (`Query.submit`, `Query.handle…`, `Query._result`, `Query.queryMode`).
 * Why: pg sends each query with a Sync of its own, and a transaction would take a round trip for each statement.
 * Test: test/platform/private-members.test.ts.
 * @param types how values are read; pg would clone them for each query, descriptor by descriptor
 */
export function drivenQuery(
  { name, text, values }: { name: string | undefined; text: string; values: readonly unknown[] },
  types: pg.CustomTypesConfig,
  done: (error: Error | undefined, result: pg.QueryResult) => void,
): DrivenQuery {
  const query = new pg.Query(text, [...values], done);
  // Without a name or values, pg would send it as a simple query, which is a Sync of its own.
  const driven = Object.assign(query, { name, queryMode: 'extended' }) as unknown as DrivenQuery & {
    readonly _result: { _types: pg.CustomTypesConfig };
  };
  // oxlint-disable-next-line no-underscore-dangle -- pg has no other way
  driven._result._types = types;
  return driven;
}

interface PreparingConnection extends pg.Connection {
  readonly submittedNamedStatements: Record<string, string>;
  readonly parsedStatements: Record<string, string>;
}

/**
 * Tells pg that the server has not parsed a statement (`Connection.submittedNamedStatements`).
 * Why: after an error the server skips the statements behind it, and pg would not send their text again.
 * Test: test/platform/private-members.test.ts.
 */
export function forgetPrepared(connection: pg.Connection, name: string): void {
  delete (connection as PreparingConnection).submittedNamedStatements[name];
}

/**
 * Tells pg that the server knows a statement (`Connection.parsedStatements`).
 * Why: a pooler remembers a name although Postgres has skipped it. Test: test/postgres/pgbouncer.slow.test.ts.
 */
export function rememberPrepared(connection: pg.Connection, name: string, text: string): void {
  (connection as PreparingConnection).parsedStatements[name] = text;
}

/** What pg's queries pass to a connection for a Bind message. */
export interface Binding extends pg.BindConfig {
  readonly values: string[];
  readonly valueMapper: (value: unknown) => string | Buffer | null;
}

/**
 * A connection on which pg's queries write to `write`, without a Sync (`Connection.stream`, `Connection.sync`,
 * `Connection.bind`).
 * Why: the messages of several queries then go out in one write. Test: test/postgres/transaction.test.ts.
 * @param bind takes a Bind message for itself, or returns false to leave it to pg
 */
export function collectingConnection(
  connection: pg.Connection,
  write: (message: Buffer) => void,
  bind: (binding: Binding) => boolean,
): pg.Connection {
  const collecting: pg.Connection = Object.assign(Object.create(connection) as pg.Connection, {
    stream: { writable: true, write },
    sync: () => undefined,
    bind(binding: Binding) {
      if (!bind(binding)) connection.bind.call(collecting, binding as pg.BindConfig, false);
    },
  });
  return collecting;
}

/**
 * Writes one Sync to a connection that collects (`Connection.sync`).
 * Why: Postgres then takes all the queries as one. Test: test/postgres/transaction.test.ts.
 */
export function collectSync(connection: pg.Connection, collecting: pg.Connection): void {
  connection.sync.call(collecting);
}
