import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/platform/id.ts';
import { ageFlows, openProject, type Project, pagesOf, timestamp } from '../helpers/project.ts';
import { openWorld, type World } from '../helpers/world.ts';

let world: World;
let project: Project;
beforeAll(async () => {
  world = await openWorld();
  project = await openProject(world);
});
afterAll(() => world.close());

const activate = (id: string) => project.call('POST', `/v1/flow-versions/${id}/activate`);

interface Version {
  id: string;
  version: number;
  isActive: boolean;
  updatedAt: string;
}

async function versionsOf(flowId: string, query = ''): Promise<Version[]> {
  const { status, body } = await project.call('GET', `/v1/flows/${flowId}/versions${query}`);
  expect(status).toBe(200);
  return body.versions;
}

describe('creating a version', () => {
  test('stores the next number, inactive, with the tag v{n}, and returns 201 with exactly the record', async () => {
    const flowId = await project.newFlow();
    for (const version of [2, 3, 4]) {
      const flowSchema = { greeting: `Hello ${version}` };
      const { status, body } = await project.call('POST', `/v1/flows/${flowId}/versions`, { flowSchema });
      expect(status).toBe(201);
      expect(body).toStrictEqual({
        id: expect.stringMatching(/^cfv[0-9a-z]{26}$/),
        flowId,
        version,
        tag: `v${version}`,
        flowSchema,
        isActive: false,
        createdAt: timestamp,
        updatedAt: body.createdAt,
      });
      expect((await project.call('GET', `/v1/flow-versions/${body.id}`)).body).toStrictEqual(body);
    }
    expect((await versionsOf(flowId)).map(({ version, isActive }) => [version, isActive])).toStrictEqual([
      [4, false],
      [3, false],
      [2, false],
      [1, true],
    ]);
  });

  test('does not change the flow', async () => {
    const { body: flow } = await project.createFlow();
    await project.newVersion(flow.id);
    expect((await project.call('GET', `/v1/flows/${flow.id}`)).body).toStrictEqual(flow);
  });

  test('rejects unknown members', async () => {
    const flowId = await project.newFlow();
    for (const member of ['version', 'tag', 'isActive', 'type']) {
      const body = { flowSchema: {}, [member]: 1 };
      const answer = await project.call('POST', `/v1/flows/${flowId}/versions`, body);
      expect(answer.body.error.details.issues).toStrictEqual([
        { in: 'body', path: `/${member}`, message: expect.stringContaining('flowSchema') },
      ]);
    }
  });

  test('gives fifty at once the numbers 2 to 51, each once', async () => {
    const flowId = await project.newFlow();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () =>
        project.call('POST', `/v1/flows/${flowId}/versions`, { flowSchema: {} }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toStrictEqual(new Set([201]));
    const numbers = answers.map(({ body }) => Number(body.version)).toSorted((a, b) => a - b);
    expect(numbers).toStrictEqual(Array.from({ length: 50 }, (_, index) => index + 2));
    expect((await versionsOf(flowId)).map(({ version }) => version)).toStrictEqual(
      Array.from({ length: 51 }, (_, index) => 51 - index),
    );
  });
});

describe('activating a version', () => {
  test('makes it the only active one and sets updatedAt of both', async () => {
    const flowId = await project.newFlow();
    const second = await project.newVersion(flowId);
    await project.newVersion(flowId);
    await ageFlows(world, project.projectId);
    const before = await versionsOf(flowId);
    const { status, body } = await activate(second);
    expect(status).toBe(200);
    const after = await versionsOf(flowId);
    expect(body).toStrictEqual(after[1]);
    expect(after.map(({ isActive }) => isActive)).toStrictEqual([false, true, false]);
    const moved = after.map(({ updatedAt }, index) => updatedAt !== before[index]?.updatedAt);
    expect(moved).toStrictEqual([false, true, true]);
    expect(after.map(({ updatedAt: _, isActive: __, ...rest }) => rest)).toStrictEqual(
      before.map(({ updatedAt: _, isActive: __, ...rest }) => rest),
    );
  });

  test('changes nothing if it is active already', async () => {
    const flowId = await project.newFlow();
    const second = await project.newVersion(flowId);
    await activate(second);
    await ageFlows(world, project.projectId);
    const before = await versionsOf(flowId);
    for (let time = 0; time < 2; time++) {
      const { status, body } = await activate(second);
      expect({ status, body }).toStrictEqual({ status: 200, body: before[0] });
    }
    expect(await versionsOf(flowId)).toStrictEqual(before);
  });

  test('rolls back to an older version', async () => {
    const flowId = await project.newFlow({ flowSchema: { greeting: 'First' } });
    const [first] = await versionsOf(flowId);
    await activate(await project.newVersion(flowId));
    const { body } = await activate(first?.id ?? '');
    expect(body).toMatchObject({ version: 1, isActive: true, flowSchema: { greeting: 'First' } });
    expect((await versionsOf(flowId)).map(({ isActive }) => isActive)).toStrictEqual([false, true]);
  });

  test('does not change the versions of other flows', async () => {
    const [mine, other] = [await project.newFlow(), await project.newFlow()];
    await activate(await project.newVersion(mine));
    expect((await versionsOf(other)).map(({ isActive }) => isActive)).toStrictEqual([true]);
  });

  test('leaves exactly one active if several are activated at once', async () => {
    const flowId = await project.newFlow();
    const ids = (await versionsOf(flowId)).map(({ id }) => id);
    for (let version = 2; version <= 8; version++) ids.push(await project.newVersion(flowId));
    for (let round = 0; round < 4; round++) {
      const answers = await Promise.all(ids.map(activate));
      expect(new Set(answers.map(({ status }) => status))).toStrictEqual(new Set([200]));
      expect(answers.every(({ body }) => body.isActive === true)).toBe(true);
      expect((await versionsOf(flowId)).filter(({ isActive }) => isActive)).toHaveLength(1);
    }
  });
});

test('returns 404 for a version or flow that is missing, of another project or of another kind', async () => {
  const other = await openProject(world);
  const foreignFlow = await other.newFlow();
  const foreignVersion = await other.newVersion(foreignFlow);
  const flowId = await project.newFlow();
  for (const id of [newId('flowVersion'), foreignVersion, flowId]) {
    expect((await project.call('GET', `/v1/flow-versions/${id}`)).body.error.code).toBe('not_found');
    expect((await activate(id)).body.error.code).toBe('not_found');
  }
  for (const id of [newId('flow'), foreignFlow, await project.newVersion(flowId)]) {
    expect((await project.call('GET', `/v1/flows/${id}`)).body.error.code).toBe('not_found');
    expect((await project.call('GET', `/v1/flows/${id}/versions`)).body.error.code).toBe('not_found');
    const created = await project.call('POST', `/v1/flows/${id}/versions`, { flowSchema: {} });
    expect(created.body.error.code).toBe('not_found');
  }
  const { body } = await other.call('GET', `/v1/flows/${foreignFlow}/versions`);
  expect(body.versions.map(({ isActive }: Version) => isActive)).toStrictEqual([false, true]);
});

test('lists each version once over all pages, highest number first', async () => {
  const flowId = await project.newFlow();
  for (let version = 2; version <= 11; version++) await project.newVersion(flowId);
  for (const limit of [1, 3, 10, 11, 12]) {
    const pages = await pagesOf(project, `/v1/flows/${flowId}/versions`, limit);
    expect(pages).toHaveLength(Math.ceil(11 / limit));
    expect(pages.flatMap(({ versions }) => versions.map(({ version }: Version) => version))).toStrictEqual(
      Array.from({ length: 11 }, (_, index) => 11 - index),
    );
  }
});

test('ends a page at 8 MiB, and the pages hold each version once', async () => {
  const flowId = await project.newFlow();
  const instructions = 'i'.repeat(250 * 1024);
  const create = () => project.newVersion(flowId, { instructions });
  for (let round = 0; round < 10; round++) await Promise.all([create(), create(), create(), create()]);
  const pages = await pagesOf(project, `/v1/flows/${flowId}/versions`, 1000);
  // 32 of them and their envelope fit into 8 MiB, 33 do not; version 1 is small.
  expect(pages.map(({ versions }) => versions.length)).toStrictEqual([32, 9]);
  expect(pages.flatMap(({ versions }) => versions.map(({ version }: Version) => version))).toStrictEqual(
    Array.from({ length: 41 }, (_, index) => 41 - index),
  );
  // Without a limit the list is whole, although it is longer than a page.
  const { body } = await project.call('GET', `/v1/flows/${flowId}/versions`);
  expect(Object.keys(body)).toStrictEqual(['versions']);
  expect(body.versions).toStrictEqual(pages.flatMap(({ versions }) => versions));
  expect(body.versions.filter(({ isActive }: Version) => isActive)).toHaveLength(1);
});

test('shows exactly one active version in a whole list while others are activated', async () => {
  const flowId = await project.newFlow();
  const instructions = 'i'.repeat(250 * 1024);
  const ids: string[] = [];
  for (let version = 2; version <= 14; version++)
    ids.push(await project.newVersion(flowId, { instructions }));
  const activations = (async () => {
    for (let round = 0; round < 4; round++)
      for (const id of [ids[12], ids[0], ids[6]]) await activate(id ?? '');
  })();
  const lists = Promise.all(
    Array.from({ length: 12 }, () => project.call('GET', `/v1/flows/${flowId}/versions`)),
  );
  for (const { body } of await lists) {
    expect(body.versions).toHaveLength(14);
    expect(body.versions.filter(({ isActive }: Version) => isActive)).toHaveLength(1);
  }
  await activations;
});
