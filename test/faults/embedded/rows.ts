import pg from 'pg';
import { openEmbedded } from '../../../src/postgres/embedded/embedded.ts';

/** Returns the names of all flows of a home, read without Parley. Throws if a name is stored twice. */
export async function storedNames(home: string): Promise<Set<string>> {
  const server = await openEmbedded(home, () => undefined);
  const session = new pg.Client({ connectionString: server.url });
  try {
    await session.connect();
    const { rows } = await session.query<{ name: string }>('select name from flows');
    const names = new Set(rows.map(({ name }) => name));
    if (names.size !== rows.length) throw new Error('a flow was stored twice');
    return names;
  } finally {
    await session.end();
    await server.leave();
  }
}
