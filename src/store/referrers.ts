import type { Knex } from 'knex';
import type { Queries } from './queries.ts';

/** A record that keeps another one from being deleted. */
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

/** The records that refer to a record of each table, and so keep it from being deleted. */
const referencesTo = {
  agent_profiles: [
    { kind: 'flow', table: 'flows', column: 'agent_profile_id' },
    { kind: 'conversation', table: 'conversations', column: 'agent_profile_id' },
  ],
  flows: [{ kind: 'phoneNumber', table: 'phone_numbers', column: 'flow_id' }],
  conversations: [
    { kind: 'phoneNumber', table: 'phone_numbers', column: 'conversation_id' },
    { kind: 'webAgent', table: 'web_agents', column: 'conversation_id' },
  ],
} satisfies Record<string, readonly Reference[]>;

/** Where the active designs of conversations name a record of each table, and so keep it from being deleted. */
const namedInDesigns = {
  integrations: { table: 'conversation_integrations', column: 'integration_id' },
  knowledge_bases: { table: 'conversation_knowledge_bases', column: 'knowledge_base_id' },
} as const;

const maximumReferrers = 100;

/**
 * Locks a record for this transaction, so that no further record comes to refer to it.
 * @returns at most 100 of the records that refer to it; undefined if the project has no such record
 */
export async function referrersOf(
  { knex }: Queries,
  projectId: string,
  table: keyof typeof referencesTo | keyof typeof namedInDesigns,
  id: string,
): Promise<Referrer[] | undefined> {
  const locked = await knex<{ project_id: string; id: string }>(table)
    .where({ project_id: projectId, id })
    .forUpdate()
    .first('id');
  if (!locked) return undefined;
  if (table === 'integrations' || table === 'knowledge_bases')
    return conversationsNaming(knex, projectId, namedInDesigns[table], id);
  const referrers: Referrer[] = [];
  for (const { kind, table: referring, column } of referencesTo[table]) {
    const rows = await knex(referring)
      .where({ project_id: projectId, [column]: id })
      .orderBy('id')
      .limit(maximumReferrers)
      .select<{ id: string; name: string }[]>('id', 'name');
    referrers.push(...rows.map((row) => ({ kind, ...row })));
  }
  return referrers.slice(0, maximumReferrers);
}

async function conversationsNaming(
  knex: Knex,
  projectId: string,
  { table, column }: { readonly table: string; readonly column: string },
  id: string,
): Promise<Referrer[]> {
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
