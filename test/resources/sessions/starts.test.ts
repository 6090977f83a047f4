import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recorded, store } from '../../helpers/recorded-sessions.ts';
import { openSecondReplica } from '../../helpers/second-replica.ts';
import { desk, openSessionProject, type SessionProject } from '../../helpers/session-project.ts';
import { openWorld, type World } from '../../helpers/world.ts';

/** Sessions of a project that may be open at once (`decisions#chat-sessions`). */
const mostOpen = 1_000;

let world: World;
let project: SessionProject;
beforeAll(async () => {
  world = await openWorld({ models: undefined });
  project = await openSessionProject(world);
});
afterAll(() => world.close());

test('open sessions never exceed the limit, even if many start at once on two replicas', async () => {
  const webAgentId = await project.agentOf(desk);
  const { conversationId } = (await project.call('GET', `/v1/web-sessions/agents/${webAgentId}`)).body;
  const open = Array.from({ length: mostOpen - 1 }, () =>
    recorded({ conversationId, endedAt: null, reason: null, outcome: null }),
  );
  await store(world, project.projectId, open);
  const visits = [];
  for (let visitors = 0; visitors < 12; visitors++) visits.push(await project.visit(webAgentId));
  // The first of each replica meet at a lock: one after it has counted, or both if nothing keeps them apart. No open
  // session gives way, as if all had spoken.
  await world.rows(`
    create function meet() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock_shared(1); return new; end $$;
    create trigger meet before insert on sessions for each row execute function meet();
    create function speak() returns trigger language plpgsql as $$ begin new.turns := 1; return new; end $$;
    create trigger speak before insert or update on sessions for each row execute function speak()`);
  const lock = new pg.Client({ connectionString: world.databaseUrl });
  await lock.connect();
  await lock.query('select pg_advisory_lock(1)');
  const replica = await openSecondReplica(world);
  try {
    const started = visits.map((visit, index) =>
      visit.request(
        'POST',
        '/messages',
        { start: true },
        { base: index % 2 === 0 ? replica.base : world.base },
      ),
    );
    const waiting = `select count(*)::integer as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(async () => (await world.rows(waiting))[0]?.['count'], { timeout: 20_000 }).toBe(2);
    await lock.query('select pg_advisory_unlock(1)');
    const responses = await Promise.all(started);
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 429)).toHaveLength(visits.length - 1);
    const refused = responses.find(({ status }) => status === 429);
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    const [{ count } = {}] = await world.rows(
      'select count(*)::integer as count from sessions where project_id = $1 and ended_at is null',
      [project.projectId],
    );
    expect(count).toBe(mostOpen);
    const admitted = visits[statuses.indexOf(200)];
    expect((await admitted?.request('POST', '/end', {}))?.status).toBe(200);
    expect((await visits[statuses.indexOf(429)]?.start())?.at(-1)).toEqual({ event: 'done', turn: 0 });
  } finally {
    await lock.end();
    await world.rows('drop trigger meet on sessions; drop trigger speak on sessions');
    await replica.close();
  }
});

test('a session that was deleted soon after its start does not start again with the same token', async () => {
  const other = await openSessionProject(world);
  const visit = await other.visit(await other.agentOf(desk));
  await visit.start();
  expect((await other.call('DELETE', `/v1/sessions/${visit.id}`)).status).toBe(200);
  for (const body of [{ start: true }, { text: 'Book a table', messageId: 'm' }]) {
    const response = await visit.request('POST', '/messages', body);
    expect([response.status, await response.json()]).toMatchObject([
      404,
      { error: { code: 'not_found', details: { reason: 'deleted' } } },
    ]);
  }
  expect(await visit.show()).toMatchObject({ status: 'ended', reason: 'deleted', turns: [] });
  expect(await world.rows('select state, played from sessions where id = $1', [visit.id])).toEqual([
    { state: null, played: 1 },
  ]);
});
