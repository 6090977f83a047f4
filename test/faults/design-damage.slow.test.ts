import { afterAll, beforeAll, expect, test } from 'vitest';
import { designNames } from '../designs/real-designs.ts';
import { openWorld, type World } from '../helpers/world.ts';
import { tryDamages } from './design-damage.ts';

const seed = 20_260_101;

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

/** The long run also damages the large designs. */
const small = designNames.filter((name) => name !== 'limit' && name !== 'large-insurance');

test('REST and MCP treat a hundred damaged designs alike, and a rejected design changes no rows', async () => {
  const { base, rows } = world;
  const [{ key, projectId }, other] = [await world.tenant({ plan: 'pro' }), await world.tenant()];
  const house = { base, key, projectId, otherProjectId: other.projectId, rows };
  const seen = await tryDamages(house, 100, seed, small);
  expect(seen.failures).toEqual([]);
  expect(seen.failureCount).toBe(0);
  expect(seen.accepted).toBeGreaterThan(5);
  expect(seen.refused).toBeGreaterThan(50);
}, 60_000);
