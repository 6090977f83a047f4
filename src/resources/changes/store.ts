import type { Tables } from 'knex/types/tables.js';
import { firstIdFrom, lastIdTo } from '../../store/id-bounds.ts';
import { limitToNewest, newestFirst, type Page, type PageRequest } from '../../store/page.ts';
import { endsWithDigits, phoneDigits } from '../../store/phone-digits.ts';
import { timestamp } from '../../store/queries.ts';
import { TenantStore } from '../../store/tenant-store.ts';
import type { Handler } from '../versions/handler.ts';

export interface AuditRow {
  project_id: string;
  id: string;
  key_id: string;
  operation: string;
  request_id: string;
  input_hash: string;
  output_hash: string;
  created_at: Date;
  /** Null in rows of earlier releases, and if the change is of no one resource. */
  resource_id: string | null;
  summary: string | null;
  /** What the change replaced (migration 0068). Null in rows of earlier releases. */
  former: unknown;
}

/** A change as the audit log has it. */
export interface Change {
  readonly id: string;
  readonly at: string;
  readonly keyId: string;
  readonly keyName: string;
  readonly operation: string;
  readonly resourceId: string | null;
  /** Null if the record has no name, or was removed for good. */
  readonly resourceName: string | null;
  readonly summary: string | null;
}

/** A record that a text stands for. */
export interface CalledRecord {
  readonly id: string;
  /** Its number, if the text is the end of that; else null. */
  readonly partOf: string | null;
}

export interface ChangeFilter {
  readonly keyId?: string | undefined;
  readonly operation?: string | undefined;
  /** The ids of what changed. */
  readonly resources?: readonly string[] | undefined;
  /** Included. */
  readonly from?: Date | undefined;
  /** Not included. */
  readonly to?: Date | undefined;
}

/** The tables whose records have a name. */
const named = [
  'agent_profiles',
  'api_keys',
  'conversations',
  'flows',
  'integrations',
  'knowledge_bases',
  'knowledge_sources',
  'phone_numbers',
  'scenarios',
  'voices',
  'web_agents',
] as const satisfies readonly (keyof Tables)[];

const findNames = `
  ${named
    .map((table) => `select id, name from ${table} where project_id = :projectId and id = any (:ids)`)
    .join(' union all ')}
  union all select resource_id, name from trash where project_id = :projectId and resource_id = any (:ids)`;

/** Records that one name stands for, at most. */
const mostOfOneName = 20;

/** Records that are called like this, in any case, also deleted ones; a phone number by its last digits too. */
const findCalled = `
  ${named
    .map(
      (table) =>
        `select id, cast(null as text) as "partOf" from ${table} where project_id = :projectId and lower(name) = lower(:name)
         ${table === 'api_keys' ? 'and :withKeys' : ''}`,
    )
    .join(' union ')}
  union select resource_id, null from trash where project_id = :projectId and lower(name) = lower(:name)
  union select id, case when right(number, -1) <> :digits then number end from phone_numbers
    where project_id = :projectId and ${endsWithDigits('number', { text: 'cast(:name as text)', digits: 'cast(:digits as text)' })}
  order by 1 desc limit ${mostOfOneName}`;

/** An id in the words of a change (`decisions#ids`). */
const id = /\bc[a-z]{2}[0-9a-v]{26}\b/g;

function idsIn(summary: string): string[] {
  return summary.match(id) ?? [];
}

/** The periods between changes, oldest first, in which a number had a handler. A number in the trash has none. */
function assignedPeriods(rows: readonly AssignmentRow[]): Omit<AssignedPeriod, 'name'>[] {
  let handler: Handler | undefined;
  let isDeleted = false;
  const periods: { handler: Handler; from: Date; until: Date | null }[] = [];
  for (const { operation, summary, at } of rows) {
    for (const [, kind, given = 'none'] of (summary ?? '').matchAll(givenHandler))
      if (given !== 'none') handler = { kind: kind as Handler['kind'], id: given };
      else if (handler?.kind === kind) handler = undefined;
    if (operation === 'delete_phone_number') isDeleted = true;
    if (operation === 'restore_deleted') isDeleted = false;
    const next = isDeleted ? undefined : handler;
    const last = periods.at(-1);
    if (last?.until === null) {
      if (last.handler.id === next?.id) continue;
      last.until = at;
    }
    if (next) periods.push({ handler: next, from: at, until: null });
  }
  return periods;
}

function quoted(name: string | undefined): string | undefined {
  return name === undefined ? undefined : JSON.stringify(name);
}

/** The operations that change who answers a number. */
const assignments = [
  'import_phone_number',
  'assign_flow',
  'assign_conversation',
  'delete_phone_number',
  'restore_deleted',
];

/** The newest changes of who answers a number that are looked at, and the newest periods of versions. */
const [mostAssignments, mostVersions] = [50, 200];

const findAssignments = `
  select operation, summary, created_at as at from audit_log
  where project_id = :projectId and resource_id = :numberId and operation = any(cast(:operations as text[]))
  order by id desc limit ${mostAssignments}`;

const findVersionPeriods = `
  (select flow_id as id, version, lower(period) as "from", upper(period) as until
   from flow_versions, unnest(live_periods) as period
   where project_id = :projectId and flow_id = any(cast(:ids as text[])) and live_periods is not null
   union all
   select conversation_id, n, lower(period), upper(period)
   from conversation_versions, unnest(live_periods) as period
   where project_id = :projectId and conversation_id = any(cast(:ids as text[])) and live_periods is not null)
  order by 3 desc nulls last limit ${mostVersions}`;

/** A handler that an operation gave to a number or took from it, as the audit log has it. */
const givenHandler = /\b(flow|conversation)Id: (none|c[a-z]{2}[0-9a-v]{26})/g;

/** A change of who answers a number. */
interface AssignmentRow {
  readonly operation: string;
  readonly summary: string | null;
  readonly at: Date;
}

/** A period in which a version was the active one. */
export interface VersionPeriod {
  /** Of the flow or conversation. */
  readonly id: string;
  readonly version: number;
  /** Null if it is not known. */
  readonly from: Date | null;
  /** Null if it has not ended. */
  readonly until: Date | null;
}

/** A period in which a flow or conversation answered a number. */
export interface AssignedPeriod {
  readonly handler: Handler;
  readonly name: string;
  readonly from: Date;
  /** Null if it has not ended. */
  readonly until: Date | null;
}

const columns = ['id', 'created_at', 'key_id', 'operation', 'resource_id', 'summary'] as const;
type ChangeRow = Pick<AuditRow, (typeof columns)[number]>;

/** A page of each of some records, because Postgres would sort all their changes to find the newest. */
const changesOfEach = `
  unnest(cast(:resources as text[])) as records (resource) cross join lateral :changes as changes`;

/** The audit log of a project. */
export class ChangeStore extends TenantStore {
  /** Lists changes, newest first. */
  async list(filter: ChangeFilter, page: PageRequest): Promise<Page<Change>> {
    const { items, ...more } = await newestFirst(this.#changes(filter, page), page, (row) => row);
    const ids = items.flatMap(({ key_id, resource_id, summary }) => [
      key_id,
      ...(resource_id === null ? [] : [resource_id]),
      ...idsIn(summary ?? ''),
    ]);
    const names = await this.names([...new Set(ids)]);
    return {
      ...more,
      items: items.map((row) => ({
        id: row.id,
        at: timestamp(row.created_at),
        keyId: row.key_id,
        keyName: names.get(row.key_id) ?? '',
        operation: row.operation,
        resourceId: row.resource_id,
        resourceName: names.get(row.resource_id ?? '') ?? null,
        summary: row.summary?.replaceAll(id, (one) => quoted(names.get(one)) ?? one) ?? null,
      })),
    };
  }

  /** The records with a name, also those in the trash, and the phone numbers that end with these digits. */
  async recordsCalled(text: string, withKeys: boolean): Promise<CalledRecord[]> {
    const name = text.trim();
    return this.sql<CalledRecord>(findCalled, {
      name,
      digits: phoneDigits(name) ?? null,
      withKeys,
    });
  }

  /** Who answered a number and when, oldest first, as far as the newest changes tell. */
  async answerers(numberId: string): Promise<AssignedPeriod[]> {
    const rows = await this.sql<AssignmentRow>(findAssignments, { numberId, operations: assignments });
    const periods = assignedPeriods(rows.toReversed());
    const names = await this.names([...new Set(periods.map(({ handler }) => handler.id))]);
    return periods.map((period) => ({ ...period, name: names.get(period.handler.id) ?? '' }));
  }

  /** The newest periods in which versions of these flows and conversations were active, newest first. */
  versionPeriods(ids: readonly string[]): Promise<VersionPeriod[]> {
    return this.sql<VersionPeriod>(findVersionPeriods, { ids });
  }

  #changes({ resources, ...filter }: ChangeFilter, page: PageRequest) {
    const query = this.table('audit_log').select(...columns);
    if (filter.keyId !== undefined) query.andWhere('key_id', filter.keyId);
    if (filter.operation !== undefined) query.andWhere('operation', filter.operation);
    if (filter.from !== undefined)
      query
        .andWhere('created_at', '>=', filter.from)
        .andWhere('id', '>=', firstIdFrom('audit', filter.from.getTime()));
    if (filter.to !== undefined)
      query
        .andWhere('created_at', '<', filter.to)
        .andWhere('id', '<', lastIdTo('audit', filter.to.getTime()));
    if (resources === undefined) return query;
    const changes = limitToNewest(query.andWhereRaw('resource_id = resource'), page);
    return this.knex
      .select<ChangeRow[]>(...columns)
      .from(this.knex.raw(changesOfEach, { resources: [...resources], changes }));
  }

  /** The names of records, also of those in the trash, by id. */
  async names(ids: readonly string[]): Promise<Map<string, string>> {
    if (ids.length === 0) return new Map();
    const rows = await this.sql<{ id: string; name: string }>(findNames, { ids });
    return new Map(rows.map(({ id: one, name }) => [one, name]));
  }
}
