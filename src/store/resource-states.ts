import type { Knex } from 'knex';
import { runSql } from '../postgres/sql.ts';

/** A record whose changes a client of MCP wants to hear of, and the key that may read it. */
export interface WatchedRecord {
  readonly projectId: string;
  readonly keyId: string;
  readonly kind: 'conversation' | 'flow';
  readonly id: string;
}

/** What a watched record is like now. */
export interface RecordState {
  /** Changes with what callers meet; null if the project has no such record. */
  readonly state: string | null;
  /** False once the key was revoked or has expired. */
  readonly isAllowed: boolean;
}

const findStates = `
  select case kind
    when 'conversation' then (
      select cast(active_version as text) from conversations
      where conversations.project_id = watched.project_id and conversations.id = watched.id)
    else (
      select concat(flows.updated_at, ' ', flow_versions.id) from flows
      left join flow_versions on flow_versions.project_id = flows.project_id and flow_id = flows.id and is_active
      where flows.project_id = watched.project_id and flows.id = watched.id)
    end as state,
    exists (
      select from api_keys where api_keys.project_id = watched.project_id and api_keys.id = key_id
        and status = 'active' and (expires_at is null or expires_at > now())) as "isAllowed"
  from unnest(cast(:projectIds as text[]), cast(:keyIds as text[]), cast(:kinds as text[]), cast(:ids as text[]))
    with ordinality as watched (project_id, key_id, kind, id, place)
  order by place`;

/** The states of records of any projects, in the order in which they were given: one statement. */
export function findRecordStates(knex: Knex, watched: readonly WatchedRecord[]): Promise<RecordState[]> {
  return runSql<RecordState>(knex, findStates, {
    projectIds: watched.map(({ projectId }) => projectId),
    keyIds: watched.map(({ keyId }) => keyId),
    kinds: watched.map(({ kind }) => kind),
    ids: watched.map(({ id }) => id),
  });
}
