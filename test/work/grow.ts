import type pg from 'pg';

/** What a copy of a row has instead of a value that must be unique, as SQL, by table and column. */
const instead: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  api_keys: {
    hash: `'\\x' || encode(sha256(convert_to(source.position || '-' || copy.number, 'UTF8')), 'hex')`,
  },
  phone_numbers: { number: `'+1' || (2000000000 + copy.number * 10000 + source.position)` },
};

interface Table {
  readonly name: string;
  /** Those with a value of their own, and those of bytes. */
  readonly columns: string;
  readonly bytes: readonly string[];
}

/**
 * Copies each record of a project within it. A copy differs from its original in the ids, which are other ids everywhere, so
 * the references between the records of one copy hold. Triggers do not run. The copies have the numbers from `first` to `last`.
 * @returns the tables of which not one row could be copied
 */
export async function growProject(
  session: pg.Client,
  projectId: string,
  { first, last }: { readonly first: number; readonly last: number },
): Promise<string[]> {
  const { rows: tables } = await session.query<Table>(`
    select c.table_name as name, string_agg(quote_ident(c.column_name), ', ' order by c.ordinal_position) as columns,
      coalesce(json_agg(c.column_name) filter (where c.data_type = 'bytea'), '[]') as bytes
    from information_schema.columns c
    where c.table_schema = 'public' and c.is_generated = 'NEVER' and c.identity_generation is null
      and c.table_name in (select table_name from information_schema.columns where column_name = 'project_id')
      and c.table_name in (select tablename from pg_tables where schemaname = 'public')
    group by c.table_name order by c.table_name`);
  await session.query('set session_replication_role = replica');
  const left: string[] = [];
  for (const { name, columns, bytes } of tables) {
    const others = Object.entries({
      ...Object.fromEntries(bytes.map((column) => [column, `(source.original).${column}`])),
      ...instead[name],
    }).map(([column, value]) => `'${column}', ${value}`);
    // An id has a kind of three letters and 26 digits. The last ten become the number of the copy.
    const { rowCount } = await session.query(
      `with original as materialized (
         select row_number() over () as position, ${name} as original,
           cast(to_jsonb(${name}) - cast($4 as text[]) as text) as value
         from ${name} where project_id = $1)
       insert into ${name} (${columns})
       select ${columns
         .split(', ')
         .map((column) => `copied.${column}`)
         .join(', ')}
       from original source
       cross join generate_series($2::int, $3::int) as copy (number)
       cross join lateral jsonb_populate_record(null::${name},
         cast(regexp_replace(source.value, '(?!' || $1 || ')(c[a-z]{2}[0-9a-v]{16})[0-9a-v]{10}',
           '\\1' || lpad(copy.number::text, 10, '0'), 'g') as jsonb) || jsonb_build_object(${others.join(', ')})) copied
       where source.value !~ '[a-z0-9]{16}0000[0-9]{6}"'
       on conflict do nothing`,
      [projectId, first, last, bytes],
    );
    if (rowCount === 0) left.push(name);
  }
  await session.query('set session_replication_role = origin');
  await session.query('vacuum analyze');
  return left;
}
