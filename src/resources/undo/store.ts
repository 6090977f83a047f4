import { ToolError } from '../../platform/errors.ts';
import { firstIdFrom } from '../../store/id-bounds.ts';
import { TenantStore } from '../../store/tenant-store.ts';
import { type RecordedChange, type RecordTable, recordTables } from './history.ts';

/** One descent of the index for each operation. Others, such as the start of a session, may be many. */
const changesThat = (condition: string) => `
  select changes.* from unnest(cast(:operations as text[])) as operations (name) cross join lateral (
    select id, key_id as "keyId", operation, resource_id as "resourceId", created_at as at, former from audit_log
    where project_id = :projectId and operation = name and id >= :firstId and created_at >= :since${condition}
    order by id desc limit :limit
  ) as changes
  order by changes.id desc limit :limit`;

const findChanges = changesThat('');
const findChangesOf = changesThat(' and key_id = :by');
const findOthers = changesThat(` and key_id <> :by and exists (
      select from json_array_elements(former) as entries (entry) where entry ->> 'id' = any(cast(:ids as text[])))`);

/** What a record is now, as far as its former values are kept. */
const currentColumns: { readonly [Table in RecordTable]?: readonly string[] } = {
  agent_profiles: ['is_default', 'supported_input_languages', 'reasoning_mode', 'output_voice_id'],
  flows: [
    'description',
    'agent_profile_id',
    'newest_version',
    `(select version from flow_versions versions
      where versions.project_id = flows.project_id and flow_id = flows.id and is_active) as active_version`,
  ],
  conversations: [
    'description',
    'agent_profile_id',
    'requires_scenarios',
    'newest_version',
    'active_version',
  ],
  scenarios: ['tags', 'content'],
  phone_numbers: ['type', 'status', 'flow_id', 'conversation_id', 'external_phone_fields'],
  web_agents: ['scopes', 'allowed_origins', 'conversation_id', 'status'],
};

const lockRows = Object.fromEntries(
  recordTables
    .filter((table) => table !== 'projects')
    .map((table) => [
      table,
      `select ${['id', 'name', ...(currentColumns[table] ?? [])].join(', ')} from ${table}
       where project_id = :projectId and id = any(cast(:ids as text[])) order by id for no key update of ${table}`,
    ]),
);

const lockProject = `
  select id, name, description, status, channels, industry, require_disclosure, session_retention_days,
    time_zone, opening_hours, closed_on
  from projects where id = :projectId and id = any(cast(:ids as text[])) for no key update`;

const findEntries = `
  select resource_id as "resourceId", id from trash
  where project_id = :projectId and resource_id = any(cast(:ids as text[])) and expires_at > now()`;

/** A record as it is now, by column. */
export type CurrentRow = Readonly<Record<string, unknown>> & { readonly id: string; readonly name: string };

/** Which changes are read. */
interface Period {
  readonly operations: readonly string[];
  readonly since: Date;
  readonly by: string | undefined;
  readonly limit: number;
}

/** What undoing needs to read, and to try. */
export class UndoStore extends TenantStore {
  /** The changes by these operations since a time, newest first; of one key if there is one. */
  changes({ by, ...period }: Period): Promise<RecordedChange[]> {
    const values = { ...period, firstId: firstIdFrom('audit', period.since.getTime()) };
    return by === undefined
      ? this.sql<RecordedChange>(findChanges, values)
      : this.sql<RecordedChange>(findChangesOf, { ...values, by });
  }

  /** The changes of these records by other keys, newest first. */
  changesOfOthers(
    period: Period & { readonly by: string },
    ids: readonly string[],
  ): Promise<RecordedChange[]> {
    const firstId = firstIdFrom('audit', period.since.getTime());
    return this.sql<RecordedChange>(findOthers, { ...period, firstId, ids });
  }

  /** Locks those of the records that exist, table by table in the order of every change. */
  async lock(ids: ReadonlyMap<RecordTable, readonly string[]>): Promise<Map<string, CurrentRow>> {
    const rows: CurrentRow[] = [];
    for (const table of recordTables) {
      const listed = ids.get(table);
      const statement = table === 'projects' ? lockProject : lockRows[table];
      if (listed && statement) rows.push(...(await this.sql<CurrentRow>(statement, { ids: listed })));
    }
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** The entries of the trash that hold these records, by record. */
  async trashed(ids: readonly string[]): Promise<Map<string, string>> {
    const rows = await this.sql<{ resourceId: string; id: string }>(findEntries, { ids });
    return new Map(rows.map(({ resourceId, id }) => [resourceId, id]));
  }

  /** Runs a part of the transaction. Returns the refusal that has undone the part, if there was one. */
  async attempt(work: () => Promise<void>): Promise<ToolError | undefined> {
    await this.sql('savepoint undo_step', {});
    try {
      await work();
    } catch (refusal) {
      if (!(refusal instanceof ToolError)) throw refusal;
      await this.sql('rollback to savepoint undo_step', {});
      return refusal;
    }
    await this.sql('release savepoint undo_step', {});
    return undefined;
  }
}
