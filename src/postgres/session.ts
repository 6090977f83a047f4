import createKnex, { type Knex } from 'knex';
import pg from 'pg';
import { lockSchema, type SchemaLock } from './migrate.ts';
import { asPoolerError } from './pgbouncer.ts';
import { sessionConfig } from './session-config.ts';

/** One connection for a long task. */
export interface Session {
  readonly client: pg.Client;
  /** Prevents migrations until the session ends. Waits for one that runs. */
  lockSchema(mode: SchemaLock): Promise<void>;
  /**
   * Runs `work` in a transaction on this connection, without limits for statements or for waiting between them. If it
   * throws, the transaction rolls back.
   */
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

/** In the transaction and not as the session starts, because a pooler or the role may set limits for sessions. */
const noLimits = `set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0`;

/** @throws if the database rejects the connection */
export async function openSession(connectionString: string, mode: 'read' | 'write'): Promise<Session> {
  const config = sessionConfig(connectionString, mode);
  const client = new pg.Client(config);
  const holder = new pg.Client(config);
  // The running statement reports the error; without a listener, the event would end the process.
  client.on('error', ignore);
  // The work fails, because others may migrate now.
  holder.on('error', () => void client.end());
  await client.connect().catch((error: unknown) => {
    throw asPoolerError(error);
  });
  return {
    client,
    async lockSchema(hold) {
      await holder.connect();
      await lockSchema(holder, hold);
    },
    async transaction(work, settings) {
      let thrown: unknown;
      const withoutLimits = async (trx: Knex.Transaction) => {
        await trx.raw(noLimits);
        return work(trx);
      };
      const keepError = (trx: Knex.Transaction) =>
        withoutLimits(trx).catch((error: unknown) => {
          thrown = error;
          throw error;
        });
      // If the rollback fails too, knex reports only that.
      return knex.transaction(keepError, { ...settings, connection: client }).catch((error: unknown) => {
        throw thrown ?? error;
      });
    },
    async end() {
      await Promise.all([client.end(), holder.end()]);
    },
  };
}

function ignore(): void {}
