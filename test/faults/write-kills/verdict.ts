import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { toolNamed } from '../../contract/registry.ts';
import type { Laboratory } from '../../helpers/laboratory.ts';
import type { Tenant } from '../../helpers/world.ts';
import { send } from './calls.ts';
import type { Acknowledged, ExpectedRecord, History } from './writers.ts';

/** Reads of one check that run at once. */
const readersAtOnce = 8;

export interface Place {
  readonly base: string;
  readonly tenant: Tenant;
  readonly laboratory: Laboratory;
}

interface AuditRow {
  readonly operation: string;
  readonly requestId: string;
  readonly outputHash: string;
}

/** Returns one line for each record that is not read as its latest acknowledged write left it. */
export async function lostRecords(place: Place, records: Iterable<ExpectedRecord>): Promise<string[]> {
  const problems: string[] = [];
  await inParallel(records, async ({ operation, input, expected }) => {
    const text = await read(place, operation, input).catch((error: unknown) => String(error));
    const found = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {};
    // The replica that answers names itself in the link.
    const wrong = Object.keys(expected).filter(
      (name) => name !== 'link' && !isDeepStrictEqual(found[name], expected[name]),
    );
    if (wrong.length > 0)
      problems.push(`${operation} ${JSON.stringify(input)} differs in ${wrong.join(', ')}: ${text}`);
  });
  return problems;
}

/** Returns one line for each kind of row that is half done: rows without their other half. */
export async function halfDoneWrites({ laboratory, tenant: { projectId } }: Place): Promise<string[]> {
  const rows = await laboratory.rows<{ problem: string }>(halfDone, { projectId });
  return rows.map(({ problem }) => problem);
}

/** Returns one line for each acknowledged write without exactly one audit row that matches its response. */
export async function unauditedWrites(place: Place, { acknowledged }: History): Promise<string[]> {
  const rows = await auditRows(place);
  const byRequest = Map.groupBy(rows, ({ requestId }) => requestId);
  const byOutput = Map.groupBy(rows, ({ outputHash }) => outputHash);
  const isAudited = ({
    operation,
    requestId,
    transport,
    text,
    isRepeated,
    isWithoutSecret,
  }: Acknowledged) => {
    const ofRequest = byRequest.get(requestId) ?? [];
    const ofOutput = byOutput.get(sha256(text)) ?? [];
    const isOne = (found: readonly AuditRow[]) => found.length === 1 && found[0]?.operation === operation;
    // A repeated write may return the stored response of a request whose id never arrived.
    if (!isRepeated && !isOne(ofRequest)) return false;
    // A result over MCP may leave out members that the audit row hashes, and so does REST if only MCP adds them.
    const isShorter = isWithoutSecret || transport === 'MCP' || toolNamed(operation).rest.omits.length > 0;
    return isShorter || (isOne(ofOutput) && (isRepeated || ofOutput[0] === ofRequest[0]));
  };
  return acknowledged
    .filter((write) => !isAudited(write))
    .map(({ operation, requestId }) => `${operation} has not one audit row: request ${requestId}`);
}

/**
 * Returns one line for each record whose current state no audit row has as its result: a change in place that was
 * stored without its audit row.
 */
export async function unauditedStates(place: Place): Promise<string[]> {
  const audited = new Set((await auditRows(place)).map(({ outputHash }) => outputHash));
  const { projectId } = place.tenant;
  const changed = await place.laboratory.rows<{ operation: string; input: Record<string, string> }>(
    changedInPlace,
    { projectId },
  );
  const problems: string[] = [];
  await inParallel(changed, async ({ operation, input }) => {
    const text = await read(place, operation, input);
    // The audit row of an activation hashes where callers meet the version, too: nowhere, in this trial.
    const activated = `${text.slice(0, -1)},"answers":[]}`;
    if (![text, activated].some((result) => audited.has(sha256(result))))
      problems.push(`${operation} ${JSON.stringify(input)} was not audited`);
  });
  return problems;
}

/** Returns one line for each acknowledged key that the database does not hold. */
export async function lostKeys({ laboratory, tenant }: Place, history: History): Promise<string[]> {
  const rows = await laboratory.rows<{ id: string; hash: string }>(
    `select id, encode(hash, 'hex') as hash from api_keys where project_id = :projectId`,
    { projectId: tenant.projectId },
  );
  const stored = new Map(rows.map(({ id, hash }) => [id, hash]));
  return history.acknowledged
    .filter(({ operation }) => operation === 'mint_key')
    .map(({ text }) => JSON.parse(text) as { id: string; key?: string })
    .filter(({ id, key }) => (key === undefined ? !stored.has(id) : stored.get(id) !== sha256(key)))
    .map(({ id }) => `the key ${id} is lost`);
}

async function read({ base, tenant }: Place, operation: string, input: Record<string, unknown>) {
  const outcome = await send(base, tenant.key, 'REST', { operation, input });
  if (typeof outcome !== 'object') throw new Error(`${operation} was ${outcome}`);
  return outcome.text;
}

function auditRows({ laboratory, tenant: { projectId } }: Place): Promise<AuditRow[]> {
  return laboratory.rows<AuditRow>(
    `select operation, request_id as "requestId", output_hash as "outputHash"
     from audit_log where project_id = :projectId`,
    { projectId },
  );
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

async function inParallel<Item>(items: Iterable<Item>, work: (item: Item) => Promise<void>): Promise<void> {
  const queue = items[Symbol.iterator]();
  const worker = async () => {
    for (let next = queue.next(); !next.done; next = queue.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: readersAtOnce }, worker));
}

const changedInPlace = `
  select 'get_agent_profile' as operation, json_build_object('agentProfileId', id) as input
  from agent_profiles where project_id = :projectId
  union all
  select 'get_flow_version', json_build_object('versionId', id)
  from flow_versions where project_id = :projectId and is_active and version > 1`;

/** What each kind of row must be as many as: the audit rows of the operations that create it. */
const createdBy = {
  flows: ['create_flow'],
  flow_versions: ['create_flow', 'create_flow_version'],
  agent_profiles: ['create_agent_profile'],
  conversations: ['create_conversation'],
  conversation_versions: ['create_conversation', 'edit_design'],
};

const countProblems = Object.entries({
  ...createdBy,
  "api_keys where key_type = 'publishable' and": ['mint_key'],
}).map(([rows, operations]) => {
  const from = rows.endsWith(' and') ? rows : `${rows} where`;
  const names = operations.map((name) => `'${name}'`).join(', ');
  return `
    select rows.count || ' ${rows.split(' ')[0]} have ' || audits.count || ' audit rows' as problem
    from (select count(*) from ${from} project_id = :projectId) rows,
      (select count(*) from audit_log where project_id = :projectId and operation in (${names})) audits
    where rows.count <> audits.count`;
});

/** The names that a writer chose, which only a write that ran twice can repeat. */
const repeatedNames = [
  ...['flows', 'agent_profiles', 'conversations', 'api_keys'].map((table) => [table, 'name']),
  ['flow_versions', `flow_schema ->> 'greeting'`],
  ['conversation_versions', `design #>> '{steps,bye,line}'`, 'n > 1'],
].map(
  ([table, name, condition = 'true']) => `
    select '${table} hold ' || (${name}) || ' ' || count(*) || ' times' from ${table}
    where project_id = :projectId and ${condition} group by ${name} having count(*) > 1`,
);

const halfDone = [
  ...countProblems,
  ...repeatedNames,
  `select 'the flow ' || flow.id || ' has ' || count(version.id) || ' of ' || newest_version || ' versions, '
     || count(*) filter (where is_active) || ' active'
   from flows flow left join flow_versions version on version.project_id = flow.project_id and version.flow_id = flow.id
   where flow.project_id = :projectId group by flow.project_id, flow.id
   having count(version.id) <> newest_version or min(version) <> 1 or max(version) <> newest_version
     or count(*) filter (where is_active) <> 1`,
  `select 'the conversation ' || conversation.id || ' has ' || count(n) || ' of ' || newest_version || ' versions'
   from conversations conversation
     left join conversation_versions version
       on version.project_id = conversation.project_id and version.conversation_id = conversation.id
   where conversation.project_id = :projectId group by conversation.project_id, conversation.id
   having count(n) <> newest_version or min(n) <> 1 or max(n) <> newest_version
     or count(*) filter (where n = active_version) <> 1`,
  `select 'the idempotency key ' || key || ' of ' || operation || ' has no response'
   from idempotency_keys where project_id = :projectId and answer is null`,
  `select 'the request ' || request_id || ' has ' || count(*) || ' audit rows'
   from audit_log where project_id = :projectId group by request_id having count(*) > 1`,
].join('\nunion all\n');
