import { newId } from '../platform/id.ts';
import type { Queries } from './queries.ts';

/** Days for which a deleted resource can be restored. */
const trashDays = 30;

/** The rows of a deleted resource in one table. `deleted_<table>` names them in the SQL below. */
interface TrashedTable {
  readonly table: string;
  /** Selects the rows; `id = :id` unless given. */
  readonly where?: string;
  /** The JSON that a row is kept as; the row as it is unless given. */
  readonly keptAs?: string;
  /** Inserts the rows again; needed only if `keptAs` leaves columns out. */
  readonly restoredBy?: string;
}

interface TrashedResource {
  /** The resource's own table first, then those that refer to it. */
  readonly tables: readonly TrashedTable[];
  /** Bytes that are kept next to the JSON. */
  readonly sealedContent?: string;
  /** A further statement that runs with the deletion. */
  readonly also?: string;
  /** Ids of knowledge sources whose indexing ends. */
  readonly indexed?: string;
}

/**
 * How each kind of resource moves into the trash and back. A voice's audio is kept as bytes, because 20 MB took 5 s to
 * delete as hexadecimal in JSON. A source's file stays in its table, where a restored source needs it. Pages and
 * chunks are derived from the sources: a worker removes them, and a restored source is indexed again.
 */
const resources = {
  flow: { tables: [{ table: 'flows' }, { table: 'flow_versions', where: 'flow_id = :id' }] },
  conversation: {
    tables: [
      { table: 'conversations' },
      { table: 'conversation_versions', where: 'conversation_id = :id' },
      { table: 'conversation_integrations', where: 'conversation_id = :id' },
      { table: 'conversation_knowledge_bases', where: 'conversation_id = :id' },
      { table: 'scenarios', where: 'conversation_id = :id' },
      { table: 'scenario_results', where: 'conversation_id = :id' },
      { table: 'scenario_changes', where: 'conversation_id = :id' },
    ],
  },
  // Its results are lost: they are made again by the next run.
  scenario: { tables: [{ table: 'scenarios' }] },
  agentProfile: {
    tables: [
      {
        table: 'agent_profiles',
        // A project has one default profile, and may have another one when this one comes back.
        keptAs: `to_jsonb(deleted_agent_profiles) || '{"is_default": false}'`,
      },
    ],
  },
  webAgent: { tables: [{ table: 'web_agents' }] },
  integration: { tables: [{ table: 'integrations' }] },
  phoneNumber: { tables: [{ table: 'phone_numbers' }] },
  voice: {
    tables: [
      { table: 'voices' },
      {
        table: 'voice_references',
        where: 'voice_id = :id',
        keptAs: `json_build_object('transcript', transcript)`,
        restoredBy: `
          insert into voice_references (project_id, voice_id, transcript, sealed_audio)
          select project_id, resource_id, rows->'voice_references'->0->>'transcript', sealed_content
          from trash where project_id = :projectId and id = :trashId`,
      },
    ],
    sealedContent: '(select sealed_audio from deleted_voice_references)',
  },
  knowledgeBase: {
    tables: [{ table: 'knowledge_bases' }, { table: 'knowledge_sources', where: 'knowledge_base_id = :id' }],
    also: `
      insert into knowledge_removals (project_id, knowledge_base_id, source_id)
      select project_id, knowledge_base_id, id from deleted_knowledge_sources
      union all select project_id, id, '' from deleted_knowledge_bases
      on conflict do nothing`,
    indexed: `select id from deleted_knowledge_sources where indexing_status = 'inProgress'`,
  },
  knowledgeSource: {
    tables: [{ table: 'knowledge_sources', where: 'knowledge_base_id = :knowledgeBaseId and id = :id' }],
    also: `
      insert into knowledge_removals (project_id, knowledge_base_id, source_id)
      select project_id, knowledge_base_id, id from deleted_knowledge_sources
      on conflict do nothing`,
    indexed: 'select id from deleted_knowledge_sources',
  },
} satisfies Record<string, TrashedResource>;

/** The kinds of resource that the trash holds. */
export type TrashKind = keyof typeof resources;

/** One statement, so that no row is lost or kept twice. */
function moveSql(kind: TrashKind): string {
  const { tables, sealedContent = 'null', also, indexed }: TrashedResource = resources[kind];
  const deletions = tables.map(
    ({ table, where = 'id = :id' }) =>
      `deleted_${table} as (delete from ${table} where project_id = :projectId and ${where} returning *)`,
  );
  const kept = tables.map(({ table, keptAs = `row_to_json(deleted_${table})` }) => {
    return `'${table}', (select coalesce(json_agg(${keptAs}), '[]') from deleted_${table})`;
  });
  return `
    with ${deletions.join(', ')} ${also ? `, further as (${also})` : ''}
    insert into trash (project_id, id, kind, resource_id, name, rows, sealed_content, expires_at)
    select project_id, :trashId, '${kind}', id, name, json_build_object(${kept.join(', ')}), ${sealedContent},
      now() + make_interval(days => ${trashDays})
    from deleted_${tables[0]?.table}
    returning ${indexed ? `array(${indexed})` : `'{}'::text[]`} as indexed`;
}

function restoreSql({ table, restoredBy }: TrashedTable): string {
  return (
    restoredBy ??
    `insert into ${table}
     select * from json_populate_recordset(null::${table},
       (select rows->'${table}' from trash where project_id = :projectId and id = :trashId))
     on conflict do nothing`
  );
}

/** Moves a resource with its rows into the trash; returns the id of its entry, or undefined if the project has no such resource. */
export async function moveToTrash(
  { knex, sql, indexing }: Queries,
  projectId: string,
  kind: TrashKind,
  where: { readonly id: string; readonly knowledgeBaseId?: string },
): Promise<string | undefined> {
  const trashId = newId('trash');
  const bindings = { ...where, projectId, trashId };
  const { rows } = await sql(moveSql(kind), bindings);
  const [moved] = rows as { indexed: string[] }[];
  if (!moved) return undefined;
  if (moved.indexed.length > 0) await indexing?.cancel(knex, moved.indexed);
  return trashId;
}

/**
 * Inserts the rows of a trash entry again, under the same ids.
 * @returns false if the resource's own row conflicts with another one
 */
export async function restoreRows(
  { sql }: Queries,
  projectId: string,
  kind: TrashKind,
  trashId: string,
): Promise<boolean> {
  const restored: number[] = [];
  for (const table of resources[kind].tables) {
    restored.push((await sql(restoreSql(table), { projectId, trashId })).rowCount ?? 0);
  }
  return restored[0] !== 0;
}
