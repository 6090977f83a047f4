import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newHome, parley, query, start } from '../helpers/parley.ts';
import { openWorld, type World } from '../helpers/world.ts';
import { failureOf } from './failure.ts';

let world: World;
let target: World;
beforeAll(async () => {
  [world, target] = [await openWorld(), await openWorld()];
});
afterAll(() => Promise.all([world.close(), target.close()]));

/** Counts what is missing: a flow, its version 1 and its audit row are written in one transaction. */
const missing = `
  select
    (select count(*) from flows)::int as flows,
    (select count(*) from flows f where not exists (
      select from flow_versions v where v.flow_id = f.id))::int as without_version,
    (select count(*) from flow_versions v where not exists (
      select from flows f where f.id = v.flow_id))::int as without_flow,
    ((select count(*) from audit_log where operation = 'create_flow') - (select count(*) from flows))::int
      as audit_rows_beyond`;

test('an export of a database in use shows one moment', async () => {
  const { projectId, key } = await world.tenant();
  // A large table, so that flows are written while the export reads it.
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

  // Of two imports at the same time into the database of a running server, one succeeds, and the server serves its rows.
  const env = { DATABASE_URL: target.databaseUrl, PARLEY_HOME: newHome() };
  const outcomes = await Promise.all([parley(['import', file], env), parley(['import', file], env)]);
  const [rejected, ...more] = outcomes.filter(({ code }) => code !== 0);
  expect(more).toStrictEqual([]);
  expect(rejected && failureOf(rejected)).toMatch(/: the database is not empty \(organizations has rows\)/);
  const [found] = await target.rows(missing);
  expect(found).toMatchObject({ without_version: 0, without_flow: 0, audit_rows_beyond: 0 });
  expect(found?.['flows']).toBeGreaterThan(20);
  expect(found?.['flows']).toBeLessThan(written);
  const listed = await target.rest('GET', `/v1/projects/${projectId}/flows?limit=1000`, { key });
  expect(listed.body.flows.length).toBe(Math.min(1000, Number(found?.['flows'])));
});
