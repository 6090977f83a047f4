import createKnex, { type Knex } from 'knex';
import pg from 'pg';
import { sessionConfig } from './pool.ts';

/** One connection for a long task, without limits for statements or idle transactions. */
export interface Session {
  readonly client: pg.Client;
  /** Runs `work` in a transaction on this connection. If it throws, the transaction rolls back. */
  transaction<Result>(
    work: (trx: Knex.Transaction) => Promise<Result>,
    config?: Knex.TransactionConfig,
  ): Promise<Result>;
  /** Closes the connection. A statement that runs fails. */
  end(): Promise<void>;
}

/** Builds queries for the connection of a session. */
const knex = createKnex({
  client: 'pg',
  log: { warn: ignore, error: ignore, deprecate: ignore, debug: ignore },
});

/** @throws if the database rejects the connection */
export async function openSession(connectionString: string, mode: 'read' | 'write'): Promise<Session> {
  const config = sessionConfig(connectionString, mode, 0);
  const client = new pg.Client({ ...config, idle_in_transaction_session_timeout: 0 });
  // The running statement reports the error; without a listener, the event would end the process.
  client.on('error', ignore);
  await client.connect();
  return {
    client,
    async transaction(work, settings) {
      let thrown: unknown;
      const keepError = (trx: Knex.Transaction) =>
        work(trx).catch((error: unknown) => {
          thrown = error;
          throw error;
        });
      // If the rollback fails too, knex reports only that.
      return knex.transaction(keepError, { ...settings, connection: client }).catch((error: unknown) => {
        throw thrown ?? error;
      });
    },
    end: () => client.end(),
  };
}

function ignore(): void {}
