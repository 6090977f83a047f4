import { PGlite } from '@electric-sql/pglite';
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { vector } from '@electric-sql/pglite-pgvector';
import { serveOneSession } from './one-session-server.ts';

/** Starts a Postgres with pgvector in WebAssembly, because the embedded Postgres does not have pgvector. */
export async function openVectorDatabase() {
  const db = await PGlite.create({ extensions: { btree_gin, pg_trgm, vector } });
  // The server ignores startup parameters.
  await db.exec(`set timezone = 'UTC'; set statement_timeout = '15s'; set lock_timeout = '10s';
    set idle_in_transaction_session_timeout = '20s'`);
  const server = await serveOneSession(db);
  return {
    url: server.url,
    async drop(): Promise<void> {
      server.close();
      await db.close();
    },
  };
}
