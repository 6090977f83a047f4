import { newId, pool, type Transact } from './database.ts';

type Row = Record<string, unknown>;

/** A flow in a response. */
function flowOf(row: Row) {
  return {
    id: row['id'],
    projectId: row['project_id'],
    name: row['name'],
    type: row['type'],
    description: row['description'],
    agentProfileId: row['agent_profile_id'],
    createdAt: row['created_at'],
    updatedAt: row['updated_at'],
  };
}

const columns = 'id, project_id, name, type, description, agent_profile_id, created_at, updated_at';

const selectFlow = {
  name: 'find_flow',
  text: `select ${columns} from flows where project_id = $1 and id = $2`,
};

/** Returns a flow of a project, with a named statement. */
export async function findFlow(projectId: string, id: string) {
  const { rows } = await pool.query<Row>({ ...selectFlow, values: [projectId, id] });
  return rows[0] && flowOf(rows[0]);
}

const selectFlowWithConfiguration = {
  name: 'find_flow_with_configuration',
  text: `select flows.id, name, type, description, version, newest_version, flow_schema
    from flows join flow_versions versions
      on versions.project_id = flows.project_id and flow_id = flows.id and is_active
    where flows.project_id = $1 and flows.id = $2`,
};

/** Returns a flow as an MCP tool shows it: without dates, and with its active configuration. */
export async function findFlowWithConfiguration(projectId: string, flowId: string) {
  const { rows } = await pool.query<Row>({ ...selectFlowWithConfiguration, values: [projectId, flowId] });
  const [row] = rows;
  if (!row) return undefined;
  const { id, name, type, description, version, newest_version, flow_schema: flowSchema } = row;
  const numbers = { activeVersion: Number(version), newestVersion: Number(newest_version) };
  return { id, name, type, description, ...numbers, flowSchema };
}

const insertFlow = {
  name: 'insert_flow',
  text: `insert into flows (project_id, id, name, type, description, newest_version)
    values ($1, $2, $3, $4, $5, 1) returning ${columns}`,
};

/** With a search text, because Parley's worker would write one later, in the rounds that measure Parley. */
const insertFirstVersion = {
  name: 'insert_first_version',
  text: `insert into flow_versions
    (project_id, id, flow_id, version, tag, flow_schema, flow_schema_bytes, is_active, search_text)
    values ($1, $2, $3, 1, 'v1', $4, $5, true, '')`,
};

/** The input of a new flow. */
export interface NewFlow {
  readonly name: string;
  readonly type?: string;
  readonly description?: string;
  readonly flowSchema: unknown;
}

/** Creates a flow and its first version: two inserts by named statements. */
export function createFlow(
  transact: Transact,
  projectId: string,
  { name, type = 'simple', description, flowSchema }: NewFlow,
) {
  const id = newId('cfl');
  const schema = JSON.stringify(flowSchema);
  return transact(async (client) => {
    const values = [projectId, id, name, type, description];
    const { rows } = await client.query<Row>({ ...insertFlow, values });
    const versionId = newId('cfv');
    const version = [projectId, versionId, id, schema, Buffer.byteLength(schema)];
    await client.query({ ...insertFirstVersion, values: version });
    return { flow: rows[0] && flowOf(rows[0]), versionId };
  });
}

const nextFlowVersion = {
  name: 'next_flow_version',
  text: `update flows set newest_version = newest_version + 1 where project_id = $1 and id = $2
    returning newest_version`,
};

const insertFlowVersion = {
  name: 'insert_flow_version',
  text: `insert into flow_versions
    (project_id, id, flow_id, version, tag, flow_schema, flow_schema_bytes, is_active, search_text)
    values ($1, $2, $3, $4, $5, $6, $7, false, '') returning created_at, updated_at`,
};

/** Stores the next version of a flow: an update of the counter, and an insert. */
export function createFlowVersion(
  transact: Transact,
  projectId: string,
  flowId: string,
  flowSchema: unknown,
) {
  const schema = JSON.stringify(flowSchema);
  const id = newId('cfv');
  return transact(async (client) => {
    const counted = await client.query<Row>({ ...nextFlowVersion, values: [projectId, flowId] });
    const version = Number(counted.rows[0]?.['newest_version']);
    const tag = `v${version}`;
    const values = [projectId, id, flowId, version, tag, schema, Buffer.byteLength(schema)];
    const { rows } = await client.query<Row>({ ...insertFlowVersion, values });
    const { created_at: createdAt, updated_at: updatedAt } = rows[0] ?? {};
    return { id, flowId, version, tag, flowSchema, isActive: false, createdAt, updatedAt };
  });
}

const lockFlow = {
  name: 'lock_flow',
  text: `select id from flows
    where project_id = $1 and id in (select flow_id from flow_versions where project_id = $1 and id = $2)
    for no key update`,
};

const deactivateVersion = {
  name: 'deactivate_version',
  text: `update flow_versions set is_active = false, updated_at = now()
    where project_id = $1 and flow_id = $2 and is_active and id <> $3`,
};

const activateVersion = {
  name: 'activate_version',
  text: `update flow_versions
    set is_active = true, updated_at = case when is_active then updated_at else now() end
    where project_id = $1 and id = $2
    returning id, flow_id, version, tag, flow_schema, created_at, updated_at`,
};

/** Activates a version: a lock of the flow, and two updates. Returns undefined if it does not exist. */
export function activateFlowVersion(transact: Transact, projectId: string, id: string) {
  return transact(async (client) => {
    const { rows: flows } = await client.query<Row>({ ...lockFlow, values: [projectId, id] });
    const flowId = flows[0]?.['id'];
    await client.query({ ...deactivateVersion, values: [projectId, flowId, id] });
    const { rows } = await client.query<Row>({ ...activateVersion, values: [projectId, id] });
    const [row] = rows;
    return (
      row && {
        id,
        flowId,
        version: Number(row['version']),
        tag: row['tag'],
        flowSchema: row['flow_schema'],
        isActive: true,
        createdAt: row['created_at'],
        updatedAt: row['updated_at'],
      }
    );
  });
}
