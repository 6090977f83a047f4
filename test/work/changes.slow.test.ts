import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/platform/id.ts';
import type { Tenant } from '../helpers/world.ts';
import { growthOf } from './growth.ts';
import { openEmbeddedCounting } from './postgres.ts';
import { openWorkshop, type Workshop } from './workshop.ts';

const hour = 3_600_000;

let workshop: Workshop;
beforeAll(async () => {
  workshop = await openWorkshop(await openEmbeddedCounting());
});
afterAll(() => workshop.close());

/** The flows whose changes `projectWithChanges` adds, those of the first before those of the second, and so on. */
const changed = ['Day', 'Night', 'Night', 'Lunch'];

/** A project with one change an hour. The four oldest, and no others, are of a rare operation. */
async function projectWithChanges(count: number): Promise<Tenant & { readonly halfway: string }> {
  const tenant = await workshop.world.tenant();
  const flows: string[] = [];
  for (const name of changed) {
    const route = `/v1/projects/${tenant.projectId}/flows`;
    const { body } = await workshop.world.rest('POST', route, {
      key: tenant.key,
      body: { name, flowSchema: {} },
    });
    flows.push(body.id);
  }
  const moments = Array.from({ length: count }, (_, n) => Date.now() - hour * (1 + count - n));
  await workshop.session.query(
    `insert into audit_log
       (project_id, id, created_at, operation, resource_id, key_id, request_id, input_hash, output_hash)
     select $1, id, at, case when place > $5 then 'update_flow' else 'delete_flow' end, resource, $6, '', '', ''
     from unnest($2::text[], $3::timestamptz[], $4::text[]) with ordinality as change (id, at, resource, place)`,
    [
      tenant.projectId,
      moments.map((moment) => newId('audit', moment)),
      moments.map((moment) => new Date(moment)),
      moments.map((_, n) => flows[Math.floor((n / count) * flows.length)]),
      changed.length,
      tenant.keyId,
    ],
  );
  await workshop.session.query('vacuum analyze');
  return { ...tenant, halfway: new Date(moments[count >> 1] ?? 0).toISOString() };
}

test('a page of changes costs the same, however many changes the project has', async () => {
  const [small, large] = [await projectWithChanges(100), await projectWithChanges(20_000)];
  const queries: Readonly<Record<string, (project: typeof small) => Record<string, string>>> = {
    newest: () => ({}),
    'before a time': ({ halfway }) => ({ to: halfway }),
    'of a rare operation': () => ({ operation: 'delete_flow' }),
    'of an operation that nobody called': () => ({ operation: 'mint_key' }),
    'of one record': () => ({ resource: 'Day' }),
    'of one record since its last one': ({ halfway }) => ({ resource: 'Day', from: halfway }),
    'of records with one name': () => ({ resource: 'Night' }),
  };
  const grown = new Map<string, readonly string[]>();
  for (const [name, query] of Object.entries(queries)) {
    const work = (project: typeof small) => {
      const parameters = new URLSearchParams({ limit: '3', ...query(project) });
      return workshop.workOfRead(project, `/v1/projects/${project.projectId}/changes?${parameters}`);
    };
    const growth = growthOf(await work(small), await work(large));
    if (growth.length > 0) grown.set(name, growth);
  }
  expect([...grown]).toEqual([]);
}, 120_000);
