import type pg from 'pg';

/** What a copy of a row has instead of a value that must be unique or is long, as SQL, by table and column. */
const instead: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  api_keys: { hash: `sha256(convert_to(source.id || copy.digits, 'UTF8'))` },
  knowledge_files: { sealed_content: `'\\x'` },
  phone_numbers: { number: `'+1' || nextval('copied_numbers')` },
  trash: { sealed_content: 'null' },
  secrets: { name: 'source.name || copy.digits' },
  usage_events: { occurred_at: `source.occurred_at - copy.number * interval '1 day'` },
  usage_sums: { start: `source.start - copy.number * interval '1 day'` },
  voice_references: { sealed_audio: `'\\x'` },
};

/** The plans of the product allow a thousand of these. */
const limited: Readonly<Record<string, number>> = { voices: 900, voice_references: 900 };

/** No example leaves records in these: they serve what a call has to repeat, to receive or to remove. */
const withoutRecords = new Set([
  'calendar_holds',
  'conversation_integrations',
  'conversation_knowledge_bases',
  'idempotency_keys',
  'knowledge_removals',
  'oauth_records',
  'rate_limit_windows',
  'secret_requests',
  'tasks',
  'upload_pieces',
  'uploads',
  'voice_calls',
]);

/** An id has a kind of three letters and 26 digits. The last ten become the number of the copy. */
const ids = '(c[a-z]{2}[0-9a-v]{16})[0-9a-v]{10}';
/** Stands for the number of the copy. */
const blank = '~~~~~~~~~~';

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
}

/**
 * Copies records of a project within it, until each table has at least `records` of them. A copy differs from its original
 * in the ids, which are other ids everywhere, so the references between the records of one copy hold. Triggers do not run.
 * @throws if a table has no record to copy that should have one
 */
export async function growProject(session: pg.Client, projectId: string, records: number): Promise<void> {
  const { rows: columns } = await session.query<Column>(`
    select table_name as table, quote_ident(column_name) as name, format_type(atttypid, atttypmod) as type
    from information_schema.columns
    join pg_tables on schemaname = table_schema and tablename = table_name
    join pg_attribute on attrelid = cast(table_name as regclass) and attname = column_name
    where table_schema = 'public' and is_generated = 'NEVER' and identity_generation is null
    order by table_name, ordinal_position`);
  await session.query(`create temporary sequence if not exists copied_numbers start 2000000000`);
  await session.query('set session_replication_role = replica');
  for (const [table, ofTable] of Map.groupBy(columns, (column) => column.table)) {
    if (!ofTable.some(({ name }) => name === 'project_id')) continue;
    const most = Math.min(records, limited[table] ?? records);
    const count = await copyRows(session, { table, columns: ofTable, projectId, records: most });
    if (count === 0 && !withoutRecords.has(table)) throw new Error(`no example leaves records in ${table}`);
  }
  await session.query('set session_replication_role = origin');
  await session.query('vacuum analyze');
}

interface Rows {
  readonly table: string;
  readonly columns: readonly Column[];
  readonly projectId: string;
  readonly records: number;
}

/** Copies the rows of one table and returns how many the project has then. */
async function copyRows(session: pg.Client, { table, columns, projectId, records }: Rows): Promise<number> {
  const withIds = columns.filter(({ name, type }) => name !== 'project_id' && /^(text|jsonb?)/.test(type));
  const hasIds = withIds.map(({ name }) => `bool_or(cast(${name} as text) ~ '${ids}') as ${name}`);
  const { rows } = await session.query<Record<string, unknown>>(
    `select ${['count(*)::int as originals', ...hasIds].join(', ')} from ${table} where project_id = $1`,
    [projectId],
  );
  const [found = {}] = rows;
  const originals = Number(found['originals']);
  if (originals === 0 || originals >= records) return originals;
  const blanked = ({ name }: Column) =>
    found[name] === true
      ? `regexp_replace(cast(${name} as text), '(?!${projectId})${ids}', '\\1${blank}', 'g') as ${name}`
      : name;
  const filled = ({ name, type }: Column) =>
    instead[table]?.[name] ??
    (found[name] === true
      ? `cast(replace(source.${name}, '${blank}', copy.digits) as ${type})`
      : `source.${name}`);
  const { rowCount } = await session.query(
    `with source as materialized (
       select ${columns.map(blanked).join(', ')} from ${table} where project_id = $1),
     copy as (select number, lpad(cast(number as text), 10, '0') as digits from generate_series(1, $2::int) number)
     insert into ${table} (${columns.map(({ name }) => name).join(', ')})
     select ${columns.map(filled).join(', ')} from copy cross join source`,
    [projectId, Math.ceil((records - originals) / originals)],
  );
  return originals + (rowCount ?? 0);
}
