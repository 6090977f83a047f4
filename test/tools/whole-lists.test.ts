import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { tools } from '../contract/registry.ts';
import { openProject, type Project } from '../helpers/project.ts';
import { openWorld, type World } from '../helpers/world.ts';

let world: World;
let project: Project;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  project = await openProject(world);
});
afterAll(() => world.close());

/** More than two pages. */
const count = 2005;

/** A list with `count` items, which are inserted by SQL because that is faster than calls. */
interface LongListing {
  readonly route: string;
  readonly arguments: Record<string, unknown>;
}

/** Inserts rows of the project; `values` selects the columns after `project_id` and `id`. */
async function insert(table: string, letters: string, columns: string, values: string): Promise<void> {
  await world.rows(
    `insert into ${table} (project_id, id, ${columns})
     select $1, 'c${letters}' || lpad(n::text, 26, '0'), ${values} from generate_series(1, $2::int) as n`,
    [project.projectId, count],
  );
}

const ofProject = (name: string): LongListing => ({
  route: `/v1/projects/${project.projectId}/${name}`,
  arguments: { projectId: project.projectId },
});

const lists: Record<string, () => Promise<LongListing>> = {
  async list_flows() {
    await insert('flows', 'fl', 'name, type, newest_version', `'Flow', 'simple', 1`);
    return ofProject('flows');
  },
  async list_agent_profiles() {
    await insert('agent_profiles', 'ap', 'name, reasoning_mode, output_voice_id', `'P', 'fast', 'alloy'`);
    return ofProject('agent-profiles');
  },
  async list_integrations() {
    const columns = 'kind, provider, name, sealed_credentials';
    await insert('integrations', 'in', columns, `'crm', 'p', 'I', '\\x00'`);
    return ofProject('integrations');
  },
  async list_flow_versions() {
    const flowId = await project.newFlow();
    await world.rows(
      `insert into flow_versions (project_id, id, flow_id, version, tag, flow_schema, flow_schema_bytes, is_active)
       select $1, 'cfv' || lpad(n::text, 26, '0'), $2, n, 'v' || n, '{}', 2, false from generate_series(2, $3::int) as n`,
      [project.projectId, flowId, count],
    );
    return { route: `/v1/flows/${flowId}/versions`, arguments: { flowId } };
  },
  async list_conversation_versions() {
    const conversations = `/v1/projects/${project.projectId}/conversations`;
    const { id: conversationId } = (await project.call('POST', conversations, { name: 'C' })).body;
    await world.rows(
      `insert into conversation_versions (project_id, conversation_id, n, tag, design, design_bytes)
       select $1, $2, n, 'v' || n, '{}', 2 from generate_series(2, $3::int) as n`,
      [project.projectId, conversationId, count],
    );
    return { route: `/v1/conversations/${conversationId}/versions`, arguments: { conversationId } };
  },
};

test('the lists below are all lists with pages whose limit has no default', () => {
  const whole = tools.filter(({ input }) => {
    const { limit } = input.entries;
    return limit !== undefined && (limit as { default?: unknown }).default === undefined;
  });
  expect(whole.map(({ name }) => name).toSorted()).toEqual(Object.keys(lists).toSorted());
});

describe.each(Object.entries(lists))('%s', (name, arrange) => {
  test('returns every item in REST, and a page with a cursor on MCP', async () => {
    const { route, arguments: input } = await arrange();
    const { body } = await project.call('GET', route);
    const [items] = Object.values<Record<string, unknown>[]>(body);
    expect(Object.keys(body)).toHaveLength(1);
    expect(items?.length).toBe(count);
    // Each once, in order.
    const places = items?.map((item) => Number(item['n'] ?? item['version'] ?? String(item['id']).slice(3)));
    expect(places).toEqual(Array.from({ length: count }, (_, index) => count - index));
    const marks = items?.map((item) => item['isActive']).filter((mark) => mark === true);
    expect(marks).toHaveLength('isActive' in (items?.[0] ?? {}) ? 1 : 0);

    const page = await project.call('GET', `${route}?limit=2`);
    expect(Object.values(page.body)).toEqual([items?.slice(0, 2), expect.any(String)]);
    const client = await world.mcp('modern http', project.key);
    const { structuredContent } = await client.callTool({ name, arguments: input });
    expect(structuredContent?.['nextCursor']).toEqual(expect.any(String));
  });
});
