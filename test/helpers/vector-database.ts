import { PGlite } from '@electric-sql/pglite';
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { vector } from '@electric-sql/pglite-pgvector';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';

/**
 * A Postgres with pgvector, in WebAssembly: the embedded one has none. All connections share one session, so that a
 * transaction of one keeps the others waiting.
 */
export async function openVectorDatabase() {
  const db = await PGlite.create({ extensions: { btree_gin, pg_trgm, vector } });
  const server = new PGLiteSocketServer({ db, port: 0, maxConnections: 100 });
  await server.start();
  return {
    url: `postgres://postgres:postgres@${server.getServerConn()}/postgres`,
    async drop(): Promise<void> {
      await server.stop();
      await db.close();
    },
  };
}
