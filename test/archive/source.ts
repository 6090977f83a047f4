import { writeArchive } from '../../src/archive/write.ts';
import { openSession } from '../../src/postgres/session.ts';
import { cloneDatabase } from '../helpers/database.ts';
import { fillWithAwkwardRows } from './rows.ts';

/** A database with awkward rows, and the bytes of its export. */
export interface Source {
  readonly url: string;
  readonly bytes: Buffer;
  drop(): Promise<void>;
}

export async function openSource(): Promise<Source> {
  const { url, drop } = await cloneDatabase();
  await fillWithAwkwardRows(url);
  const parts: Buffer[] = [];
  const session = await openSession(url, 'read');
  await writeArchive(session, {
    parleyVersion: '0.0.0-test',
    sink: async (bytes) => {
      for await (const part of bytes) parts.push(part);
    },
    report: () => undefined,
  });
  await session.end();
  return { url, bytes: Buffer.concat(parts), drop };
}
