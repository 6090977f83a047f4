import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSecondReplica } from '../helpers/second-replica.ts';
import { openWorld, type World } from '../helpers/world.ts';
import { tryMerging } from './merge-writers.ts';

let world: World;
let replica: Awaited<ReturnType<typeof openSecondReplica>>;

beforeAll(async () => {
  world = await openWorld();
  replica = await openSecondReplica(world);
});
afterAll(async () => {
  await replica.close();
  await world.close();
});

test('two agents that edit one design at once on two replicas lose no edit', async () => {
  const count = 20;
  const report = await tryMerging([world.base, replica.base], await world.tenant(), count);
  expect(report).toMatchObject({ edits: 2 * count, lost: 0, gaps: 0, wrongConflicts: 0 });
  expect(report.versions).toBe(2 * count + 1);
  // In each round, the second write finds a newer version than its base.
  expect(report.merged).toBeGreaterThan(0);
  expect(report.conflicts).toBeGreaterThan(0);
});
