import type { Knex } from 'knex';
import { runSql } from '../../postgres/sql.ts';
import { configurationText, designText } from '../../store/json-document.ts';

interface VersionRow {
  readonly projectId: string;
  /** Of the flow or conversation. */
  readonly recordId: string;
  readonly number: string;
  readonly document: unknown;
}

/** Versions that a worker reads at once. A document has at most 256 KiB. */
const batch = 20;

interface VersionTable {
  readonly table: string;
  readonly recordId: string;
  readonly number: string;
  readonly document: string;
  readonly textOf: (document: unknown) => string;
}

const tables: readonly VersionTable[] = [
  {
    table: 'flow_versions',
    recordId: 'flow_id',
    number: 'version',
    document: 'flow_schema',
    textOf: configurationText,
  },
  {
    table: 'conversation_versions',
    recordId: 'conversation_id',
    number: 'n',
    document: 'design',
    textOf: designText,
  },
];

/** The locks keep other workers away; `skip locked` keeps this one from waiting for an activation. */
const find = ({ table, recordId, number, document }: VersionTable) => `
  select project_id as "projectId", ${recordId} as "recordId", cast(${number} as text) as number,
    ${document} as document
  from ${table} where search_text is null limit ${batch} for no key update skip locked`;

const write = ({ table, recordId, number }: VersionTable) => `
  update ${table} set search_text = made.words
  from unnest(cast(:projectIds as text[]), cast(:recordIds as text[]), cast(:numbers as bigint[]),
    cast(:texts as text[])) as made (project_id, record_id, number, words)
  where ${table}.project_id = made.project_id and ${recordId} = record_id and ${number} = made.number`;

/**
 * Writes the search texts of some versions that were stored without one (migration 0062). Several workers may do this at
 * once, each for other versions.
 * @returns false if there is no such version that no other transaction holds
 */
export async function writeSearchTexts(knex: Knex): Promise<boolean> {
  let count = 0;
  for (const table of tables)
    await knex.transaction(async (trx) => {
      const rows = await runSql<VersionRow>(trx, find(table));
      if (rows.length === 0) return;
      await runSql(trx, write(table), {
        projectIds: rows.map(({ projectId }) => projectId),
        recordIds: rows.map(({ recordId }) => recordId),
        numbers: rows.map(({ number }) => number),
        texts: rows.map(({ document }) => table.textOf(document)),
      });
      count += rows.length;
    });
  return count > 0;
}
