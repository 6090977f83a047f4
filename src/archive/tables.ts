import type { Knex } from 'knex';
import { secretKeyIdBytes } from '../platform/vault.ts';
import { migrationTables } from '../postgres/migrate.ts';

/** A table, as Postgres describes it. A later migration needs no change here. */
export interface Table {
  readonly name: string;
  /** The columns of an archive: none that is generated, or commented `made anew`. */
  readonly columns: readonly string[];
  /** The encrypted columns: `bytea`, and named `sealed_…`. */
  readonly sealed: readonly string[];
  /** The tables that must be loaded before this one. */
  readonly references: readonly string[];
}

export interface Sequence {
  readonly name: string;
  /** A decimal, which may exceed 2^53. */
  readonly next: string;
}

/**
 * Leaves out references that are checked at the end of the transaction, because they require no order. Also leaves out
 * tables that are derived: triggers fill those commented `made by triggers` during the load, perhaps for another version
 * of Postgres, and workers fill those commented `made anew` later.
 */
const describeTables = `
  select c.relname as name,
    array(
      select attname::text from pg_attribute
      where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = ''
        and col_description(attrelid, attnum) is distinct from 'made anew'
      order by attnum
    ) as columns,
    array(
      select attname::text from pg_attribute
      where attrelid = c.oid and attnum > 0 and not attisdropped
        and atttypid = 'bytea'::regtype and attname like 'sealed\\_%'
      order by attnum
    ) as sealed,
    array(
      select r.relname::text from pg_constraint k join pg_class r on r.oid = k.confrelid
      where k.conrelid = c.oid and k.contype = 'f' and not k.condeferrable and k.confrelid <> c.oid
    ) as "references"
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = current_schema() and c.relkind in ('r', 'p') and not c.relispartition
    and c.relname <> all(:migrationTables)
    and not exists (select from pg_depend where objid = c.oid and deptype = 'e')
    and coalesce(obj_description(c.oid, 'pg_class'), '') not in ('made by triggers', 'made anew')
  order by c.relname`;

/** All sequences except those of extensions and of the migration tables. */
const describeSequences = `
  select c.relname as name, s.seqincrement::text as increment
  from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_sequence s on s.seqrelid = c.oid
  where n.nspname = current_schema()
    and not exists (
      select from pg_depend d join pg_class owner on owner.oid = d.refobjid
      where d.objid = c.oid and (d.deptype = 'e' or owner.relname = any(:migrationTables))
    )
  order by c.relname`;

/**
 * Reads all tables of the schema, in an order in which each follows those that it refers to.
 * @throws Error if references that are not deferrable form a circle
 */
export async function readTables(trx: Knex.Transaction): Promise<Table[]> {
  const { rows } = await trx.raw<{ rows: Table[] }>(describeTables, { migrationTables });
  const ordered: Table[] = [];
  const placed = new Set<string>();
  while (ordered.length < rows.length) {
    const next = rows.find(
      ({ name, references }) => !placed.has(name) && references.every((other) => placed.has(other)),
    );
    if (!next) throw new Error('tables refer to each other in a circle: make one reference deferrable');
    placed.add(next.name);
    ordered.push(next);
  }
  return ordered;
}

export async function readSequences(trx: Knex.Transaction): Promise<Sequence[]> {
  const { rows } = await trx.raw<{ rows: { name: string; increment: string }[] }>(describeSequences, {
    migrationTables,
  });
  const sequences: Sequence[] = [];
  for (const { name, increment } of rows) {
    const { rows: states } = await trx.raw<{ rows: [{ next: string }] }>(
      'select (last_value + case when is_called then ?::bigint else 0 end)::text as next from ??',
      [increment, name],
    );
    sequences.push({ name, next: states[0].next });
  }
  return sequences;
}

/** Selects the start of each encrypted value in trashed rows, which names the secret key. */
export const sealedInTrash = `
  select substr(field.value::bytea, 1, ${secretKeyIdBytes}) as sealed
  from trash,
    json_each(case when json_typeof(rows) = 'object' and rows::text like '%"sealed\\_%' then rows else '{}' end)
      as part,
    json_array_elements(case json_typeof(part.value) when 'array' then part.value else '[]' end) as record,
    json_each_text(case json_typeof(record) when 'object' then record else '{}' end) as field
  where field.key like 'sealed\\_%' and field.value is not null`;

/** The ids of the secret keys that encrypt values in these tables and in the trash. */
export async function readSealedWith(trx: Knex.Transaction, tables: readonly Table[]): Promise<string[]> {
  const ids = new Set<string>();
  const trash = await trx.raw<{ rows: { sealed: Buffer }[] }>(sealedInTrash);
  for (const { sealed } of trash.rows) ids.add(sealed.toString('hex'));
  for (const { name, sealed } of tables)
    for (const column of sealed) {
      const { rows } = await trx.raw<{ rows: { id: string }[] }>(
        `select distinct encode(substr(??, 1, ${secretKeyIdBytes}), 'hex') as id from ?? where ?? is not null`,
        [column, name, column],
      );
      for (const { id } of rows) ids.add(id);
    }
  return [...ids].toSorted();
}

/** The table and its columns, quoted for COPY. */
export function copyTarget({ name, columns }: Pick<Table, 'name' | 'columns'>): {
  table: string;
  columns: string;
} {
  return { table: quote(name), columns: columns.map(quote).join(', ') };
}

/** Quotes an SQL identifier. */
export function quote(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}
