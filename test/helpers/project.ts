import { expect } from 'vitest';
import { newId } from '../../src/platform/id.ts';
import type { RestAnswer, Tenant, World } from './world.ts';

/** A new project, and the calls that tests of flows make in it. */
export interface Project extends Tenant {
  call(method: string, route: string, body?: unknown): Promise<RestAnswer>;
  /** Creates a flow; the default is the smallest valid one. */
  createFlow(body?: Record<string, unknown>): Promise<RestAnswer>;
  /** Creates a flow and returns its id. */
  newFlow(body?: Record<string, unknown>): Promise<string>;
  /** Creates a version and returns its id. */
  newVersion(flowId: string, flowSchema?: unknown): Promise<string>;
  /** Creates an agent profile and returns its id. */
  newAgentProfile(): Promise<string>;
}

export async function openProject(
  world: World,
  options: Parameters<World['tenant']>[0] = {},
): Promise<Project> {
  const tenant = await world.tenant(options);
  const { projectId, key } = tenant;
  const call = (method: string, route: string, body?: unknown) => world.rest(method, route, { key, body });
  const createFlow = (body: Record<string, unknown> = {}) =>
    call('POST', `/v1/projects/${projectId}/flows`, { name: 'Flow', flowSchema: {}, ...body });
  const idOf = (answer: RestAnswer): string => {
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body.id;
  };
  return {
    ...tenant,
    call,
    createFlow,
    newFlow: async (body) => idOf(await createFlow(body)),
    newVersion: async (flowId, flowSchema = {}) =>
      idOf(await call('POST', `/v1/flows/${flowId}/versions`, { flowSchema })),
    async newAgentProfile() {
      const id = newId('agentProfile');
      await world.rows(
        `insert into agent_profiles (project_id, id, name, reasoning_mode, output_voice_id)
         values ($1, $2, 'Profile', 'fast', 'alloy')`,
        [projectId, id],
      );
      return id;
    },
  };
}

/** Reads every page of a list. */
export async function pagesOf(
  project: Pick<Project, 'call'>,
  route: string,
  limit: number,
): Promise<RestAnswer['body'][]> {
  const pages: RestAnswer['body'][] = [];
  for (let cursor: string | undefined; ; ) {
    const query = new URLSearchParams({ limit: String(limit), ...(cursor !== undefined && { cursor }) });
    const { status, body } = await project.call('GET', `${route}?${query}`);
    expect(status, JSON.stringify(body)).toBe(200);
    pages.push(body);
    if (!('nextCursor' in body)) return pages;
    cursor = body.nextCursor;
  }
}

/** The format of a record's timestamps. */
export const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

/** Moves the timestamps of a project's flows into the past, so that every change is visible. */
export async function ageFlows(world: World, projectId: string): Promise<void> {
  for (const table of ['flows', 'flow_versions'])
    await world.rows(
      `update ${table} set created_at = created_at - interval '1 hour', updated_at = updated_at - interval '1 hour'
       where project_id = $1`,
      [projectId],
    );
}

export interface FlowIssue {
  path: string;
  message: string;
}

/** Returns the issues of a rejected configuration; none if it is accepted. */
export async function issuesOf(
  project: Project,
  type: 'simple' | 'graph',
  flowSchema: unknown,
): Promise<FlowIssue[]> {
  const { status, body } = await project.createFlow({ type, flowSchema });
  if (status === 201) return [];
  expect({ status, code: body.error.code }).toStrictEqual({ status: 422, code: 'flow_schema_invalid' });
  for (const issue of body.error.details.issues)
    expect(issue).toStrictEqual({ path: expect.any(String), message: expect.stringMatching(/\S/) });
  return body.error.details.issues;
}
