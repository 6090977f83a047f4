import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/platform/id.ts';
import { openWorld, type Tenant, type World } from '../helpers/world.ts';
import { crowdedDesigns } from './crowded-designs.ts';
import { disagreements } from './design-agreement.ts';
import { rowWatch } from './design-rows.ts';

let world: World;
let tenant: Tenant;
beforeAll(async () => {
  world = await openWorld();
  tenant = await world.tenant();
});
afterAll(() => world.close());

/** Designs with thousands of problems of one kind. The long run times all kinds. */
const kinds = [
  'steps that are not objects',
  'steps of an unknown kind',
  'exits to nowhere',
  'NUL in every name',
];

test.each(crowdedDesigns().filter(([name]) => kinds.includes(name)))(
  'validation and write reject a design of %s with the same limited list of problems',
  async (_, text) => {
    const watch = await rowWatch(world.rows, tenant.projectId);
    const id = newId('conversation');
    await watch.create(
      id,
      JSON.stringify({ schemaVersion: 'cd/1', entry: { stepId: 'a' }, steps: { a: { kind: 'end' } } }),
    );
    const request = { key: tenant.key, body: `{"design":${text}}` };
    const validated = await world.rest('POST', `/v1/conversations/${id}/designs/validate`, request);
    const wrote = await world.rest('POST', `/v1/conversations/${id}/versions`, request);
    expect(disagreements(validated, wrote)).toEqual([]);
    expect([400, 422]).toContain(wrote.status);
    expect(wrote.body.error.details.issues.length).toBeLessThanOrEqual(100);
    expect(await watch.stray()).toEqual([]);
  },
);
