import type { Knex } from 'knex';
import { hasCode } from './error-code.ts';
import type { LibrarySchema } from './migrate.ts';

/** What a database says of vectors. */
export interface VectorState {
  /** The table for them is there. */
  readonly made: boolean;
  /** Of pgvector, in this database. */
  readonly installed: string | null;
  /** Of pgvector, on this server. */
  readonly available: string | null;
}

/** The statement that answers a VectorState. */
export const lookForVectors = `
  select to_regclass('knowledge_embeddings') is not null as made,
    (select extversion from pg_extension where extname = 'vector') as installed,
    (select default_version from pg_available_extensions where name = 'vector') as available`;

/** Half precision came with it. */
const oldest = [0, 7] as const;

/**
 * What a database lacks for vectors, and what to do about it; neither where it has what is needed. One that only has
 * to be asked for is no lack before the first start.
 */
export function vectorLack({ made, installed, available }: VectorState): { lack?: string; mend?: string } {
  if (made) return {};
  const mend = 'install pgvector 0.7 or newer there (postgresql-18-pgvector, or the image pgvector/pgvector)';
  if (installed !== null && !isUsable(installed))
    return isUsable(available)
      ? { lack: `pgvector ${installed} is too old`, mend: 'run "alter extension vector update" there' }
      : { lack: `pgvector ${installed} is too old`, mend };
  if (available === null) return { lack: 'the server has no pgvector', mend };
  return isUsable(available) ? {} : { lack: `pgvector ${available} is too old`, mend };
}

function isUsable(version: string | null): boolean {
  const [major = 0, minor = 0] = (version ?? '').split('.').map(Number);
  return major > oldest[0] || (major === oldest[0] && minor >= oldest[1]);
}

/**
 * Vectors have no size here: each model has an index of its own. They stay in their row, where looking at every one of
 * a base costs least.
 */
const tables = `
  create table knowledge_embeddings (
    project_id text collate "C" not null,
    knowledge_base_id text collate "C" not null,
    source_id text collate "C" not null,
    url text collate "C" not null,
    position integer not null,
    model text collate "C" not null,
    embedding halfvec not null,
    primary key (project_id, source_id, url, position),
    constraint knowledge_embeddings_chunk
      foreign key (project_id, source_id, url, position) references knowledge_chunks on delete cascade
  );
  comment on table knowledge_embeddings is 'made anew';
  alter table knowledge_embeddings alter embedding set storage main;
  create index knowledge_embeddings_base on knowledge_embeddings (project_id, knowledge_base_id);
`;

/** SQLSTATEs: its files are not there; who connects may not create it. */
const [undefinedFile, featureNotSupported, insufficientPrivilege] = ['58P01', '0A000', '42501'];

/** The table of vectors, where the server has what it takes; where it has not, that is no error. */
export const vectorSchema: LibrarySchema = {
  async isUpToDate(db) {
    const state = await vectorState(db);
    return state.made || vectorLack(state).lack !== undefined;
  },

  async bringUpToDate(db) {
    try {
      await db.transaction(async (trx) => {
        await trx.raw('create extension if not exists vector');
        await trx.raw(tables);
      });
    } catch (error) {
      if (!hasCode(error, undefinedFile, featureNotSupported, insufficientPrivilege)) throw error;
    }
  },
};

/** Why a database that was brought up to date has no vectors, in one line; undefined where it has. */
export async function whyNoVectors(db: Knex): Promise<string | undefined> {
  const state = await vectorState(db);
  if (state.made) return undefined;
  const {
    lack = 'the role that Parley connects as may not create the extension vector',
    mend = 'run "create extension vector" there as a superuser, and start Parley again',
  } = vectorLack(state);
  return `${lack}: ${mend}`;
}

async function vectorState(db: Knex): Promise<VectorState> {
  const { rows } = await db.raw<{ rows: [VectorState] }>(lookForVectors);
  return rows[0];
}
