import { pool, type Transact } from './database.ts';

type Row = Record<string, unknown>;
type Container = Record<string, unknown>;

/** With a search text, because Parley's worker would write one later, in the rounds that measure Parley. */
const insertDesign = {
  name: 'insert_design',
  text: `insert into conversation_versions (project_id, conversation_id, n, tag, design, design_bytes, search_text)
    values ($1, $2, $3, $4, $5, $6, '') returning n, tag, created_at`,
};

/** Version numbers start here, above those that Parley uses in the same database. */
let newest = 1_000_000_000;

/** Stores a design as a version, with one insert. */
export async function writeVersion(projectId: string, conversationId: string, design: unknown) {
  const text = JSON.stringify(design);
  newest += 1;
  const values = [projectId, conversationId, newest, `v${newest}`, text, Buffer.byteLength(text)];
  const { rows } = await pool.query<Row>({ ...insertDesign, values });
  const { n, tag, created_at } = rows[0] ?? {};
  return { n: Number(n), tag, isActive: false, createdAt: created_at, design };
}

/** The lists of a design that name records. */
interface Named {
  readonly integrations?: readonly { readonly integrationId: string }[];
  readonly knowledge?: readonly { readonly knowledgeBaseId: string }[];
}

/** A `replace` of JSON Patch. */
export interface Replacement {
  readonly path: string;
  readonly value: unknown;
}

const selectDesign = {
  name: 'find_design',
  text: `select cast(design as text) as design from conversation_versions
    where project_id = $1 and conversation_id = $2 and n = $3`,
};

const lockConversation = {
  name: 'lock_conversation',
  text: 'select newest_version from conversations where project_id = $1 and id = $2 for no key update',
};

/** The records that a design names, locked. */
const lockNamed = {
  name: 'lock_named',
  text: `select plan,
    array(select array[id, kind] from integrations
      where project_id = projects.id and id = any ($2) for key share) as integrations,
    array(select id from knowledge_bases
      where project_id = projects.id and id = any ($2) for key share) as knowledge_bases,
    array(select id from conversations where project_id = projects.id and id = any ($2)) as conversations,
    array(select name from secrets where project_id = projects.id and name = any ($2)) as secrets
    from projects where id = $1`,
};

const nextVersion = {
  name: 'next_version',
  text: `update conversations set newest_version = newest_version + 1 where project_id = $1 and id = $2
    returning newest_version`,
};

/** Stores version n with replacements as the next version: a read, then two locks, an update of the counter and an insert. */
export async function editDesign(
  transact: Transact,
  projectId: string,
  conversationId: string,
  n: number,
  patch: readonly Replacement[],
) {
  const found = await pool.query<{ design: string }>({
    ...selectDesign,
    values: [projectId, conversationId, n],
  });
  const design = JSON.parse(found.rows[0]?.design ?? 'null') as Container;
  for (const { path, value } of patch) replace(design, path.split('/').slice(1), value);
  const { integrations = [], knowledge = [] } = design as Named;
  const named = [
    ...integrations.map(({ integrationId }) => integrationId),
    ...knowledge.map(({ knowledgeBaseId }) => knowledgeBaseId),
  ];
  const text = JSON.stringify(design);
  const changes = patch.map(({ path }) => ({
    path: path.split('/').slice(0, 3).join('/'),
    change: 'changed',
  }));
  return transact(async (client) => {
    await client.query({ ...lockConversation, values: [projectId, conversationId] });
    await client.query({ ...lockNamed, values: [projectId, named] });
    const counted = await client.query<Row>({ ...nextVersion, values: [projectId, conversationId] });
    const next = Number(counted.rows[0]?.['newest_version']);
    const values = [projectId, conversationId, next, `v${next}`, text, Buffer.byteLength(text)];
    const { rows } = await client.query<Row>({ ...insertDesign, values });
    const { tag, created_at } = rows[0] ?? {};
    return { n: next, tag, isActive: false, createdAt: created_at, changes, design };
  });
}

function replace(container: Container, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) container[name] = value;
  else replace(container[name] as Container, rest, value);
}
