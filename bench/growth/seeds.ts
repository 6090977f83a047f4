import { outsideNames } from '../../src/design/facts.ts';
import { openPool } from '../../src/postgres/pool.ts';
import { storesIn } from '../../src/resources/project-stores.ts';
import { searchTextOf } from '../../src/services/search/document-text.ts';
import { jsonDocument } from '../../src/store/json-document.ts';
import { realDesign } from '../../test/designs/real-designs.ts';
import { type Database, openSession } from './databases.ts';

/** The configuration of every flow version: about 700 bytes, as a simple flow has. */
export const flowSchema = {
  greeting: 'Good day, this is the practice of Dr. Kay. How may I help you?',
  instructions:
    'Find out what the caller needs. Offer the next free slot, read the time back, and ask for a telephone number. If the caller is in pain, offer a slot of the same day. If the caller asks for a prescription, take down its name and the strength, and say that it is ready after two working days.',
  language: 'en',
  persona: { name: 'Robin', role: 'receptionist', tone: 'calm' },
  questions: [
    { key: 'name', prompt: 'May I have your name?', required: true },
    { key: 'reason', prompt: 'What is it about?' },
    { key: 'phone', prompt: 'Under which number can we reach you?' },
  ],
  closing: 'Thank you for calling.',
};

/** The configuration of flows that are many. */
const shortSchema = { greeting: 'Hello', language: 'en' };

/** The n-th moment of `count`, in milliseconds: they are spread over 30 days, and the last one is a second ago. */
const moment = (count: number | string) =>
  `(extract(epoch from now()) * 1000)::bigint - 1000 - ((${count} - n) * greatest(2592000000 / ${count}, 1))::bigint`;

const flowColumns = 'project_id, id, name, type, description, newest_version, created_at, updated_at';
const versionColumns =
  'project_id, id, flow_id, version, tag, flow_schema, flow_schema_bytes, is_active, search_text, created_at, updated_at';

const toTime = 'to_timestamp(at / 1000.0)';

/** Adds flows with one version each to the project, all of one agent profile. Returns the id of the profile. */
export async function addFlows({ session, projectId }: Database, count: number): Promise<string> {
  const profileId = `cap${projectId.slice(3)}`;
  await session.query(
    `insert into agent_profiles (project_id, id, name, reasoning_mode, output_voice_id)
     values ($1, $2, 'Reception', 'fast', 'voice')`,
    [projectId, profileId],
  );
  await session.query(
    `insert into flows (agent_profile_id, agent_profile_position, ${flowColumns})
     select $2, n, $1, pg_temp.id('fl', at), 'Flow ' || n, 'simple', 'Seeded', 1, ${toTime}, ${toTime}
     from generate_series(1, ${count}) n cross join lateral (select ${moment(count)} as at) moments`,
    [projectId, profileId],
  );
  await session.query(
    `insert into flow_versions (${versionColumns})
     select project_id, 'cfv' || substr(id, 4), id, 1, 'v1', $2::text::json, octet_length($2::text), true, $3, created_at,
       updated_at
     from flows where project_id = $1`,
    [projectId, JSON.stringify(shortSchema), searchTextOf(shortSchema)],
  );
  return profileId;
}

/**
 * Adds other projects to the organization, with as many flows each. The flows of all projects take turns in the table,
 * because that is how they are made.
 */
export async function addProjects(
  { session, organizationId }: Database,
  projects: number,
  flowsEach = 0,
): Promise<void> {
  await session.query(
    `insert into projects (id, organization_id, name)
     select pg_temp.id('pr', at), $1, 'Project ' || n
     from generate_series(1, ${projects}) n cross join lateral (select ${moment(projects)} as at) moments`,
    [organizationId],
  );
  await session.query(
    `insert into flows (${flowColumns})
     select project.id, pg_temp.id('fl', at - place), 'Flow ' || n, 'simple', 'Seeded', 1, ${toTime}, ${toTime}
     from generate_series(1, ${flowsEach}) n
     cross join (select id, row_number() over (order by id) as place from projects where name like 'Project %') as project
     cross join lateral (select ${moment(Math.max(flowsEach, 1))} as at) moments`,
  );
}

/** Adds flows with as many versions each; version 1 is active. Returns the ids of the flows. */
export async function addVersions(
  { session, projectId }: Database,
  flows: number,
  versionsEach: number,
): Promise<string[]> {
  const total = flows * versionsEach;
  const { rows } = await session.query<{ id: string }>(
    `insert into flows (${flowColumns})
     select $1, pg_temp.id('fl', at), 'Versioned ' || n, 'simple', null, ${versionsEach}, ${toTime}, ${toTime}
     from generate_series(1, ${flows}) n
     cross join lateral (select (extract(epoch from now()) * 1000)::bigint - n as at) moments
     returning id`,
    [projectId],
  );
  const ids = rows.map(({ id }) => id);
  await session.query(
    `insert into flow_versions (${versionColumns})
     select $1, pg_temp.id('fv', at), ($2::text[])[1 + (n - 1) % ${flows}], version, 'v' || version, $3::text::json, octet_length($3::text),
       version = 1, $4, ${toTime}, ${toTime}
     from generate_series(1, ${total}) n
     cross join lateral (select ${moment(total)} as at, 1 + (n - 1) / ${flows} as version) moments`,
    [projectId, ids, JSON.stringify(flowSchema), searchTextOf(flowSchema)],
  );
  return ids;
}

/** Rows of one statement: Postgres remembers the foreign keys to check of each until its end. */
const auditChunk = 500_000;

/** The records that the audit rows name, one after the other. */
const auditedRecords = 20;
/** The record of the oldest audit rows. */
export const oldestRecord = 'cfl01k5l3jm9v8fd9dc96ee872400';

/** Adds audit rows, in turn for each of the organization's projects. Two sessions use both cores. */
export async function addAuditRows({ url, organizationId }: Database, count: number): Promise<void> {
  const starts = Array.from(
    { length: Math.ceil(count / auditChunk) },
    (_, chunk) => chunk * auditChunk,
  ).values();
  const insertChunks = async () => {
    const session = await openSession(url);
    for (const start of starts)
      await session.query(
        `insert into audit_log (project_id, id, key_id, operation, request_id, input_hash, output_hash, created_at, resource_id)
         select projects[1 + n % cardinality(projects)], pg_temp.id('au', at), 'cak01k5l3jm9v8fd9dc96ee87242e',
           'update_flow', '5e39aa33-8d5a-4b1c-9f0e-c8d2f1a3b4c5', repeat(hash, 2), repeat(hash, 2), ${toTime},
           left('${oldestRecord}', -2) || to_char((n - 1) * ${auditedRecords}::bigint / ${count}, 'FM00')
         from generate_series(${start + 1}, ${Math.min(start + auditChunk, count)}) n
         cross join lateral (select ${moment(count)} as at, md5(n::text) as hash) moments
         cross join (select array_agg(id) as projects from projects where organization_id = $1) as every`,
        [organizationId],
      );
    await session.end();
  };
  await Promise.all([insertChunks(), insertChunks()]);
}

/** Adds idempotency keys with the response that each has stored, all older than the 24 hours for which they count. */
export async function addOldIdempotencyKeys({ session, projectId }: Database, count: number): Promise<void> {
  await session.query(
    `insert into idempotency_keys (project_id, operation, key, input_hash, answer, created_at)
     select $1, 'create_flow', 'key-' || n, md5(n::text) || md5(n::text),
       json_build_object('id', pg_temp.id('fl', n), 'projectId', $1::text, 'name', 'Flow ' || n, 'type', 'simple',
         'description', 'Seeded', 'agentProfileId', null, 'createdAt', now(), 'updatedAt', now()),
       now() - interval '25 hours' - n * interval '1 millisecond'
     from generate_series(1, ${count}) n`,
    [projectId],
  );
}

/** Adds expired entries to the trash, each of a flow with one version. */
export async function addExpiredTrash({ session, projectId }: Database, count: number): Promise<void> {
  await session.query(
    `insert into trash (project_id, id, kind, resource_id, name, rows, deleted_at, expires_at)
     select $1, pg_temp.id('tr', at), 'flow', pg_temp.id('fl', at), 'Flow ' || n,
       json_build_object('flows', json_build_array(json_build_object('id', pg_temp.id('fl', at), 'name', 'Flow ' || n)),
         'flow_versions', json_build_array(json_build_object('id', pg_temp.id('fv', at), 'flow_schema', $2::json))),
       ${toTime} - interval '31 days', ${toTime} - interval '1 day'
     from generate_series(1, ${count}) n
     cross join lateral (select ${moment(count)} - 2592000000 as at) moments`,
    [projectId, JSON.stringify(flowSchema)],
  );
}

/** Adds a conversation with a design of 20 steps. Returns its id. */
export async function addConversation({ url, session, projectId }: Database): Promise<string> {
  const db = openPool({ connectionString: url, mode: 'write', max: 1, warn: console.error });
  try {
    const rows = async (sql: string, values: unknown[] = []) => (await session.query(sql, values)).rows;
    const design = await realDesign({ rows }, { projectId }, 'utility-outage');
    const made = await storesIn(db, projectId).conversations.create({
      name: 'Line 0',
      description: null,
      kind: 'advanced',
      agentId: null,
      design: jsonDocument(design),
      references: outsideNames(design),
      isApproved: true,
    });
    return made.id;
  } finally {
    await db.destroy();
  }
}

/** Adds conversations, each a copy of the given one with its first version. */
export async function addConversations(
  { session, projectId }: Database,
  conversationId: string,
  count: number,
): Promise<void> {
  await session.query(
    `insert into conversations
     select (jsonb_populate_record(conversations, jsonb_build_object('id', pg_temp.id('cv', at), 'name', 'Line ' || n))).*
     from conversations cross join generate_series(1, ${count}) n
     cross join lateral (select ${moment(count)} as at) moments
     where project_id = $1 and id = $2`,
    [projectId, conversationId],
  );
  await session.query(
    `insert into conversation_versions
     select (jsonb_populate_record(versions, jsonb_build_object('conversation_id', conversations.id))).*
     from conversation_versions versions join conversations using (project_id)
     where project_id = $1 and conversation_id = $2 and conversations.id <> $2`,
    [projectId, conversationId],
  );
}

/**
 * Adds sessions that have ended, each with one turn. One in twenty is of the conversation. One in fifty of those of other
 * conversations was abandoned.
 */
export async function addSessions(
  { session, projectId }: Database,
  conversationId: string,
  count: number,
): Promise<void> {
  await session.query(
    `insert into sessions (project_id, id, conversation_id, version, channel, started_at, active_at, ended_at, reason, outcome,
       played, turns)
     select $1, pg_temp.id('ws', at), case n % 20 when 5 then $2 else pg_temp.id('cv', n % 20) end, 1, 'chat', ${toTime}, ${toTime}, ${toTime}, 'completed',
       case when n % 50 > 0 then 'completed' else 'abandoned' end, 1, 1
     from generate_series(1, ${count}) n cross join lateral (select ${moment(count)} as at) moments`,
    [projectId, conversationId],
  );
  await session.query(
    `insert into session_turns (project_id, session_id, number, events, path, requests, notes)
     select project_id, id, 1, '[]', '[]', '[]', '[]' from sessions where project_id = $1`,
    [projectId],
  );
}
