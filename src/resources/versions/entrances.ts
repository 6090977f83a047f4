import { TenantStore } from '../../store/tenant-store.ts';
import type { Handler } from './handler.ts';

/** A phone number or web agent through which callers meet a flow or conversation. */
export interface Entrance {
  readonly name: string;
  /** E.164; null for a web agent. */
  readonly number: string | null;
  readonly isEnabled: boolean;
}

/** The indexes on what a number or web agent refers to find these rows alone. */
const findEntrances = `
  select name, number, status = 'enabled' as "isEnabled" from phone_numbers
  where project_id = :projectId and (flow_id = :flowId or conversation_id = :conversationId)
  union all
  select name, null, status = 'active' from web_agents
  where project_id = :projectId and conversation_id = :conversationId
  limit :limit`;

/** Where callers meet the flows and conversations of a project. */
export class EntranceStore extends TenantStore {
  /** Lists at most `limit` of them, in no order. */
  of({ kind, id }: Handler, limit: number): Promise<Entrance[]> {
    return this.sql<Entrance>(findEntrances, {
      flowId: kind === 'flow' ? id : null,
      conversationId: kind === 'conversation' ? id : null,
      limit,
    });
  }
}
