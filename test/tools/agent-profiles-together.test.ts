import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSecondReplica } from '../helpers/second-replica.ts';
import { openWorld, type World } from '../helpers/world.ts';

let world: World;
let replicas: Awaited<ReturnType<typeof openSecondReplica>>[];

beforeAll(async () => {
  world = await openWorld();
  replicas = [await openSecondReplica(world), await openSecondReplica(world)];
});
afterAll(async () => {
  await closeReplicas();
  await world.close();
});

async function closeReplicas(): Promise<void> {
  await Promise.all(replicas.splice(0).map((replica) => replica.close()));
}

interface Profile {
  readonly id: string;
  readonly name: string;
  readonly isDefault: boolean;
  readonly flowIds: string[];
}

/** A project that many callers change at once, alternating between two replicas. */
async function crowd() {
  const { projectId, key } = await world.tenant();
  let turn = 0;
  const call = async (method: string, route: string, body?: unknown) => {
    const { base } = replicas[turn++ % 2] ?? world;
    const reply = await fetch(base + route, {
      method,
      headers: { 'x-api-key': key, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: reply.status, body: await reply.json() };
  };
  const profiles = `/v1/projects/${projectId}/agent-profiles`;
  return {
    profiles,
    call,
    list: async () => ((await call('GET', profiles)).body as { agentProfiles: Profile[] }).agentProfiles,
    create: async (body: object) => (await call('POST', profiles, body)).body as Profile,
    flow: async () => {
      const route = `/v1/projects/${projectId}/flows`;
      return ((await call('POST', route, { name: 'Flow', flowSchema: {} })).body as { id: string }).id;
    },
    replace: (id: string | undefined, isDefault: boolean, flowIds: string[] = []) =>
      call('PUT', `/v1/agent-profiles/${id}`, {
        name: 'Replaced',
        flowIds,
        isDefault,
        supportedInputLanguages: [],
        reasoningMode: 'fast',
        outputVoiceId: 'alloy',
      }),
  };
}

const statuses = (answers: { status: number }[]) => new Set(answers.map(({ status }) => status));

test('leaves one default profile after thirty are created at once', async () => {
  const { call, profiles, list } = await crowd();
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, index) => call('POST', profiles, { name: `P${index}`, isDefault: true })),
  );
  expect(statuses(answers)).toEqual(new Set([201]));
  const all = await list();
  expect(all).toHaveLength(30);
  expect(all.filter(({ isDefault }) => isDefault)).toHaveLength(1);
});

test('leaves one default profile after thirty, old and new, become the default at once', async () => {
  const { call, profiles, list, create, replace } = await crowd();
  const ids: string[] = [];
  for (let count = 0; count < 15; count++) ids.push((await create({ name: 'P', isDefault: true })).id);
  for (let round = 0; round < 3; round++) {
    const answers = await Promise.all(
      ids.flatMap((id) => [replace(id, true), call('POST', profiles, { name: 'New', isDefault: true })]),
    );
    expect(statuses(answers)).toEqual(new Set([200, 201]));
    expect((await list()).filter(({ isDefault }) => isDefault)).toHaveLength(1);
  }
});

test('leaves one default profile after three become the default again and again at once', async () => {
  const { list, create, replace } = await crowd();
  const ids: string[] = [];
  for (let count = 0; count < 3; count++) ids.push((await create({ name: 'P', isDefault: true })).id);
  const answers = await Promise.all(Array.from({ length: 30 }, (_, index) => replace(ids[index % 3], true)));
  expect(statuses(answers)).toEqual(new Set([200]));
  expect((await list()).filter(({ isDefault }) => isDefault)).toHaveLength(1);
});

test('lets pairs of profiles swap their flows at once, in both directions', async () => {
  const { call, list, create, flow, replace } = await crowd();
  const pairs = await Promise.all(
    Array.from({ length: 3 }, async () => {
      const flows = [await flow(), await flow()] as const;
      return [
        await create({ name: 'A', flowIds: [flows[0]] }),
        await create({ name: 'B', flowIds: [flows[1]] }),
      ];
    }),
  );
  for (let round = 0; round < 10; round++) {
    const swap = (to: Profile, flowId: string | undefined) =>
      round % 2
        ? replace(to.id, false, [flowId ?? ''])
        : call('PATCH', `/v1/flows/${flowId}`, { agentProfileId: to.id });
    const before = new Map((await list()).map(({ id, flowIds }) => [id, flowIds]));
    const answers = await Promise.all(
      pairs.flatMap(([a, b]) =>
        a && b ? [swap(a, before.get(b.id)?.[0]), swap(b, before.get(a.id)?.[0])] : [],
      ),
    );
    expect(statuses(answers)).toEqual(new Set([200]));
    const after = new Map((await list()).map(({ id, flowIds }) => [id, flowIds]));
    for (const [a, b] of pairs)
      expect([after.get(a?.id ?? ''), after.get(b?.id ?? '')]).toEqual([
        before.get(b?.id ?? ''),
        before.get(a?.id ?? ''),
      ]);
  }
});

test('leaves each flow in one profile after profiles take flows from each other at once', async () => {
  const { call, list, create, flow, replace } = await crowd();
  const flows = await Promise.all(Array.from({ length: 6 }, flow));
  const ids: string[] = [];
  for (let count = 0; count < 6; count++) ids.push((await create({ name: 'P' })).id);
  for (let round = 0; round < 5; round++) {
    const answers = await Promise.all(
      ids.flatMap((id, index) => {
        const at = (offset: number) => flows[(index + round + offset) % flows.length] ?? '';
        return [
          replace(id, index === round, [at(0), at(1), at(2)]),
          call('PATCH', `/v1/flows/${at(3)}`, { agentProfileId: id }),
        ];
      }),
    );
    expect(statuses(answers)).toEqual(new Set([200]));
    const spoken = (await list()).flatMap(({ flowIds }) => flowIds);
    expect(new Set(spoken).size).toBe(spoken.length);
  }
});

test('either deletes a profile or gives it flows if both happen at once', async () => {
  const { call, create, flow } = await crowd();
  for (let round = 0; round < 10; round++) {
    const [{ id }, flowId] = await Promise.all([create({ name: 'P' }), flow()]);
    const [deleted, given] = await Promise.all([
      call('DELETE', `/v1/agent-profiles/${id}`),
      call('PATCH', `/v1/flows/${flowId}`, { agentProfileId: id }),
    ]);
    expect(['200 404', '409 200']).toContain(`${deleted.status} ${given.status}`);
  }
});

test('causes no deadlock in any of these tests', async () => {
  // Postgres reports the statistics of a connection at the latest when it closes.
  await closeReplicas();
  const sql = 'select deadlocks::int from pg_stat_database where datname = current_database()';
  expect(await world.rows(sql)).toEqual([{ deadlocks: 0 }]);
});
