import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Core } from '../../src/core/core.ts';
import { openTestCore, openWorld, type World } from '../helpers/world.ts';

let world: World;
/** Reads key statuses on one connection. The world's core uses two. */
let small: Core;

beforeAll(async () => {
  world = await openWorld();
  small = await openTestCore(world.databaseUrl, { connections: 4 });
});

afterAll(async () => {
  await small.close();
  await world.close();
});

test('two cores of one process read the key status in the same turns, each on its own connections', async () => {
  const { key } = await world.tenant();
  const caller = await small.authenticate(key);
  const active = { keyStatus: 'active', projectStatus: 'active' };
  // The larger core alternates between its connections, so four turns reach both.
  for (let turn = 0; turn < 4; turn++) {
    const statuses = [world.core, small].map(({ runtime }) => runtime.keyStatus(caller));
    expect(await Promise.all(statuses)).toEqual([active, active]);
  }
});
