import createKnex, { type Knex } from 'knex';
import pg from 'pg';
import { sessionConfig } from './pool.ts';

/** One connection for one long work: no statement is cut, nor is a transaction that waits for its input. */
export interface Session {
  readonly client: pg.Client;
  /** Runs `work` in a transaction on this connection; whatever it throws rolls back. */
  transaction<Result>(
    work: (trx: Knex.Transaction) => Promise<Result>,
    config?: Knex.TransactionConfig,
  ): Promise<Result>;
  /** Closes the connection, in the middle of a statement too, which then fails. */
  end(): Promise<void>;
}

/** Builds queries; the connection is handed to it. */
const knex = createKnex({
  client: 'pg',
  log: { warn: ignore, error: ignore, deprecate: ignore, debug: ignore },
});

/** @throws where the database does not let us in */
export async function openSession(connectionString: string, mode: 'read' | 'write'): Promise<Session> {
  const config = sessionConfig(connectionString, mode, 0);
  const client = new pg.Client({ ...config, idle_in_transaction_session_timeout: 0 });
  // The statement that runs fails as well; without a listener the event would end the process.
  client.on('error', ignore);
  await client.connect();
  return {
    client,
    async transaction(work, settings) {
      let thrown: unknown;
      const noted = (trx: Knex.Transaction) =>
        work(trx).catch((error: unknown) => {
          thrown = error;
          throw error;
        });
      // Where the rollback fails too, knex would tell of that alone.
      return knex.transaction(noted, { ...settings, connection: client }).catch((error: unknown) => {
        throw thrown ?? error;
      });
    },
    end: () => client.end(),
  };
}

function ignore(): void {}
