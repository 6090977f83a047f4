import type pg from 'pg';
import { greetingWarnings } from '../../../resources/designs/greeting.ts';
import { problemsToday } from '../../../resources/designs/prepare.ts';
import { hasTable, namedRecords } from './database.ts';
import { type Finding, ok, warning } from './finding.ts';

/** Documents that are read at once: 12 MiB at most. */
const documentsAtOnce = 50;

/** The configurations with which a number answers, after a flow. */
const liveFlows = `
  select project_id as "projectId", flow_id as id, flow_schema as document from flow_versions version
  where is_active and (project_id, flow_id) > ($1, $2) and exists (
    select from phone_numbers number
    where number.project_id = version.project_id and number.flow_id = version.flow_id and status = 'enabled'
  )
  order by project_id, flow_id limit ${documentsAtOnce}`;

/** The active designs after a conversation. */
const liveDesigns = `
  select conversation.project_id as "projectId", id, design as document
  from conversations conversation join conversation_versions version
    on version.project_id = conversation.project_id and conversation_id = id and n = active_version
  where (conversation.project_id, id) > ($1, $2) and design is not null
  order by conversation.project_id, id limit ${documentsAtOnce}`;

/** Looks for flows that answer calls with a greeting that does not disclose the AI. */
export async function greetingsDisclose(session: pg.Client): Promise<Finding[]> {
  if (!(await hasTable(session, 'phone_numbers'))) return [];
  const mend = 'change the greeting with edit_flow, and activate that version';
  const { named, more } = await failing(session, liveFlows, (flow) => greetingWarnings(flow)[0]);
  const findings = named.map(({ id, path, message }) =>
    warning(`the flow ${id} answers calls and does not disclose the AI: ${path}: ${message}`, mend),
  );
  return more > 0
    ? [...findings, warning(`${more} more flows answer calls and do not disclose the AI`, mend)]
    : findings;
}

/** Looks for live versions of conversations that could not go live today: an import and earlier releases proved nothing. */
export async function designsHold(session: pg.Client): Promise<Finding[]> {
  if (!(await hasTable(session, 'conversations'))) return [];
  const mend = 'repair it with edit_design, and activate that version';
  const { named, more } = await failing(session, liveDesigns, (design) => problemsToday(design)[0]);
  const findings = named.map(({ id, path, message }) =>
    warning(
      `the live version of the conversation ${id} could not be activated today: ${path}: ${message}`,
      mend,
    ),
  );
  return more > 0
    ? [...findings, warning(`${more} more live versions of conversations could not be activated today`, mend)]
    : findings;
}

/** What callers may reach by voice, and the workers that live. */
const voices = `
  select
    (select count(*)::int from phone_numbers where status = 'enabled' and coalesce(flow_id, conversation_id) is not null)
      as numbers,
    (select count(*)::int from web_agents where status = 'active' and 'voice' = any(scopes)) as "webAgents",
    (select count(*)::int from voice_workers where seen_at > clock_timestamp() - interval '10 seconds') as workers`;

/** Looks for numbers and web agents that nobody answers by voice. */
export async function callsAreAnswered(session: pg.Client): Promise<Finding[]> {
  if (!(await hasTable(session, 'voice_workers'))) return [];
  const { rows } = await session.query<{ numbers: number; webAgents: number; workers: number }>(voices);
  const [{ numbers, webAgents, workers } = { numbers: 0, webAgents: 0, workers: 0 }] = rows;
  if (workers > 0)
    return [ok(`${workers} ${workers === 1 ? 'voice worker answers' : 'voice workers answer'} calls`)];
  if (numbers > 0)
    return [
      warning(
        `nobody answers the calls of ${numbers === 1 ? '1 phone number' : `${numbers} phone numbers`}: no voice worker runs`,
        'start one with npm run voice',
      ),
    ];
  return webAgents === 0
    ? []
    : [ok('no voice worker runs: web agents talk turn by turn, as far as models hear and speak')];
}

/** Looks for secrets that nobody has bound to hosts since before secrets were bound. */
export async function secretsBound(session: pg.Client): Promise<Finding[]> {
  const { rows: columns } = await session.query(
    `select from information_schema.columns
     where table_schema = current_schema() and table_name = 'secrets' and column_name = 'hosts'`,
  );
  if (columns.length === 0) return [];
  const { rows } = await session.query<{ projectId: string; name: string; count: number }>(
    `select project_id as "projectId", name, count(*) over ()::int as count from secrets where hosts is null
     order by project_id, name limit ${mostUnbound}`,
  );
  return rows.length === 0
    ? []
    : [
        warning(
          `${rows[0]?.count} secrets are bound to no host, so only live versions send them: ${rows.map(({ projectId, name }) => `${name} of ${projectId}`).join(', ')}`,
          'bind each with set_secret {name, hosts}; validate_design names the hosts',
        ),
      ];
}

/** Secrets that a finding names. */
const mostUnbound = 5;

interface Failing {
  readonly id: string;
  readonly path: string;
  readonly message: string;
}

/** Reads all documents, some at a time. Returns the first with a problem, and how many more there are. */
async function failing(
  session: pg.Client,
  page: string,
  problemIn: (document: unknown) => Omit<Failing, 'id'> | undefined,
): Promise<{ named: Failing[]; more: number }> {
  const named: Failing[] = [];
  let more = 0;
  let after = ['', ''];
  for (;;) {
    const { rows } = await session.query<{ projectId: string; id: string; document: unknown }>(page, after);
    for (const { projectId, id, document } of rows) {
      after = [projectId, id];
      const problem = problemIn(document);
      if (problem && named.length < namedRecords) named.push({ ...problem, id });
      else if (problem) more += 1;
    }
    if (rows.length < documentsAtOnce) return { named, more };
  }
}
