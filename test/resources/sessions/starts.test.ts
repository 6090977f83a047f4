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
  const room = 7;
  const open = Array.from({ length: mostOpen - room }, () =>
    recorded({ conversationId, endedAt: null, reason: null, outcome: null }),
  );
  await store(world, project.projectId, open);
  const visits = [];
  for (let visitors = 0; visitors < 6 * room; visitors++) visits.push(await project.visit(webAgentId));
  // Sessions that begin in the same moment: each counts before another is stored. None gives way, as if all had spoken.
  await world.rows(`
    create function pause() returns trigger language plpgsql as $$ begin perform pg_sleep(0.03); return new; end $$;
    create trigger pause before insert on sessions for each row execute function pause();
    create function speak() returns trigger language plpgsql as $$ begin new.turns := 1; return new; end $$;
    create trigger speak before insert or update on sessions for each row execute function speak()`);
  const replica = await openSecondReplica(world);
  try {
    const responses = await Promise.all(
      visits.map((visit, index) =>
        visit.request(
          'POST',
          '/messages',
          { start: true },
          { base: index % 2 === 0 ? replica.base : world.base },
        ),
      ),
    );
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(room);
    expect(statuses.filter((status) => status === 429)).toHaveLength(visits.length - room);
    const refused = responses.find(({ status }) => status === 429);
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    const [{ count } = {}] = await world.rows(
      'select count(*)::integer as count from sessions where project_id = $1 and ended_at is null',
      [project.projectId],
    );
    expect(count).toBe(mostOpen);
    const started = visits[statuses.indexOf(200)];
    expect((await started?.request('POST', '/end', {}))?.status).toBe(200);
    expect((await visits[statuses.indexOf(429)]?.start())?.at(-1)).toEqual({ event: 'done', turn: 0 });
  } finally {
    await world.rows('drop trigger pause on sessions; drop trigger speak on sessions');
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
