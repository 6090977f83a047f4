import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { emptyDatabase, newHome, parley, query, start } from '../command/parley.ts';
import { openWorld, type World } from '../helpers/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

/** Every flow has been made in one transaction with its version 1 and its audit row. */
const lost = `
  select
    (select count(*) from flows)::int as flows,
    (select count(*) from flows f where not exists (
      select from flow_versions v where v.flow_id = f.id))::int as without_version,
    (select count(*) from flow_versions v where not exists (
      select from flows f where f.id = v.flow_id))::int as without_flow,
    ((select count(*) from audit_log where operation = 'create_flow') - (select count(*) from flows))::int
      as audit_rows_beyond`;

test('an export while a server writes is of one moment', async () => {
  const { projectId, key } = await world.tenant();
  // Takes a while, so that much is written between one table and the next.
  await query(
    world.databaseUrl,
    `insert into audit_log select $1, 'cau' || i, '', 'other', repeat('x', 200), '', '' from generate_series(1, 60000) i`,
    [projectId],
  );
  const body = { name: 'Flow', flowSchema: { greeting: 'Hello' } };
  const enough = new AbortController();
  let written = 0;
  const write = async () => {
    while (!enough.signal.aborted) {
      const { status } = await world.rest('POST', `/v1/projects/${projectId}/flows`, { key, body });
      expect(status).toBe(201);
      written += 1;
    }
  };
  const writers = Array.from({ length: 8 }, write);
  await vi.waitFor(() => expect(written).toBeGreaterThan(20));

  const file = path.join(newHome(), 'export.gz');
  const { ended } = start(['export', file], { DATABASE_URL: world.databaseUrl, PARLEY_HOME: newHome() });
  const { code, stderr } = await ended;
  const writtenThen = written;
  await vi.waitFor(() => expect(written).toBeGreaterThan(writtenThen));
  enough.abort();
  await Promise.all(writers);
  expect(code, stderr).toBe(0);

  const url = await emptyDatabase();
  const imported = await parley(['import', file], { DATABASE_URL: url, PARLEY_HOME: newHome() });
  expect(imported.code, imported.stderr).toBe(0);
  const [found] = await query(url, lost);
  expect(found).toMatchObject({ without_version: 0, without_flow: 0, audit_rows_beyond: 0 });
  expect(found?.['flows']).toBeGreaterThan(20);
  expect(found?.['flows']).toBeLessThan(written);
});
