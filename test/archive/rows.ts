import { createHash, randomUUID } from 'node:crypto';
import pg from 'pg';
import { openVault } from '../../src/platform/vault.ts';
import { migrate } from '../../src/postgres/migrate.ts';
import { openPool } from '../../src/postgres/pool.ts';

/** Texts that a careless copy would change. */
const texts = [
  '',
  'plain',
  'tab\there',
  'line\nfeed',
  'carriage\r\nreturn',
  'back\\slash',
  '\\.',
  '\\N',
  '\\',
  ' spaces ',
  '"quoted", {braced}',
  'NULL',
  'Grüße 你好 👩‍🚀',
  'e\u0301',
  '\u0001\u0008\u000b\u000c\u007f\u2028',
  '{"table":"flows"}',
  '\\.\n{"end":"flows","rows":0,"sha256":""}',
  'x'.repeat(10_000),
];

/** JSON that `json` columns keep byte for byte. */
const jsons = [
  '{}',
  '{"b":1,"a":2,"b":3}',
  ' {  "spaced" : [ ] }\n',
  '[1.0, 1e2, -0, 12345678901234567890]',
  '"\\u00fc \\n \\\\ \\" ü"',
  'null',
  JSON.stringify({ text: texts }),
];

const times = ['infinity', '-infinity', '0044-03-15 12:00:00.001+00 BC', '2026-11-21 23:59:59.999+05:30'];

const quantities = ['1', '0.10', '1e-20', '12345678901234567890.123456789', 'NaN'];

const arrays = [[], [''], texts, ['a', null, 'NULL', '{}', '{"b"}']];

/** The secret key that encrypts values in the rows. */
export const secretKey = 'the secret key of the source';

/** Migrates a database and inserts awkward rows into every table. */
export async function fillWithAwkwardRows(url: string): Promise<void> {
  const warn = (line: string) => console.error(line);
  const pool = openPool({ connectionString: url, mode: 'write', max: 1, warn });
  try {
    await migrate(pool, url, warn);
  } finally {
    await pool.destroy();
  }
  await insertAwkwardRows(url);
}

/** Inserts awkward rows into every table, except those that the schema lacks because it is an earlier one. */
export async function insertAwkwardRows(url: string, lacking: readonly string[] = []): Promise<void> {
  await withClient(url, async (client) => {
    for (const index of texts.keys())
      for (const [sql, values] of rowsOf(index))
        if (!lacking.some((table) => sql.startsWith(`insert into ${table} `)))
          await client.query(sql, values);
  });
}

/** One row of each table, in the order of their references. `index` chooses the values. */
function rowsOf(index: number): [sql: string, values: unknown[]][] {
  const turn = <Value>(values: readonly Value[]) => values[index % values.length];
  const id = String(index).padStart(8, '0');
  const [project, profile, flow, conversation] = [`cpr${id}`, `cap${id}`, `cfl${id}`, `ccv${id}`];
  const voice = `cvo${id}`;
  const [text, json, time, array] = [turn(texts), turn(jsons), turn(times), turn(arrays)];
  const bytes = createHash('sha256').update(id).digest();
  const even = index % 2 === 0;
  const sealed = openVault([secretKey]).seal(text ?? '', 'a test');
  return [
    ['insert into organizations values ($1, $2, $3)', [`cog${id}`, text, time]],
    [
      `insert into projects values ($1, $2, $3, $4, 'active', 'growth', 'platform', 'advanced', $5, $6, $7, $7)`,
      [project, `cog${id}`, text, even ? text : null, array, even ? null : text, time],
    ],
    [
      `insert into api_keys values ($1, $2, $3, 'secret', 'platform', $4, $5, '', '', 'active', $6)`,
      [project, `cak${id}`, text, even ? array : null, bytes, even ? null : time],
    ],
    [
      `insert into agent_profiles values ($1, $2, $3, $4, $5, 'balanced', 'alloy')`,
      [project, profile, text, even, array],
    ],
    [
      `insert into flows values ($1, $2, $3, 'graph', $4, $5, $6, $7)`,
      [project, flow, text, even ? text : null, even ? profile : null, -2_147_483_648, '9223372036854775807'],
    ],
    [
      `insert into flow_versions values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [project, `cfv${id}`, flow, '-9223372036854775808', text, json, 2_147_483_647, even],
    ],
    [
      `insert into trash values ($1, $2, 'flow', $3, $3, $4, $5, 'infinity', $6)`,
      [project, `ctr${id}`, text, json, time, even ? null : sealed],
    ],
    [
      `insert into idempotency_keys values ($1, $2, $2, '', $3, now(), $4)`,
      [project, text, even ? json : null, even ? null : sealed],
    ],
    [
      `insert into conversations values ($1, $2, $3, $4, 'advanced', $5, '9223372036854775807', 1, $6, $6)`,
      [project, conversation, text, even ? text : null, even ? profile : null, time],
    ],
    [
      'insert into conversation_versions values ($1, $2, $3, $4, $5, 2147483647, $6)',
      [project, conversation, '9223372036854775807', text, even ? null : json, time],
    ],
    [
      'insert into scenarios values ($1, $2, $3, $4, $5, $6, $7, $8, $8)',
      [project, `csc${id}`, conversation, text, turn([[], texts]), json, texts, time],
    ],
    [
      `insert into scenario_changes values ($1, $2, $3, 'weakened', $4, $5, $6)`,
      [project, conversation, text, even ? json : null, even ? text : null, time],
    ],
    [
      `insert into scenario_results values ($1, $2, $3, '9223372036854775807', $4, $5, $6, $7)`,
      [project, `csc${id}`, conversation, even, json, even ? text : null, time],
    ],
    [
      `insert into sessions values
       ($1, $2, $3, '9223372036854775807', $4, 'chat', $5, $5, $6, $7, $7, 2147483647, 2147483647, $4, $8, 2147483647,
        '9223372036854775807')`,
      [
        project,
        `cws${id}`,
        conversation,
        even ? text : null,
        time,
        even ? time : null,
        even ? text : null,
        json,
      ],
    ],
    [
      'insert into session_turns values ($1, $2, 2147483647, $3, $4, $5, $5, $5, $5, $6)',
      [project, `cws${id}`, even ? text : null, even ? null : text, json, time],
    ],
    ['insert into knowledge_bases values ($1, $2, $3, $4, $4)', [project, `ckb${id}`, text, time]],
    [
      `insert into integrations values ($1, $2, 'crm', $3, $3, 'unverified', $4, $4, $5)`,
      [project, `cin${id}`, text, time, even ? sealed : null],
    ],
    ['insert into conversation_integrations values ($1, $2, $3)', [project, conversation, `cin${id}`]],
    ['insert into conversation_knowledge_bases values ($1, $2, $3)', [project, conversation, `ckb${id}`]],
    [
      `insert into knowledge_sources values
       ($1, $2, $3, $4, 'website', $4, $5, $4, $4, 'idle', 'triggered', 100, $6, $7, $6, $8, $8, $5, $8)`,
      [project, `ckb${id}`, `cks${id}`, text, 2_147_483_647, even ? text : null, '9223372036854775807', time],
    ],
    ['insert into knowledge_files values ($1, $2, $3)', [project, `cks${id}`, sealed]],
    ['insert into knowledge_removals values ($1, $2, $3, $4)', [project, `ckb${id}`, `gone ${text}`, time]],
    [
      `insert into knowledge_pages values ($1, $2, $3, $4, $5, 'done', $6, $6)`,
      [
        project,
        `cks${id}`,
        (text ?? '').slice(0, 500),
        '-9223372036854775808',
        2_147_483_647,
        even ? text : null,
      ],
    ],
    [
      'insert into knowledge_chunks values ($1, $2, $3, $4, $5, $6, $6, $6)',
      [project, `ckb${id}`, `cks${id}`, (text ?? '').slice(0, 500), -2_147_483_648, text],
    ],
    [
      `insert into phone_numbers values ($1, $2, 'external', $3, $4, 'enabled', $5, $6, $7, $8, $9, $9)`,
      [
        project,
        `cpn${id}`,
        text,
        `+1${id}`,
        even ? flow : null,
        even ? null : conversation,
        json,
        even ? sealed : null,
        time,
      ],
    ],
    [
      `insert into web_agents values ($1, $2, $3, 'api', $4, $4, $5, 'disabled', $6, $6)`,
      [project, `cwa${id}`, text, array, conversation, time],
    ],
    [
      `insert into usage_events values ($1, $2, $3, 'llm', 'none', 'requests', $4, $5)`,
      [project, time, randomUUID(), turn(quantities), even],
    ],
    [
      `insert into usage_sums values ($1, 60, $2, 'llm', 'none', 'requests', $3)`,
      [project, time, turn(quantities)],
    ],
    [
      `insert into voices values ($1, $2, $3, 'neutral', $4, $5, $6)`,
      [project, voice, text, array, turn([[], texts]), time],
    ],
    ['insert into voice_references values ($1, $2, $3, $4)', [project, voice, text, sealed]],
    ['insert into secrets values ($1, $2, $3, $4, $4)', [project, `N${id}`, sealed, time]],
    [`insert into audit_log values ($1, $2, '', $3, '', '', '')`, [project, `cau${id}`, text]],
  ];
}

/**
 * The number of rows of each table and a digest of their text, without generated columns and derived tables. Empty if
 * there is no schema.
 */
export async function tableSums(url: string): Promise<Record<string, string>> {
  return withClient(url, async (client) => {
    const { rows: tables } = await client.query<{ name: string; columns: string }>(
      `select quote_ident(relname) as name,
         (select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
          where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns
       from pg_class c
       where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname not like 'schema_migrations%'
         and coalesce(obj_description(c.oid, 'pg_class'), '') not in ('made by triggers', 'made anew')
       order by 1`,
    );
    const sums: Record<string, string> = {};
    for (const { name, columns } of tables) {
      const { rows } = await client.query<{ sum: string }>(
        `select count(*) || ' ' || coalesce(md5(string_agg(md5(row::text), '' order by md5(row::text))), '') as sum
        from (select ${columns} from ${name}) as row`,
      );
      sums[name] = rows[0]?.sum ?? '';
    }
    return sums;
  });
}

async function withClient<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  // Independent of the server's settings, which a test may have changed.
  const settings = {
    timezone: 'UTC',
    datestyle: 'ISO,YMD',
    intervalstyle: 'postgres',
    bytea_output: 'hex',
    extra_float_digits: 3,
  };
  const options = Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
  const client = new pg.Client({ connectionString: url, options });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
