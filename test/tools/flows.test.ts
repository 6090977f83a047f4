import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/platform/id.ts';
import { ageFlows, openProject, type Project, timestamp } from '../helpers/project.ts';
import { openWorld, type World } from '../helpers/world.ts';

let world: World;
let project: Project;
beforeAll(async () => {
  world = await openWorld();
  project = await openProject(world);
});
afterAll(() => world.close());

const issuesOf = (body: { error: { details: { issues: { in: string; path: string }[] } } }) =>
  body.error.details.issues.map(({ in: place, path }) => `${place} ${path}`);

describe('creating a flow', () => {
  test('returns 201 with exactly the record', async () => {
    const agentProfileId = await project.newAgentProfile();
    const given = { name: 'Reception', description: 'Answers.', type: 'graph', agentProfileId };
    const { status, body } = await project.createFlow(given);
    expect(status).toBe(201);
    expect(body).toStrictEqual({
      id: expect.stringMatching(/^cfl[0-9a-z]{26}$/),
      projectId: project.projectId,
      ...given,
      createdAt: timestamp,
      updatedAt: body.createdAt,
    });
    expect((await project.call('GET', `/v1/flows/${body.id}`)).body).toStrictEqual(body);
  });

  test('creates a simple flow without description and agent profile by default', async () => {
    const { body } = await project.createFlow();
    expect(body).toMatchObject({ type: 'simple', description: null, agentProfileId: null });
    const { body: explicit } = await project.createFlow({ agentProfileId: null, type: 'simple' });
    expect(explicit).toMatchObject({ type: 'simple', agentProfileId: null });
  });

  test('stores flowSchema as version 1, active', async () => {
    const id = await project.newFlow({ flowSchema: { greeting: 'Hello' } });
    const { body } = await project.call('GET', `/v1/flows/${id}/versions`);
    expect(body).toStrictEqual({
      versions: [
        {
          id: expect.stringMatching(/^cfv[0-9a-z]{26}$/),
          flowId: id,
          version: 1,
          tag: 'v1',
          flowSchema: { greeting: 'Hello' },
          isActive: true,
          createdAt: timestamp,
          updatedAt: body.versions[0].createdAt,
        },
      ],
    });
  });

  test.each([
    ['name', 1, 200],
    ['description', 0, 5000],
  ])('accepts a %s of %i to %i characters', async (member, least, most) => {
    for (const length of [least, most]) {
      const { status, body } = await project.createFlow({ [member]: 'n'.repeat(length) });
      expect({ status, text: body[member] }).toStrictEqual({ status: 201, text: 'n'.repeat(length) });
    }
    for (const length of [least - 1, most + 1].filter((one) => one >= 0)) {
      const { status, body } = await project.createFlow({ [member]: 'n'.repeat(length) });
      expect(status, String(length)).toBe(400);
      expect(issuesOf(body)).toStrictEqual([`body /${member}`]);
    }
  });

  test.each([
    [{ name: null }, 'body /name'],
    [{ name: 5 }, 'body /name'],
    [{ name: undefined }, 'body /name'],
    [{ description: 5 }, 'body /description'],
    [{ description: null }, 'body /description'],
    [{ type: 'other' }, 'body /type'],
    [{ type: null }, 'body /type'],
    [{ agentProfileId: 'nonsense' }, 'body /agentProfileId'],
    [{ agentProfileId: '' }, 'body /agentProfileId'],
    [{ flowSchema: undefined }, 'body /flowSchema'],
    [{ id: 'cfl000000' }, 'body /id'],
    [{ projectId: 'cpr000000' }, 'body /projectId'],
  ])('rejects %j with 400 and its position', async (wrong, place) => {
    const { status, body } = await project.createFlow(wrong);
    expect({ status, code: body.error.code }).toStrictEqual({ status: 400, code: 'invalid_request' });
    expect(issuesOf(body)).toStrictEqual([place]);
  });

  test('reports an unknown agent profile before an invalid flowSchema', async () => {
    const flowSchema = { nonsense: true };
    for (const agentProfileId of [newId('agentProfile'), newId('flow'), 'c0000000'])
      expect((await project.createFlow({ agentProfileId, flowSchema })).body.error.code).toBe('not_found');
    const agentProfileId = await project.newAgentProfile();
    const { body } = await project.createFlow({ agentProfileId, flowSchema });
    expect(body.error.code).toBe('flow_schema_invalid');
  });

  test('returns 404 for the agent profile of another project', async () => {
    const other = await openProject(world);
    const agentProfileId = await other.newAgentProfile();
    expect((await project.createFlow({ agentProfileId })).status).toBe(404);
    expect((await other.createFlow({ agentProfileId })).status).toBe(201);
  });

  test('writes nothing if it is rejected', async () => {
    const other = await openProject(world);
    await other.createFlow({ flowSchema: { nonsense: true } });
    await other.createFlow({ agentProfileId: newId('agentProfile') });
    await other.createFlow({ name: '' });
    expect((await other.call('GET', `/v1/projects/${other.projectId}/flows`)).body).toStrictEqual({
      flows: [],
    });
    expect(await world.rows('select 1 from flow_versions where project_id = $1', [other.projectId])).toEqual(
      [],
    );
  });
});

describe('changing a flow', () => {
  test('sets each member alone and keeps the others', async () => {
    const agentProfileId = await project.newAgentProfile();
    const { body: created } = await project.createFlow({ name: 'A', description: 'B' });
    let expected = created;
    for (const change of [
      { name: 'New' },
      { description: 'Said' },
      { agentProfileId },
      { description: null },
      { agentProfileId: null },
      { description: '' },
    ]) {
      const { status, body } = await project.call('PATCH', `/v1/flows/${created.id}`, change);
      expected = { ...expected, ...change, updatedAt: timestamp };
      expect({ status, body }).toStrictEqual({ status: 200, body: expected });
      expect((await project.call('GET', `/v1/flows/${created.id}`)).body).toStrictEqual(body);
    }
  });

  test('sets updatedAt and keeps createdAt', async () => {
    const id = await project.newFlow();
    await ageFlows(world, project.projectId);
    const { body: before } = await project.call('GET', `/v1/flows/${id}`);
    const { body: after } = await project.call('PATCH', `/v1/flows/${id}`, { name: 'Later' });
    expect(after.createdAt).toBe(before.createdAt);
    expect(Date.parse(after.updatedAt)).toBeGreaterThan(Date.parse(before.updatedAt));
  });

  test('returns the flow and changes nothing, not even updatedAt, for {}', async () => {
    const id = await project.newFlow({ description: 'Kept' });
    await ageFlows(world, project.projectId);
    const { body: before } = await project.call('GET', `/v1/flows/${id}`);
    const { status, body } = await project.call('PATCH', `/v1/flows/${id}`, {});
    expect({ status, body }).toStrictEqual({ status: 200, body: before });
    expect((await project.call('GET', `/v1/flows/${id}`)).body).toStrictEqual(before);
  });

  test.each([
    [{ name: '' }, 'body /name'],
    [{ name: 'n'.repeat(201) }, 'body /name'],
    [{ name: null }, 'body /name'],
    [{ description: 'd'.repeat(5001) }, 'body /description'],
    [{ description: false }, 'body /description'],
    [{ agentProfileId: 7 }, 'body /agentProfileId'],
    [{ type: 'graph' }, 'body /type'],
    [{ flowSchema: {} }, 'body /flowSchema'],
  ])('rejects %j with 400 and changes nothing', async (wrong, place) => {
    const { body: created } = await project.createFlow();
    const { status, body } = await project.call('PATCH', `/v1/flows/${created.id}`, {
      description: 'x',
      ...wrong,
    });
    expect(status).toBe(400);
    expect(issuesOf(body)).toStrictEqual([place]);
    expect((await project.call('GET', `/v1/flows/${created.id}`)).body).toStrictEqual(created);
  });

  test('returns 404 for an agent profile that is missing or of another project', async () => {
    const other = await openProject(world);
    const { body: created } = await project.createFlow();
    for (const agentProfileId of [newId('agentProfile'), await other.newAgentProfile()]) {
      const change = { name: 'Not this', agentProfileId };
      const { status } = await project.call('PATCH', `/v1/flows/${created.id}`, change);
      expect(status).toBe(404);
    }
    expect((await project.call('GET', `/v1/flows/${created.id}`)).body).toStrictEqual(created);
  });

  test('returns 404 for a flow that is missing, of another project or named by an id of another kind', async () => {
    const other = await openProject(world);
    const versions = await project.call('GET', `/v1/flows/${await project.newFlow()}/versions`);
    for (const id of [newId('flow'), await other.newFlow(), versions.body.versions[0].id])
      for (const change of [{ name: 'x' }, {}])
        expect((await project.call('PATCH', `/v1/flows/${id}`, change)).body.error.code).toBe('not_found');
  });
});
