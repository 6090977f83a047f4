import { TenantStore } from '../../store/tenant-store.ts';
import type { ConversationKind } from '../conversations/store.ts';

/** The active version of a flow or a conversation. */
export interface LiveAgent {
  readonly kind: 'flow' | 'conversation';
  readonly id: string;
  readonly name: string;
  readonly version: number;
}

const designed: ConversationKind = 'advanced';

/** Those that a number or a web agent reaches come first, then the newest. */
const listAgents = `
  select kind, id, name, version, cast(count(*) over () as integer) as total from (
    select 'flow' as kind, flows.id, name, version,
      exists (select from phone_numbers numbers
        where numbers.project_id = :projectId and numbers.flow_id = flows.id and status = 'enabled') as is_met
    from flows join flow_versions versions
      on versions.project_id = flows.project_id and versions.flow_id = flows.id and is_active
    where flows.project_id = :projectId
    union all
    select 'conversation', id, name, active_version,
      exists (select from phone_numbers numbers where numbers.project_id = :projectId
        and numbers.conversation_id = conversations.id and status = 'enabled')
      or exists (select from web_agents agents where agents.project_id = :projectId
        and agents.conversation_id = conversations.id and agents.status = 'active')
    from conversations where project_id = :projectId and kind = '${designed}'
  ) agents
  order by is_met desc, id desc limit :limit`;

const readDocuments = `
  select flow_id as id, flow_schema as document from flow_versions
  where project_id = :projectId and flow_id = any(cast(:ids as text[])) and is_active
  union all
  select id, design from conversations join conversation_versions versions
    on versions.project_id = conversations.project_id and conversation_id = id and n = active_version
  where conversations.project_id = :projectId and id = any(cast(:ids as text[]))`;

/** The flows and conversations of a project with what is active of each. */
export class LiveAgentStore extends TenantStore {
  /** At most `limit` of them, and how many there are. */
  async list(limit: number): Promise<{ readonly agents: readonly LiveAgent[]; readonly total: number }> {
    const rows = await this.sql<LiveAgent & { total: number }>(listAgents, { limit });
    return { agents: rows.map(({ total: _, ...agent }) => agent), total: rows[0]?.total ?? 0 };
  }

  /** Their active designs and configurations, by id. */
  async documents(ids: readonly string[]): Promise<ReadonlyMap<string, unknown>> {
    const rows = await this.sql<{ id: string; document: unknown }>(readDocuments, { ids });
    return new Map(rows.map(({ id, document }) => [id, document]));
  }
}
