import pg from 'pg';
import { bound, type Prepared, type PreparedReader } from './prepared.ts';
import { sessionConfig } from './session-config.ts';

/** Milliseconds, for the connection and for each statement. */
const patience = 2_000;

/**
 * Reads on a connection of its own, which ends with it.
 * @throws if the database does not respond within two seconds, or rejects the connection or a statement
 */
export async function readBriefly<Result>(
  url: string,
  read: (reader: PreparedReader) => Promise<Result>,
): Promise<Result> {
  const limits = { connectionTimeoutMillis: patience, query_timeout: patience };
  const client = new pg.Client({ ...sessionConfig(url, 'read'), ...limits });
  // The statement reports a lost connection. Without a listener, the event would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await read({
      async query<Row>(prepared: Prepared<Row>, given: readonly (string | Buffer)[]) {
        // Without its name, because a pooler may give the statement to a session that knows another one by it.
        const { text, values } = bound(prepared, given);
        return (await client.query<Row & pg.QueryResultRow>(text, [...values])).rows;
      },
    });
  } finally {
    await client.end();
  }
}
