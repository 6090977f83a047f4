import pg from 'pg';
import { sealedInTrash } from '../../../archive/tables.ts';
import { openVault } from '../../../platform/vault.ts';
import { compareMigrations } from '../../../postgres/migrate.ts';
import { baselineName, migrationNames } from '../../../postgres/migrations/index.ts';
import { requireTimeLimits } from '../../../postgres/pgbouncer.ts';
import { lookForVectors, type VectorState, vectorLack } from '../../../postgres/vector-schema.ts';
import { isLanguageTag } from '../../../resources/agent-profiles/schema.ts';
import { hashKey } from '../../../resources/keys/key.ts';
import { canMatch } from '../../../resources/web-sessions/origins.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

/** In the form of `server_version_num`: Postgres 14. */
const oldestPostgres = 140_000;
/** Seconds by which two clocks may differ. */
const clockTolerance = 5;

/** Checks that Parley can use this Postgres. */
export async function postgresItself(session: pg.Client, connections: number): Promise<Finding[]> {
  const row = await one<{
    version: number;
    replica: boolean;
    mayCreate: boolean;
    seconds: number;
    limit: number;
  }>(
    session,
    `select current_setting('server_version_num')::int as version, pg_is_in_recovery() as replica,
       coalesce(has_schema_privilege(current_schema(), 'create'), false) as "mayCreate",
       extract(epoch from clock_timestamp())::float8 as seconds,
       current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as "limit"`,
  );
  const skew = Math.abs(row.seconds - Date.now() / 1000);
  const version = `${Math.floor(row.version / 10_000)}.${row.version % 10_000}`;
  return [
    row.version >= oldestPostgres
      ? ok(`Postgres ${version} responds`)
      : problem(`Postgres ${version} is too old`, 'use Postgres 14 or newer'),
    ...when(
      row.replica,
      problem('Postgres is a replica, which rejects writes', 'name the primary in DATABASE_URL'),
    ),
    ...when(
      !row.replica && !row.mayCreate,
      problem('the user in DATABASE_URL may not create tables', 'grant create on the schema to it'),
    ),
    ...when(
      connections > row.limit,
      warning(
        `Postgres allows ${row.limit} connections, and Parley may open ${connections}`,
        'lower PARLEY_DATABASE_CONNECTIONS, or raise max_connections of Postgres',
      ),
    ),
    ...when(
      skew > clockTolerance,
      warning(
        `the clocks of Postgres and of this machine differ by ${Math.round(skew)} s`,
        'synchronise both by NTP',
      ),
    ),
  ];
}

/** Checks that the session has the time limits that Parley asks for. Finds nothing if all is well. */
export async function limitsOf(session: pg.Client): Promise<Finding[]> {
  await requireTimeLimits((sql) => session.query(sql));
  return [];
}

/** Checks that this build knows the schema. */
export async function schema(session: pg.Client): Promise<Finding[]> {
  if (!(await hasTable(session, 'schema_migrations')))
    return [ok('there is no schema yet; the first start creates it')];
  const { rows } = await session.query<{ name: string }>('select name from schema_migrations order by name');
  const { applied, newer, tooOld } = compareMigrations(rows.map(({ name }) => name));
  if (newer.length > 0)
    return [
      problem(
        `the schema has ${newer.join(', ')}, which this build does not know`,
        'start the newer Parley that migrated it, or run "parley export FILE" with that one and "parley import FILE" with this one on an empty database',
      ),
    ];
  if (tooOld !== undefined)
    return [
      problem(
        `the schema ends at ${tooOld}, and this build continues from ${baselineName}`,
        'run "parley migrate" with an earlier Parley that has both, and then start this one',
      ),
    ];
  const missing = migrationNames.length - applied.length;
  if (missing > 0) return [ok(`the schema lacks ${missing} migrations; the next start applies them`)];
  return [ok('the schema is up to date')];
}

/** Checks that the key in use is active in this database. */
export async function keyWorks(session: pg.Client, key: string | undefined): Promise<Finding[]> {
  if (key === undefined || !(await hasTable(session, 'api_keys'))) return [];
  const { rows } = await session.query<{ status: string }>('select status from api_keys where hash = $1', [
    hashKey(key),
  ]);
  if (rows[0]?.status === 'active') return [ok('the key works')];
  return [
    problem(
      `the key is ${rows[0] ? 'revoked' : 'not in this database'}`,
      'set PARLEY_API_KEY to an active key (parley key create --project ID --name N --scope platform creates one)',
    ),
  ];
}

/** Checks that the database can store the vectors of an embedding model. */
export async function vectors(session: pg.Client): Promise<Finding[]> {
  const state = await one<VectorState & pg.QueryResultRow>(session, lookForVectors);
  const { lack, mend } = vectorLack(state);
  if (lack !== undefined && mend !== undefined)
    return [warning(`${lack}, so knowledge is searched by words alone`, mend)];
  const version = `pgvector ${state.installed ?? state.available} is available`;
  return [
    ok(
      `${version}: ${state.made ? 'knowledge is searched by meaning too' : 'the next start creates its table'}`,
    ),
  ];
}

/** Every `bytea` column whose name starts with `sealed_` holds encrypted values. */
const sealedColumns = `
  select table_name as table, column_name as name from information_schema.columns
  where table_schema = current_schema() and data_type = 'bytea' and column_name like 'sealed\\_%'`;

/** Checks that these secret keys decrypt every stored secret. */
export async function secretKeyFits(
  session: pg.Client,
  [current, ...older]: readonly string[],
): Promise<Finding[]> {
  const { rows: columns } = await session.query<{ table: string; name: string }>(sealedColumns);
  if (columns.length === 0) return [];
  const heads = columns.map(({ table, name }) => {
    const column = pg.escapeIdentifier(name);
    return `select substring(${column} for 4) as sealed from ${pg.escapeIdentifier(table)} where ${column} is not null`;
  });
  const { rows } = await session.query<{ sealed: Buffer }>([...heads, sealedInTrash].join(' union '));
  const vault = current === undefined ? undefined : openVault([current, ...older]);
  if (rows.every(({ sealed }) => vault?.knows(sealed)))
    return [ok('the secret key decrypts every stored secret')];
  return [
    problem(
      'some stored secrets are encrypted with another secret key',
      'set PARLEY_SECRET_KEY_PREVIOUS to that key, or put the file secret-key back into PARLEY_HOME',
    ),
  ];
}

/** Records of one kind that are reported one by one. */
export const namedRecords = 10;
/** Characters of an entry that are shown. */
const shownCharacters = 80;

/** Looks for entries of `allowedOrigins` that match no page: pages are refused because of them. */
export async function originsMatch(session: pg.Client): Promise<Finding[]> {
  if (!(await hasTable(session, 'web_agents'))) return [];
  const { rows } = await session.query<{ id: string; origins: string[] }>(
    `select id, allowed_origins as origins from web_agents where cardinality(allowed_origins) > 0 order by id`,
  );
  const unmatched = rows.flatMap(({ id, origins }) => {
    const [first, ...more] = origins.filter((entry) => !canMatch(entry));
    return first === undefined ? [] : [{ id, first, more: more.length }];
  });
  const mend = 'write it as https://www.example.com, https://*.example.com or *, or remove it';
  const named = unmatched.slice(0, namedRecords).map(({ id, first, more }) => {
    const shown = JSON.stringify(Array.from(first).slice(0, shownCharacters).join(''));
    const others = more > 0 ? `, and ${more} more entries` : '';
    return warning(`the web agent ${id} allows the origin ${shown}${others}, which no page has`, mend);
  });
  const rest = unmatched.length - named.length;
  return rest > 0
    ? [...named, warning(`${rest} more web agents allow origins that no page has`, mend)]
    : named;
}

/** Looks for languages of agent profiles that no program can read, because the contract accepts any text. */
export async function languagesFit(session: pg.Client): Promise<Finding[]> {
  if (!(await hasTable(session, 'agent_profiles'))) return [];
  const { rows } = await session.query<{ id: string; language: string }>(
    `select id, unnest(supported_input_languages) as language from agent_profiles order by id`,
  );
  const wrong = rows.filter(({ language }) => !isLanguageTag(language));
  const mend = 'write language tags (BCP 47) such as en or pt-BR';
  const named = wrong.slice(0, namedRecords).map(({ id, language }) => {
    const shown = JSON.stringify(Array.from(language).slice(0, shownCharacters).join(''));
    return warning(`the agent profile ${id} has the language ${shown}, which is not a language tag`, mend);
  });
  const rest = wrong.length - named.length;
  return rest > 0
    ? [...named, warning(`agent profiles have ${rest} more languages that are not language tags`, mend)]
    : named;
}

/** True if the schema has a table. A first start creates them all. */
export async function hasTable(session: pg.Client, name: string): Promise<boolean> {
  const { found } = await one<{ found: boolean }>(session, 'select to_regclass($1) is not null as found', [
    name,
  ]);
  return found;
}

async function one<Row extends pg.QueryResultRow>(session: pg.Client, sql: string, values: unknown[] = []) {
  const { rows } = await session.query<Row>(sql, values);
  if (!rows[0]) throw new Error('no row');
  return rows[0];
}

const when = (holds: boolean, finding: Finding): Finding[] => (holds ? [finding] : []);
