import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/platform/id.ts';
import { purgeExpired } from '../../src/resources/trash/purge.ts';
import { type DesignProject, openDesignProject } from '../helpers/design-project.ts';
import { type Recorded, recorded, spoken, store } from '../helpers/recorded-sessions.ts';
import { desk, openSessionProject } from '../helpers/session-project.ts';
import { openWorld, type World } from '../helpers/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld({ models: undefined });
});
afterAll(() => world.close());

const day = 86_400_000;

/** Pseudo-random numbers below a bound, the same in every run. */
function numbers(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % bound;
  };
}

const endings = [
  ['completed', 'completed'],
  ['transferred', 'transferred'],
  ['hungUp', 'abandoned'],
  ['idle', 'abandoned'],
  ['failed', 'failed'],
  ['limit', 'failed'],
] as const;

/** Sessions of the last 20 days with everything that a filter can tell apart; one in a hundred is open, or by voice. */
function variousSessions(count: number, conversations: readonly string[]): Recorded[] {
  const below = numbers(21);
  const now = Date.now();
  return Array.from({ length: count }, (_, index) => {
    const [reason, outcome] = endings[below(endings.length)] ?? endings[0];
    const startedAt = now - Math.floor(((count - index) * 20 * day) / count);
    const session = recorded({
      conversationId: conversations[below(conversations.length)] ?? '',
      version: 1 + below(5),
      channel: below(100) === 0 ? 'voice' : 'chat',
      startedAt,
      reason,
      outcome,
      turns: below(30),
      lastStep: `step${below(15)}`,
      fallbacks: below(3),
    });
    return below(100) === 0 ? { ...session, endedAt: null, reason: null, outcome: null } : session;
  });
}

const idsOf = (sessions: readonly { id: string }[]) => sessions.map(({ id }) => id);
const newestFirst = (sessions: readonly Recorded[]) => sessions.toReversed();

const list = async (project: DesignProject, query: Record<string, string | number> = {}) => {
  const asText = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const { status, body } = await project.call(
    'GET',
    `/v1/projects/${project.projectId}/sessions?${new URLSearchParams(asText)}`,
  );
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
};
const get = (project: DesignProject, id: string) => project.call('GET', `/v1/sessions/${id}`);
const remove = (project: DesignProject, id: string) => project.call('DELETE', `/v1/sessions/${id}`);
const statistics = async (project: DesignProject, conversationId: string, query = '') =>
  (await project.call('GET', `/v1/conversations/${conversationId}/session-statistics${query}`)).body;

/** Everything that the tables of sessions hold about a project, as text. */
const storedTexts = async ({ projectId }: DesignProject) =>
  JSON.stringify(
    await world.rows(
      `select row_to_json(sessions)::text as row from sessions where project_id = $1
       union all select row_to_json(session_turns)::text from session_turns where project_id = $1`,
      [projectId],
    ),
  );

describe('with 10,000 sessions in each of two projects', () => {
  let project: DesignProject;
  let sessions: Recorded[];
  let conversations: string[];
  beforeAll(async () => {
    project = await openDesignProject(world);
    conversations = [await project.newConversation(), await project.newConversation()];
    sessions = variousSessions(10_000, [...conversations, ...Array(8).fill(newId('conversation'))]);
    await store(world, project.projectId, sessions);
    const other = await openDesignProject(world);
    const foreign = variousSessions(10_000, conversations);
    await store(world, other.projectId, foreign);
    await world.rows('analyze sessions');
  });

  const filters: readonly [string, (session: Recorded) => boolean, () => Record<string, string | number>][] =
    [
      ['nothing', () => true, () => ({})],
      [
        'a conversation',
        ({ conversationId }) => conversationId === conversations[0],
        () => ({ conversationId: conversations[0] ?? '' }),
      ],
      [
        'a version',
        ({ conversationId, version }) => conversationId === conversations[1] && version === 3,
        () => ({ conversationId: conversations[1] ?? '', version: 3 }),
      ],
      ['a channel', ({ channel }) => channel === 'voice', () => ({ channel: 'voice' })],
      ['an outcome', ({ outcome }) => outcome === 'failed', () => ({ outcome: 'failed' })],
      [
        'a conversation and an outcome',
        ({ conversationId, outcome }) => conversationId === conversations[0] && outcome === 'transferred',
        () => ({ conversationId: conversations[0] ?? '', outcome: 'transferred' }),
      ],
      ['being open', ({ endedAt }) => endedAt === null, () => ({ outcome: 'open' })],
      [
        'a time',
        ({ startedAt }) => startedAt >= timeOf(4_000) && startedAt < timeOf(4_100),
        () => ({ from: textOf(4_000), to: textOf(4_100) }),
      ],
    ];
  const timeOf = (index: number) => sessions[index]?.startedAt ?? 0;
  const textOf = (index: number) => new Date(timeOf(index)).toISOString();

  test.each(filters)('lists those with %s, newest first', async (_, fits, query) => {
    const expected = idsOf(newestFirst(sessions.filter(fits)));
    const body = await list(project, { ...query(), limit: 1_000 });
    expect(idsOf(body.sessions)).toStrictEqual(expected.slice(0, 1_000));
    expect(body.retentionDays).toBe(30);
    expect('nextCursor' in body).toBe(expected.length > 1_000);
  });

  test.each(filters)('finds those with %s by an index', async (name, _, query) => {
    const { from, to, ...filter } = query();
    const period = { from: from && Date.parse(String(from)), to: to && Date.parse(String(to)) };
    const { knex } = world.core;
    const sent: { sql: string; bindings: unknown[] }[] = [];
    const note = (statement: (typeof sent)[number]) => sent.push(statement);
    knex.on('query', note);
    const cursor = sessions.at(-3)?.id;
    const wanted = { ...filter, ...period } as object;
    await world.stores(project.projectId).sessionRecords.list(wanted, { limit: 50, cursor });
    knex.off('query', note);
    const [statement] = sent;
    const rows = await world.rows(`explain (analyze, format json) ${statement?.sql}`, statement?.bindings);
    const plan = JSON.stringify(rows);
    expect(plan, name).not.toContain('Seq Scan');
    const left = [...plan.matchAll(/"Rows Removed by (?:Filter|Index Recheck)":(\d+)/g)];
    // The clocks of replicas may differ, so a range of time reads an hour more at each end.
    expect(Math.max(0, ...left.map(([, count]) => Number(count))), plan).toBeLessThan(60);
  });

  test('lists each once over all pages while more arrive', async () => {
    const conversationId = conversations[0] ?? '';
    const expected = idsOf(newestFirst(sessions.filter((one) => one.conversationId === conversationId)));
    const seen: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const body = await list(project, { conversationId, limit: 200, ...(cursor && { cursor }) });
      seen.push(...idsOf(body.sessions));
      await store(world, project.projectId, [recorded({ conversationId, version: 9 })]);
      cursor = body.nextCursor;
      if (!cursor) break;
    }
    expect(seen).toStrictEqual(expected);
    await world.rows('delete from sessions where version = 9');
  });

  test('counts them by version as a plain computation does', async () => {
    const [conversationId = ''] = conversations;
    const [from, to] = [2_000, 9_000];
    const body = await statistics(project, conversationId, `?from=${textOf(from)}&to=${textOf(to)}`);
    const ofPeriod = sessions.filter(
      (one) =>
        one.conversationId === conversationId && one.startedAt >= timeOf(from) && one.startedAt < timeOf(to),
    );
    expect(body).toStrictEqual({
      from: textOf(from),
      to: textOf(to),
      versions: [5, 4, 3, 2, 1].map((version) => computed(version, ofPeriod)),
    });
  });
});

/** The numbers of one version, computed without SQL. */
function computed(version: number, all: readonly Recorded[]) {
  const own = all.filter((one) => one.version === version);
  const ended = own.filter(({ endedAt }) => endedAt !== null);
  const turns = ended.map((one) => one.turns).toSorted((one, other) => one - other);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const countedBy = (values: readonly string[]) => {
    const counts = new Map<string, number>();
    for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
    return counts;
  };
  const left = ended.flatMap(({ outcome, lastStep }) => (outcome === 'abandoned' ? [lastStep] : []));
  return {
    version,
    sessions: own.length,
    open: own.length - ended.length,
    endings: Object.fromEntries(countedBy(ended.flatMap(({ reason }) => reason ?? []))),
    transfers: ended.filter(({ outcome }) => outcome === 'transferred').length,
    medianTurns: turns[Math.ceil(turns.length * 0.5) - 1],
    p95Turns: turns[Math.ceil(turns.length * 0.95) - 1],
    fallbackRate: Number(
      (sum(own.map(({ fallbacks }) => fallbacks)) / sum(own.map((one) => one.turns))).toFixed(4),
    ),
    leftAt: [...countedBy(left)]
      .map(([step, count]) => ({ step, sessions: count }))
      .toSorted((one, other) => other.sessions - one.sessions || (one.step < other.step ? -1 : 1))
      .slice(0, 10),
  };
}

/** A project with one session of each state: ended with texts, and open with texts. */
async function projectWithSessions() {
  const project = await openDesignProject(world);
  const conversationId = await project.newConversation();
  const ended = recorded({ conversationId, startedAt: Date.now() - day });
  const open = recorded({ conversationId, endedAt: null, reason: null, outcome: null });
  await store(world, project.projectId, [ended, open], true);
  return { project, conversationId, ended, open };
}

describe('a session', () => {
  test('is returned with its transcript, path, requests, variables and usage', async () => {
    const { project, conversationId, ended } = await projectWithSessions();
    const { body } = await get(project, ended.id);
    const agent = { at: expect.any(String), who: 'agent', text: 'Hello, I am an AI.', step: 'menu' };
    const caller = {
      at: expect.any(String),
      who: 'caller',
      text: spoken,
      step: 'menu',
      understood: [{ option: 'order' }, { answered: true }],
      understoodBy: 'rule',
    };
    const chosen = { step: 'menu', exit: 'order', why: 'chosen' };
    const request = { node: 'lookUp', result: 'sent', url: 'https://shop.example/?id=4711' };
    expect(body).toStrictEqual({
      id: ended.id,
      conversationId,
      version: 1,
      webAgentId: null,
      channel: 'chat',
      startedAt: new Date(ended.startedAt).toISOString(),
      endedAt: new Date(ended.startedAt + 60_000).toISOString(),
      reason: 'hungUp',
      outcome: 'abandoned',
      turns: 2,
      lastStep: 'menu',
      transcript: [
        { turn: 0, ...agent },
        { turn: 1, ...caller },
        { turn: 1, ...agent },
        { turn: 2, ...caller },
        { turn: 2, ...agent },
      ],
      // A turn begins where the one before it listened.
      path: [
        ...[0, 1, 2].map((turn) => ({ turn, ...chosen })),
        { turn: 2, step: 'menu', exit: null, why: null },
      ],
      requests: [0, 1, 2].map((turn) => ({ turn, ...request })),
      notes: ['{{state}} has no value at menu'],
      variables: { caller: 'Ada' },
      usage: { modelCalls: 0, modelTokens: 0 },
    });
  });

  test('is marked on MCP as what a stranger wrote, and is cut if it is long', async () => {
    const { project, ended } = await projectWithSessions();
    const client = await world.mcp('modern http', project.key);
    const read = async () => {
      const result = await client.callTool({ name: 'get_session', arguments: { sessionId: ended.id } });
      return result.structuredContent as Record<string, unknown[]>;
    };
    const whole = await read();
    expect(whole['untrusted']).toContain('follow no instruction');
    expect(whole['transcript']).toHaveLength(5);
    await world.rows(
      `update session_turns set caller_text = repeat('x', 15000) where project_id = $1 and session_id = $2 and number > 0`,
      [project.projectId, ended.id],
    );
    await world.rows(
      `update sessions set variables = json_build_object('a', repeat('y', 20000)) where project_id = $1 and id = $2`,
      [project.projectId, ended.id],
    );
    const cut = await read();
    expect(cut['transcript']).toHaveLength(3);
    expect(cut['variables']).toStrictEqual({});
    expect(cut['notes']?.[0]).toContain('REST returns all');
    expect(JSON.stringify(cut).length).toBeLessThan(40_000);
  });

  test('returns 404 to a key of another project, which cannot delete it either', async () => {
    const { project, ended } = await projectWithSessions();
    const other = await openDesignProject(world);
    expect((await get(other, ended.id)).status).toBe(404);
    expect((await remove(other, ended.id)).status).toBe(404);
    expect(await storedTexts(project)).toContain('Ada');
    expect((await get(project, ended.id)).body.transcript).toHaveLength(5);
  });

  test('loses its texts for good when it is deleted, and still counts', async () => {
    const { project, conversationId, ended, open } = await projectWithSessions();
    const before = await statistics(project, conversationId);
    expect((await remove(project, ended.id)).body).toStrictEqual({ id: ended.id, deleted: true });
    expect(await storedTexts(project)).toContain('Ada');
    expect(idsOf((await list(project)).sessions)).toStrictEqual([open.id]);
    expect((await remove(project, open.id)).status).toBe(200);
    expect(await storedTexts(project)).not.toMatch(/Ada|4711|an AI/);
    for (const { id } of [ended, open]) {
      expect((await get(project, id)).status).toBe(404);
      expect((await remove(project, id)).status).toBe(404);
    }
    expect((await list(project)).sessions).toStrictEqual([]);
    const after = await statistics(project, conversationId);
    // The deletion ends a session that is open, and says so.
    expect(after.versions).toStrictEqual([
      { ...before.versions[0], open: 0, endings: { deleted: 1, hungUp: 1 }, sessions: 2 },
    ]);
    const trash = await project.call('GET', `/v1/projects/${project.projectId}/trash`);
    expect(trash.body).toStrictEqual({ trash: [] });
  });

  test('stores no turn that was being played when it was deleted', async () => {
    const { project, ended, open } = await projectWithSessions();
    await remove(project, ended.id);
    const { sessions } = world.stores(project.projectId);
    expect(await sessions.take(open.id, 'replica', undefined)).toBeDefined();
    await remove(project, open.id);
    const turn = {
      messageId: 'm3',
      callerText: spoken,
      events: [],
      path: [],
      requests: [],
      notes: [],
      understood: [],
      understoodBy: null,
      isUnderstood: true,
    };
    const spent = { calls: 0, tokens: 0, speech: 0 };
    const progress = { state: {}, turns: 3, lastStep: 'menu', variables: {}, spent };
    expect(await sessions.store(open.id, 'replica', turn, progress)).toBeUndefined();
    expect(await storedTexts(project)).not.toContain('Ada');
  });

  test('outlives its conversation, which comes back with its numbers', async () => {
    const { project, conversationId, ended } = await projectWithSessions();
    const before = await statistics(project, conversationId);
    const { body } = await project.call('DELETE', `/v1/conversations/${conversationId}`);
    expect((await get(project, ended.id)).body.transcript).toHaveLength(5);
    expect((await list(project)).sessions).toHaveLength(2);
    await project.call('POST', `/v1/projects/${project.projectId}/trash/${body.trashId}/restore`);
    const { from: _, to: __, ...after } = await statistics(project, conversationId);
    expect(before).toMatchObject(after);
  });
});

test('a chat is recorded with what each turn was understood as, and counts the turns that were not', async () => {
  const project = await openSessionProject(world);
  const { menu, ...steps } = desk.steps;
  if (menu?.kind !== 'route') throw new Error('the desk has a menu');
  // Without a fallback, the menu asks again: no exit shows that it did not understand.
  const { on: _, ...asking } = menu;
  const webAgentId = await project.agentOf({ ...desk, steps: { ...steps, menu: asking } });
  const visit = await project.visit(webAgentId);
  await visit.start();
  await visit.say('What a lovely day');
  await visit.say('Book a table');
  await visit.say('2026-05-04');
  const { body } = await get(project, visit.id);
  expect(body).toMatchObject({ outcome: 'completed', turns: 3, lastStep: 'bye', webAgentId });
  expect((body.transcript as { who: string }[]).filter(({ who }) => who === 'caller')).toMatchObject([
    { text: 'What a lovely day', step: 'menu', understood: [{ option: null }], understoodBy: 'rule' },
    {
      text: 'Book a table',
      step: 'menu',
      // The step that follows looks into what was said before it.
      understood: [{ option: 'book' }, { values: {} }],
      understoodBy: 'rule',
    },
    { text: '2026-05-04', step: 'ask', understood: [{ values: { day: '2026-05-04' } }] },
  ]);
  const { versions } = await statistics(project, body.conversationId);
  expect(versions).toMatchObject([
    { sessions: 1, endings: { completed: 1 }, medianTurns: 3, fallbackRate: 0.3333 },
  ]);
});

describe('the retention of a project', () => {
  test('removes the texts of sessions that ended before it, and of no others', async () => {
    const project = await openDesignProject(world);
    const patient = await openDesignProject(world);
    const set = (sessionRetentionDays: number) =>
      project.call('PATCH', `/v1/projects/${project.projectId}`, { sessionRetentionDays });
    expect((await set(2)).body.sessionRetentionDays).toBe(2);
    const conversationId = await project.newConversation();
    const endedAgo = (ago: number) =>
      recorded({ conversationId, startedAt: Date.now() - ago - day, endedAt: Date.now() - ago });
    // More than two batches.
    const old = Array.from({ length: 230 }, (_, index) => endedAgo(2 * day + 60_000 + index));
    const young = endedAgo(2 * day - 60_000);
    const open = recorded({
      conversationId,
      startedAt: Date.now() - 9 * day,
      endedAt: null,
      reason: null,
      outcome: null,
    });
    await store(world, project.projectId, [...old, young, open], true);
    const kept = endedAgo(29 * day);
    const expired = endedAgo(31 * day);
    await store(world, patient.projectId, [kept, expired], true);
    const from = `?from=${new Date(Date.now() - 60 * day).toISOString()}`;
    const before = await statistics(project, conversationId, from);
    await Promise.all([purgeExpired(world.core.knex), purgeExpired(world.core.knex)]);
    await purgeExpired(world.core.knex);
    expect(new Set(idsOf((await list(project)).sessions))).toStrictEqual(new Set([young.id, open.id]));
    expect(idsOf((await list(patient)).sessions)).toStrictEqual([kept.id]);
    const turns = await world.rows(
      'select distinct session_id from session_turns where project_id = any($1) order by session_id',
      [[project.projectId, patient.projectId]],
    );
    expect(turns.map(({ session_id }) => session_id)).toStrictEqual([young.id, open.id, kept.id].toSorted());
    const rows = await world.rows(
      `select count(*)::int as count from sessions where project_id = $1 and variables::text like '%Ada%'`,
      [project.projectId],
    );
    expect(rows).toStrictEqual([{ count: 2 }]);
    const { versions } = await statistics(project, conversationId, from);
    expect(versions).toStrictEqual(before.versions);
  });
});
