import type { World } from '../helpers/world.ts';

interface Table {
  readonly name: string;
  /** The column that holds the project's id. */
  readonly project: string;
}

/**
 * Returns a digest for each table, so that a difference names the table. It covers one project, or all by default.
 * It leaves out the last use of a key, which reads also write, and usage, which is written a second after a call.
 */
export function digestOf(world: World, projectId?: string): Promise<unknown[]> {
  return fromEachTable(
    world,
    projectId,
    ({ name }) => `'${name}' as name, count(*) as rows, md5(string_agg(line, ',' order by line)) as digest`,
  );
}

/** Returns every id in the rows of a project: of its records, and of those that they refer to. */
export async function idsOf(world: World, projectId: string): Promise<Set<string>> {
  const lines = await fromEachTable<{ line: string }>(world, projectId, () => 'line');
  return new Set(lines.flatMap(({ line }) => line.match(/\bc[a-z]{2}[0-9a-v]{26}\b/g) ?? []));
}

async function fromEachTable<Row>(
  { core: { knex } }: World,
  projectId: string | undefined,
  columns: (table: Table) => string,
): Promise<Row[]> {
  const { rows: tables } = await knex.raw<{ rows: Table[] }>(`
    select table_name as name, column_name as project from information_schema.columns
    where table_schema = 'public' and table_name not like 'usage%' and (column_name = 'project_id' or (table_name, column_name) = ('projects', 'id'))
    order by table_name`);
  const selects = tables.map(
    (table) => `
      select ${columns(table)}
      from (select (to_jsonb(${table.name}) - 'last_used_at')::text as line from ${table.name}
            where cast(:projectId as text) is null or ${table.project} = :projectId) as lines`,
  );
  const binding = { projectId: projectId ?? null };
  return (await knex.raw<{ rows: Row[] }>(selects.join(' union all '), binding)).rows;
}
