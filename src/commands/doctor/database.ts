import pg from 'pg';
import { sealedInTrash } from '../../archive/tables.ts';
import { hashKey } from '../../auth/key.ts';
import { migrationNames } from '../../db/migrations/index.ts';
import { lookForVectors, type VectorState, vectorLack } from '../../db/vector-schema.ts';
import { openVault } from '../../vault/vault.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

const oldestPostgres = 140_000;
/** Seconds that two clocks may differ. */
const tolerance = 5;

/** Whether this is a Postgres that Parley can use. */
export async function postgresItself(session: pg.Client, connections: number): Promise<Finding[]> {
  const row = await one<{ version: number; replica: boolean; may: boolean; seconds: number; room: number }>(
    session,
    `select current_setting('server_version_num')::int as version, pg_is_in_recovery() as replica,
       coalesce(has_schema_privilege(current_schema(), 'create'), false) as may,
       extract(epoch from clock_timestamp())::float8 as seconds,
       current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as room`,
  );
  const skew = Math.abs(row.seconds - Date.now() / 1000);
  const version = `${Math.floor(row.version / 10_000)}.${row.version % 10_000}`;
  return [
    row.version >= oldestPostgres
      ? ok(`Postgres ${version} answers`)
      : problem(`Postgres ${version} is too old`, 'use Postgres 14 or newer'),
    ...when(
      row.replica,
      problem('it is a replica, which takes no writes', 'name the primary in DATABASE_URL'),
    ),
    ...when(
      !row.replica && !row.may,
      problem('its user may not create tables', 'grant create on the schema to the user in DATABASE_URL'),
    ),
    ...when(
      connections > row.room,
      warning(
        `it allows ${row.room} connections, and Parley may want ${connections}`,
        'set PARLEY_DATABASE_CONNECTIONS lower, or max_connections of Postgres higher',
      ),
    ),
    ...when(
      skew > tolerance,
      warning(`its clock and this machine's differ by ${Math.round(skew)} s`, 'set both by NTP'),
    ),
  ];
}

/** Whether the schema is one that this build knows. */
export async function schema(session: pg.Client): Promise<Finding[]> {
  if (!(await hasTable(session, 'schema_migrations')))
    return [ok('there is no schema yet; the first start makes it')];
  const { rows } = await session.query<{ name: string }>('select name from schema_migrations order by name');
  const newer = rows.map(({ name }) => name).filter((name) => !migrationNames.includes(name));
  if (newer.length > 0)
    return [
      problem(
        `the schema has ${newer.join(', ')}, which this build does not know`,
        'start the newer Parley that made it, or run "parley export FILE" with that one and "parley import FILE" with this one on an empty database',
      ),
    ];
  const missing = migrationNames.length - rows.length;
  if (missing > 0) return [ok(`the schema is older by ${missing}; the next start brings it up to date`)];
  return [ok('the schema is the one of this build')];
}

/** Whether the key in use is one that works here. */
export async function keyWorks(session: pg.Client, key: string | undefined): Promise<Finding[]> {
  if (key === undefined || !(await hasTable(session, 'api_keys'))) return [];
  const { rows } = await session.query<{ status: string }>('select status from api_keys where hash = $1', [
    hashKey(key),
  ]);
  if (rows[0]?.status === 'active') return [ok('the key works')];
  return [
    problem(
      `the key is ${rows[0] ? 'revoked' : 'not one of this database'}`,
      'set PARLEY_API_KEY to one that is (parley key create --project ID --name N --scope platform makes one)',
    ),
  ];
}

/** Whether it can hold vectors, where a model would make them. */
export async function vectors(session: pg.Client): Promise<Finding[]> {
  const state = await one<VectorState & pg.QueryResultRow>(session, lookForVectors);
  const { lack, mend } = vectorLack(state);
  if (lack !== undefined && mend !== undefined)
    return [warning(`${lack}, so that knowledge is searched by words alone`, mend)];
  const version = `pgvector ${state.installed ?? state.available} is there`;
  return [
    ok(
      `${version}: ${state.made ? 'knowledge is searched by meaning too' : 'the next start makes its table'}`,
    ),
  ];
}

/** Columns of bytes that are named so hold what was sealed. */
const sealedColumns = `
  select table_name as table, column_name as name from information_schema.columns
  where table_schema = current_schema() and data_type = 'bytea' and column_name like 'sealed\\_%'`;

/** Whether what is stored secretly can still be read with these secret keys. */
export async function secretKeyFits(
  session: pg.Client,
  secrets: readonly [string, ...string[]] | undefined,
): Promise<Finding[]> {
  const { rows: columns } = await session.query<{ table: string; name: string }>(sealedColumns);
  if (columns.length === 0) return [];
  const heads = columns.map(({ table, name }) => {
    const column = pg.escapeIdentifier(name);
    return `select substring(${column} for 4) as sealed from ${pg.escapeIdentifier(table)} where ${column} is not null`;
  });
  const { rows } = await session.query<{ sealed: Buffer }>([...heads, sealedInTrash].join(' union '));
  const vault = secrets && openVault(secrets);
  if (rows.every(({ sealed }) => vault?.knows(sealed)))
    return [ok('the secret key opens what is stored secretly')];
  return [
    problem(
      'some of what is stored secretly was sealed with another secret key',
      'set PARLEY_SECRET_KEY_PREVIOUS to that one, or put secret-key back into PARLEY_HOME',
    ),
  ];
}

async function hasTable(session: pg.Client, name: string): Promise<boolean> {
  const { there } = await one<{ there: boolean }>(session, 'select to_regclass($1) is not null as there', [
    name,
  ]);
  return there;
}

async function one<Row extends pg.QueryResultRow>(session: pg.Client, sql: string, values: unknown[] = []) {
  const { rows } = await session.query<Row>(sql, values);
  if (!rows[0]) throw new Error('no row');
  return rows[0];
}

const when = (holds: boolean, finding: Finding): Finding[] => (holds ? [finding] : []);
