import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openProject, type Project, pagesOf } from '../helpers/project.ts';
import { openWorld, type World } from '../helpers/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

interface Record {
  id: string;
}

/** Inserts flows by SQL, which is faster than a thousand calls; their ids ascend. */
async function manyFlows(project: Project, count: number, description: string): Promise<void> {
  await world.rows(
    `insert into flows (project_id, id, name, type, description, newest_version)
     select $1, 'cfl' || lpad(n::text, 26, '0'), 'Flow ' || n, 'simple', $3, 1 from generate_series(1, $2::int) as n`,
    [project.projectId, count, description],
  );
}

test('lists flows newest first, each once over all pages', async () => {
  const project = await openProject(world);
  const ids: string[] = [];
  for (let flow = 0; flow < 7; flow++) ids.unshift(await project.newFlow());
  const route = `/v1/projects/${project.projectId}/flows`;
  expect((await project.call('GET', route)).body.flows.map(({ id }: Record) => id)).toStrictEqual(ids);
  for (const limit of [1, 2, 6, 7, 8]) {
    const pages = await pagesOf(project, route, limit);
    expect(pages).toHaveLength(Math.ceil(7 / limit));
    expect(pages.flatMap(({ flows }) => flows.map(({ id }: Record) => id))).toStrictEqual(ids);
  }
});

test('lists each record as a single read returns it, with exactly these members', async () => {
  const project = await openProject(world);
  const { body: flow } = await project.createFlow({ name: 'One', description: 'two', type: 'graph' });
  const { body } = await project.call('GET', `/v1/projects/${project.projectId}/flows`);
  expect(body).toStrictEqual({ flows: [flow] });
});

test('returns an empty list without nextCursor if there are no records', async () => {
  const project = await openProject(world);
  const { body: flows } = await project.call('GET', `/v1/projects/${project.projectId}/flows`);
  const { body: trash } = await project.call('GET', `/v1/projects/${project.projectId}/trash`);
  expect([flows, trash]).toStrictEqual([{ flows: [] }, { trash: [] }]);
});

test('returns at most 1,000 records to a request with a limit or a cursor', async () => {
  const project = await openProject(world);
  await manyFlows(project, 2001, '');
  const route = `/v1/projects/${project.projectId}/flows`;
  const { body } = await project.call('GET', `${route}?limit=1000`);
  expect({ rows: body.flows.length, next: typeof body.nextCursor }).toStrictEqual({
    rows: 1000,
    next: 'string',
  });
  const { body: second } = await project.call('GET', `${route}?cursor=${body.nextCursor}`);
  expect(second.flows).toHaveLength(1000);
  const { body: rest } = await project.call('GET', `${route}?cursor=${second.nextCursor}`);
  expect(rest).toStrictEqual({ flows: [expect.objectContaining({ name: 'Flow 1' })] });
});

test('ends a page of flows at 8 MiB, and the pages hold each flow once', async () => {
  const project = await openProject(world);
  // Three bytes for each character: more than 10,000 bytes for each flow.
  await manyFlows(project, 1000, '世'.repeat(5000));
  const pages = await pagesOf(project, `/v1/projects/${project.projectId}/flows`, 1000);
  const sizes = pages.map((page) => Buffer.byteLength(JSON.stringify(page.flows)));
  expect(Math.max(...sizes)).toBeLessThan(8 * 1024 * 1024 + 2000);
  expect(pages).toHaveLength(2);
  const ids = pages.flatMap(({ flows }) => flows.map(({ id }: Record) => id));
  expect({ ids: ids.length, different: new Set(ids).size }).toStrictEqual({ ids: 1000, different: 1000 });
});

describe.each([
  ['flows', `cfl${'0'.repeat(26)}`, (project: Project) => `/v1/projects/${project.projectId}/flows`],
  ['trash', `ctr${'0'.repeat(26)}`, (project: Project) => `/v1/projects/${project.projectId}/trash`],
  ['versions', '1', async (project: Project) => `/v1/flows/${await project.newFlow()}/versions`],
])('the list of %s', (_, last, routeOf) => {
  test('accepts a limit from 1 to 1000 and nothing else', async () => {
    const project = await openProject(world);
    const route = await routeOf(project);
    for (const limit of ['1', '1000'])
      expect((await project.call('GET', `${route}?limit=${limit}`)).status).toBe(200);
    for (const limit of [
      '0',
      '-1',
      '1001',
      'abc',
      '',
      '1.5',
      '1e2',
      '%201',
      '01',
      '99999999999999999999',
      'null',
    ]) {
      const { status, body } = await project.call('GET', `${route}?limit=${limit}`);
      expect({ status, issues: body.error?.details.issues }, limit).toStrictEqual({
        status: 400,
        issues: [{ in: 'querystring', path: '/limit', message: expect.any(String) }],
      });
    }
  });

  test('returns nothing for a cursor after the last record', async () => {
    const project = await openProject(world);
    const { status, body } = await project.call('GET', `${await routeOf(project)}?cursor=${last}`);
    expect({ status, lists: Object.values(body) }).toStrictEqual({ status: 200, lists: [[]] });
  });
});

test('lists the flows of its own project only', async () => {
  const [mine, other] = [await openProject(world), await openProject(world)];
  const id = await mine.newFlow();
  await other.newFlow();
  const { body } = await mine.call('GET', `/v1/projects/${mine.projectId}/flows`);
  expect(body.flows.map((flow: Record) => flow.id)).toStrictEqual([id]);
  expect((await mine.call('GET', `/v1/projects/${other.projectId}/flows`)).status).toBe(404);
  // The cursor of another list is a position in the order and reveals no record of that list.
  const { body: after } = await mine.call(
    'GET',
    `/v1/projects/${mine.projectId}/flows?cursor=${await other.newFlow()}`,
  );
  expect(after.flows.map((flow: Record) => flow.id)).toStrictEqual([id]);
});
