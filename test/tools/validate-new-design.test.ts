import { afterAll, beforeAll, expect, test } from 'vitest';
import { starterDesign } from '../../src/design/starter.ts';
import { newId } from '../../src/platform/id.ts';
import { type DesignProject, newIntegration, openDesignProject, refused } from '../helpers/design-project.ts';
import { openWorld, type World } from '../helpers/world.ts';

let world: World;
let project: DesignProject;
let route: string;
beforeAll(async () => {
  world = await openWorld();
  project = await openDesignProject(world);
  route = `/v1/projects/${project.projectId}/designs/validate`;
});
afterAll(() => world.close());

const post = (body: unknown, { key, at = route }: { key: string; at?: string }) =>
  world.rest('POST', at, { key, body });
const wrong = { ...starterDesign, entry: { ...starterDesign.entry, stepId: 'nobody' } };

test('checks a design without a conversation, as validate_design does over MCP, and writes nothing', async () => {
  const { key } = await world.key(project.projectId, { access: ['read'] });
  const client = await world.mcp('modern http', key);
  for (const design of [starterDesign, wrong, null, { ...starterDesign, steps: 7 }]) {
    const { status, body } = await post({ design }, { key });
    const { design: completed, ...found } = body;
    const { structuredContent } = await client.callTool({ name: 'validate_design', arguments: { design } });
    expect({ status, found }).toEqual({ status: 200, found: structuredContent });
    expect(completed === null).toBe(!found.valid);
  }
  const [counted] = await world.rows(
    `select (select count(*) from conversations) as conversations, (select count(*) from audit_log
       where project_id = $1) as audited`,
    [project.projectId],
  );
  expect(counted).toEqual({ conversations: '0', audited: '0' });
});

test('reports every problem at once, and finds the records of its own project only', async () => {
  const projects = [project, await openDesignProject(world)];
  const ids = await Promise.all(projects.map((one) => newIntegration(world, one)));
  const integrations = ids.map((integrationId, index) => ({ id: `crm${index}`, kind: 'crm', integrationId }));
  const { body } = await post({ design: { ...wrong, integrations } }, { key: project.key });
  expect({ valid: body.valid, design: body.design }).toEqual({ valid: false, design: null });
  const errors = body.problems.filter(({ severity }: { severity: string }) => severity === 'error');
  expect(errors).toMatchObject([
    { code: 'invalid_transition', path: '/entry/stepId' },
    { code: 'unknown_integration_ref', path: '/integrations/1/integrationId' },
  ]);
});

test('returns 404 for another project, 403 without read access, and 401 without a key', async () => {
  const body = { design: starterDesign };
  const other = await world.tenant();
  const { key } = project;
  for (const id of [other.projectId, newId('project'), newId('conversation')])
    refused(await post(body, { key, at: `/v1/projects/${id}/designs/validate` }), 404, 'not_found');
  refused(await post(body, { key: other.key }), 404, 'not_found');
  const narrow = await world.key(project.projectId, { access: ['draft'] });
  refused(await post(body, { key: narrow.key }), 403, 'forbidden');
  const publishable = await world.key(project.projectId, { type: 'publishable' });
  refused(await post(body, { key: publishable.key }), 403, 'forbidden');
  refused(await world.rest('POST', route, { body }), 401, 'unauthorized');
});

test('refuses a body without a design, and inputs that need a conversation', async () => {
  const { key } = project;
  for (const body of [{}, undefined])
    expect(refused(await post(body, { key }), 400, 'invalid_request').details.issues).toEqual([
      { in: 'body', path: '/design', message: 'Is required.' },
    ]);
  for (const more of [{ merge: {} }, { version: 1 }, { conversationId: newId('conversation') }])
    refused(await post({ design: starterDesign, ...more }, { key }), 400, 'invalid_request');
});

test('is not a tool of its own, and no selection names it', async () => {
  const client = await world.mcp('modern http', project.key);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).not.toContain('validate_new_design');
  const call = client.callTool({ name: 'validate_new_design', arguments: { design: starterDesign } });
  await expect(call).rejects.toThrow(/Unknown tool: validate_new_design. Did you mean validate_design/);
});
