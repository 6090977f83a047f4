import type { Knex } from 'knex';
import { hasCode } from './error-code.ts';
import type { LibrarySchema } from './migrate.ts';

/** What a database has for vectors. */
export interface VectorState {
  /** True if their table exists. */
  readonly made: boolean;
  /** The version of pgvector in this database. */
  readonly installed: string | null;
  /** The version of pgvector that this server could install. */
  readonly available: string | null;
}

/** Selects a VectorState. */
export const lookForVectors = `
  select to_regclass('knowledge_embeddings') is not null as made,
    (select extversion from pg_extension where extname = 'vector') as installed,
    (select default_version from pg_available_extensions where name = 'vector') as available`;

/** The first version of pgvector with half precision. */
const oldest = [0, 7] as const;

/**
 * What a database lacks for vectors and how to mend it, or neither. An extension that the next start can create is not
 * lacking.
 */
export function vectorLack({ made, installed, available }: VectorState): { lack?: string; mend?: string } {
  if (made) return {};
  const mend =
    'install pgvector 0.7 or newer on the server (postgresql-18-pgvector, or the image pgvector/pgvector)';
  if (isUsable(installed)) return {};
  if (installed !== null)
    return isUsable(available)
      ? {
          lack: `pgvector ${installed} is too old`,
          mend: 'run "alter extension vector update" in the database',
        }
      : { lack: `pgvector ${installed} is too old`, mend };
  if (available === null) return { lack: 'the server has no pgvector', mend };
  return isUsable(available) ? {} : { lack: `pgvector ${available} is too old`, mend };
}

function isUsable(version: string | null): boolean {
  const [major = 0, minor = 0] = (version ?? '').split('.').map(Number);
  return major > oldest[0] || (major === oldest[0] && minor >= oldest[1]);
}

/**
 * The column has no dimension, because each model has its own index. Vectors are stored in the row itself, where a scan of
 * a whole base is cheapest.
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

/** SQLSTATEs: the files of the extension are missing; the server does not offer it; the role may not create it. */
const [undefinedFile, featureNotSupported, insufficientPrivilege] = ['58P01', '0A000', '42501'];

/** The table of vectors. A server without pgvector goes without it. */
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

/** Why a migrated database has no vectors, in one line. Undefined if it has them. */
export async function whyNoVectors(db: Knex): Promise<string | undefined> {
  const state = await vectorState(db);
  if (state.made) return undefined;
  const {
    lack = "Parley's role may not create the extension vector",
    mend = 'run "create extension vector" in the database as a superuser, and start Parley again',
  } = vectorLack(state);
  return `${lack}: ${mend}`;
}

async function vectorState(db: Knex): Promise<VectorState> {
  const { rows } = await db.raw<{ rows: [VectorState] }>(lookForVectors);
  return rows[0];
}
