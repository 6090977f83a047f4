import type { Queries } from './queries.ts';

/** Something that keeps a record from being deleted. */
export interface Referrer {
  kind: string;
  id: string;
  name: string;
}

interface Reference {
  readonly kind: string;
  readonly table: string;
  readonly column: string;
}

/** What can refer to a record and keeps it from being deleted then. */
const referencesTo = {
  agentProfile: [
    { kind: 'flow', table: 'flows', column: 'agent_profile_id' },
    { kind: 'conversation', table: 'conversations', column: 'agent_profile_id' },
  ],
  flow: [{ kind: 'phoneNumber', table: 'phone_numbers', column: 'flow_id' }],
  conversation: [
    { kind: 'phoneNumber', table: 'phone_numbers', column: 'conversation_id' },
    { kind: 'webAgent', table: 'web_agents', column: 'conversation_id' },
  ],
} satisfies Record<string, readonly Reference[]>;

/** The most that an answer tells. */
const maximumReferrers = 100;

/** What refers to a record, at most a hundred. The record has to be locked, or more may come meanwhile. */
export async function referrersOf(
  { knex }: Queries,
  projectId: string,
  kind: keyof typeof referencesTo,
  id: string,
): Promise<Referrer[]> {
  const found: Referrer[] = [];
  for (const { kind: referring, table, column } of referencesTo[kind]) {
    const rows = await knex(table)
      .where({ project_id: projectId, [column]: id })
      .orderBy('id')
      .limit(maximumReferrers)
      .select<{ id: string; name: string }[]>('id', 'name');
    found.push(...rows.map((row) => ({ kind: referring, ...row })));
  }
  return found.slice(0, maximumReferrers);
}

const activeDesignsNaming = {
  integration: { table: 'conversation_integrations', column: 'integration_id' },
  knowledgeBase: { table: 'conversation_knowledge_bases', column: 'knowledge_base_id' },
} as const;

/** The conversations whose active design names a record, at most a hundred. The record has to be locked. */
export async function conversationsNaming(
  { knex }: Queries,
  projectId: string,
  kind: keyof typeof activeDesignsNaming,
  id: string,
): Promise<Referrer[]> {
  const { table, column } = activeDesignsNaming[kind];
  const rows = await knex(`${table} as named`)
    .join('conversations as conversation', {
      'conversation.project_id': 'named.project_id',
      'conversation.id': 'named.conversation_id',
    })
    .where({ 'named.project_id': projectId, [`named.${column}`]: id })
    .orderBy('named.conversation_id')
    .limit(maximumReferrers)
    .select<{ id: string; name: string }[]>('conversation.id', 'conversation.name');
  return rows.map((row) => ({ kind: 'conversation', ...row }));
}
