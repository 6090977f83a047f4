import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSecondReplica } from '../../helpers/second-replica.ts';
import {
  desk,
  openSessionProject,
  type SessionProject,
  saidIn,
  type Visit,
  visitOf,
} from '../../helpers/session-project.ts';
import { openWorld, type World } from '../../helpers/world.ts';

const origin = 'https://shop.example';
const greeting = 'Hello, I am an AI assistant.';
/** All addresses are those of clients behind a proxy that Parley trusts. */
const flooder = '203.0.113.66';
const trustedProxies = '127.0.0.1';
const [ofWebAgent, ofAddress] = [40, 30];
const address = { requests: 60, seconds: 86_400 };
const options = {
  models: undefined,
  trustedProxies,
  openSessions: { ofWebAgent, ofAddress },
  rateLimits: { address },
};

let world: World;
let project: SessionProject;
beforeAll(async () => {
  world = await openWorld(options);
});
afterAll(() => world.close());

/** A website: a web agent of the project, for pages of one origin. */
const openWebsite = () => project.agentOf(desk, { allowedOrigins: [origin] });

interface From {
  readonly base?: string;
  /** What the client itself puts into `X-Forwarded-For`, before the proxy adds its address. */
  readonly claims?: string;
}

/** Sends what a browser at this address sends through the proxy. */
function headersFrom(client: string, { claims }: From) {
  return { origin, 'x-forwarded-for': claims === undefined ? client : `${claims}, ${client}` };
}

/** Creates a session, and returns it with its status. */
async function arrive(client: string, webAgentId: string, from: From = {}) {
  const response = await fetch(`${from.base ?? world.base}/v1/web-sessions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${project.publishableKey}`,
      'content-type': 'application/json',
      ...headersFrom(client, from),
    },
    body: JSON.stringify({ webAgentId }),
  });
  const body = (await response.json()) as { roomUrl: string; token: string };
  return {
    status: response.status,
    visit: response.ok ? visitOf(body.roomUrl, body.token, origin) : undefined,
  };
}

/** Starts a session and reads the opening. Returns the status of what was refused, or of the opening. */
async function begin(client: string, webAgentId: string, from: From = {}) {
  const { status, visit } = await arrive(client, webAgentId, from);
  if (!visit) return { status };
  const headers = headersFrom(client, from);
  const response = await visit.request(
    'POST',
    '/messages',
    { start: true },
    { headers, base: from.base ?? world.base },
  );
  await response.text();
  return { status: response.status, visit };
}

async function begun(client: string, webAgentId: string): Promise<Visit> {
  const { status, visit } = await begin(client, webAgentId);
  expect(status).toBe(200);
  if (!visit) throw new Error('no session');
  return visit;
}

const speak = (visit: Visit, client: string) =>
  visit.say('I want to book a table', undefined, { headers: headersFrom(client, {}) });

async function spoken(client: string, webAgentId: string): Promise<Visit> {
  const visit = await begun(client, webAgentId);
  expect(saidIn(await speak(visit, client))).toEqual(['For which date?']);
  return visit;
}

/** Runs work in small groups: a crowd of requests would measure the machine. */
async function times<Value>(count: number, work: (index: number) => Promise<Value>): Promise<Value[]> {
  const values: Value[] = [];
  for (let next = 0; next < count; next += 5)
    values.push(
      ...(await Promise.all(
        Array.from({ length: Math.min(5, count - next) }, (_, index) => work(next + index)),
      )),
    );
  return values;
}

const openOf = (webAgentId: string) =>
  world.rows('select id from sessions where web_agent_id = $1 and ended_at is null', [webAgentId]);
const idsOf = (rows: readonly { readonly id?: unknown }[]) => new Set(rows.map(({ id }) => id));

describe('a full web agent', () => {
  test('evicts the oldest silent session of the address with the most, which goes on when its visitor speaks', async () => {
    project = await openSessionProject(world);
    const website = await openWebsite();
    const early = await begun('203.0.113.1', website);
    const talking = await spoken('203.0.113.2', website);
    const flood: Visit[] = [];
    for (let count = 0; count < 25; count++) flood.push(await begun(flooder, website));
    for (let count = 0; count < ofWebAgent - 27; count++) await begun(`198.51.100.${count}`, website);
    expect(await openOf(website)).toHaveLength(ofWebAgent);
    // However long the visitor who has spoken is idle, silent sessions go first.
    await lastTurns(website, 12, [talking]);
    const newcomer = await begun('203.0.113.3', website);
    const open = idsOf(await openOf(website));
    expect(open.size).toBe(ofWebAgent);
    const [first, ...others] = flood;
    if (!first) throw new Error('no flood');
    expect(open.has(first.id)).toBe(false);
    for (const { id } of [early, talking, newcomer, ...others]) expect(open.has(id)).toBe(true);
    expect(await first.show()).toMatchObject({ status: 'waiting', turns: [] });
    // Its visitor finds the session again, from the opening on.
    const turn = await speak(first, flooder);
    expect(saidIn(turn)).toEqual([greeting, 'Book a table, or speak to a person?', 'For which date?']);
    expect(turn.at(-1)).toEqual({ event: 'done', turn: 1 });
    expect((await first.show()).turns).toHaveLength(2);
    expect(await openOf(website)).toHaveLength(ofWebAgent);
    expect(saidIn(await speak(early, '203.0.113.1'))).toEqual(['For which date?']);
  });

  test('ends conversations of the address with far more than others, if nobody is silent, and keeps their texts', async () => {
    project = await openSessionProject(world);
    const website = await openWebsite();
    const flood: Visit[] = [];
    for (let count = 0; count < 25; count++) flood.push(await spoken(flooder, website));
    const visitors = await times(ofWebAgent - 25, (index) => spoken(`198.51.100.${index}`, website));
    await spoken('203.0.113.3', website);
    const open = idsOf(await openOf(website));
    const [first, ...others] = flood;
    if (!first) throw new Error('no flood');
    expect(open.size).toBe(ofWebAgent);
    for (const { id } of [...visitors, ...others]) expect(open.has(id)).toBe(true);
    const shown = await first.show();
    expect(shown).toMatchObject({ status: 'ended', reason: 'evicted' });
    expect(shown.turns).toHaveLength(2);
    const late = await first.request('POST', '/messages', { text: 'Hello?', messageId: 'late' });
    expect([late.status, await late.json()]).toMatchObject([
      404,
      { error: { code: 'not_found', details: { reason: 'evicted' } } },
    ]);
    // The flooder's own newcomers end nothing.
    expect((await begin(flooder, website)).status).toBe(429);
  });
});

/** Moves the last turns of a website's conversations into the past, or to now. */
const lastTurns = (webAgentId: string, minutesAgo: number, visits: readonly Visit[] = []) =>
  world.rows(
    `update sessions set active_at = clock_timestamp() - make_interval(secs => 60 * $2::float8)
    where web_agent_id = $1 and ended_at is null and ($3::text[] = '{}' or id = any($3))`,
    [webAgentId, minutesAgo, visits.map(({ id }) => id)],
  );

/** Comes to a full website and speaks. Returns the session that was ended for it; undefined if the newcomer was refused. */
async function arrives(client: string, webAgentId: string) {
  const before = idsOf(await openOf(webAgentId));
  const { status, visit } = await begin(client, webAgentId);
  const after = idsOf(await openOf(webAgentId));
  if (status === 200 && visit) await speak(visit, client);
  else expect([status, after]).toEqual([429, before]);
  const [ended, ...others] = [...before].filter((id) => !after.has(id));
  expect(others).toEqual([]);
  return ended;
}

describe('a website whose visitors have all spoken, from many addresses', () => {
  test('lets a newcomer in for the conversation that is idle for longest, and for one in which somebody talks if there is no other', async () => {
    project = await openSessionProject(world);
    const website = await openWebsite();
    const [alone, leaver, other, ...pairs] = await times(ofWebAgent - 3, (index) =>
      spoken(`198.51.100.${Math.ceil(index / 2)}`, website),
    );
    if (!alone || !leaver || !other) throw new Error('no visits');
    const holdLong = async (client: string) => {
      const visit = await begun(client, website);
      for (let turn = 0; turn < 6; turn++)
        await visit.say('Hm', undefined, { headers: headersFrom(client, {}) });
      return visit;
    };
    const long = await holdLong('198.51.100.98');
    const slow = await holdLong('198.51.100.99');
    await spoken('198.51.100.97', website);
    await lastTurns(website, 0);
    // Each turn makes up for a minute.
    await lastTurns(website, 8, [long]);
    await lastTurns(website, 5, [leaver]);
    await lastTurns(website, 4, [other]);
    expect(await arrives('203.0.113.1', website)).toBe(leaver.id);
    expect(await leaver.show()).toMatchObject({ status: 'ended', reason: 'evicted' });
    // An address that has a session ends no conversation of others.
    expect(await arrives('203.0.113.1', website)).toBeUndefined();
    expect(await arrives('203.0.113.2', website)).toBe(other.id);
    await lastTurns(website, 2, [long]);
    expect(await arrives('203.0.113.3', website)).toBe(long.id);
    // All talk: one of two at the same address gives way, and not the one who spoke before.
    await lastTurns(website, 0, [alone]);
    await lastTurns(website, 0, pairs);
    expect(idsOf(pairs)).toContain(await arrives('203.0.113.4', website));
    expect(await arrives('203.0.113.4', website)).toBeUndefined();
    // Many turns do not make up for a long pause.
    await lastTurns(website, 0.75, [slow]);
    expect(await arrives('203.0.113.5', website)).toBe(slow.id);
  });

  test('ends those of one /56 first, which gets no more with an address that is new', async () => {
    const larger = await openWorld({ ...options, openSessions: { ofWebAgent: 45, ofAddress } });
    const [before, own] = [world, project];
    try {
      world = larger;
      project = await openSessionProject(larger);
      const website = await openWebsite();
      const ofLine = (index: number) => `2001:db8:0:a${index.toString(16).padStart(2, '0')}::1`;
      const line = idsOf(await times(42, (index) => spoken(ofLine(index), website)));
      await times(3, (index) => spoken(`198.51.100.${index}`, website));
      // Two lines of the same site get in, until the crowded one has its share.
      for (const client of ['2001:db8:0:b00::1', '2001:db8:0:c00::1']) {
        await lastTurns(website, 0);
        expect(line).toContain(await arrives(client, website));
      }
      for (const minutesAgo of [12, 0]) {
        await lastTurns(website, minutesAgo);
        expect(await arrives(ofLine(200), website)).toBeUndefined();
      }
      expect(line).toContain(await arrives('203.0.113.1', website));
    } finally {
      [world, project] = [before, own];
      await larger.close();
    }
  });

  test('lets a newcomer in without waiting for a session that changes at the same moment', async () => {
    project = await openSessionProject(world);
    const website = await openWebsite();
    const [oldest, next] = await times(ofWebAgent, (index) => spoken(`198.51.100.${index}`, website));
    if (!oldest || !next) throw new Error('no visits');
    await lastTurns(website, 9, [oldest]);
    await lastTurns(website, 8, [next]);
    const another = new pg.Client({ connectionString: world.databaseUrl });
    await another.connect();
    try {
      await another.query('begin');
      await another.query('select from sessions where id = $1 for update', [oldest.id]);
      expect(await arrives('203.0.113.1', website)).toBe(next.id);
    } finally {
      await another.end();
    }
  });
});

test.for([
  ['/56', 2, (index: number) => `2001:db8:0:a${index.toString(16).padStart(2, '0')}::1`],
  ['/48', 4, (index: number) => `2001:db8:0:${index.toString(16)}00::1`],
] as const)(
  'a %s is refused after %i times the starts of an address, with a new address for each, and others are not',
  async ([, share, addressAt]) => {
    const requests = 20;
    const strict = await openWorld({
      ...options,
      rateLimits: { address: { requests, seconds: 86_400 } },
    });
    const [before, own] = [world, project];
    try {
      world = strict;
      project = await openSessionProject(strict);
      const website = await openWebsite();
      const statuses = await times(
        share * requests + 10,
        async (index) => (await arrive(addressAt(index), website)).status,
      );
      expect(statuses.filter((status) => status === 201)).toHaveLength(share * requests);
      expect(statuses.slice(-10)).toEqual(Array.from({ length: 10 }, () => 429));
      for (const client of ['2001:db8:1::1', '203.0.113.1'])
        expect((await arrive(client, website)).status, client).toBe(201);
    } finally {
      [world, project] = [before, own];
      await strict.close();
    }
  },
);

describe('an address', () => {
  test('has no more open sessions than its limit, and evicts none of another address', async () => {
    project = await openSessionProject(world);
    const website = await openWebsite();
    const visitor = await begun('203.0.113.1', website);
    for (let count = 0; count < ofAddress + 5; count++) await begun(flooder, website);
    const open = idsOf(await openOf(website));
    expect(open.size).toBe(ofAddress + 1);
    expect(open.has(visitor.id)).toBe(true);
  });

  test.for([
    ['as itself', (): From => ({})],
    ['with a new X-Forwarded-For each time', (index: number): From => ({ claims: `8.8.${index}.1` })],
  ] as const)(
    'is refused after its starts, %s, also by another replica, and another address is not',
    async ([, fromOf]) => {
      project = await openSessionProject(world);
      const website = await openWebsite();
      const replica = await openSecondReplica(world, options);
      try {
        const statuses = await times(address.requests + 20, async (index) => {
          const base = index % 2 === 0 ? replica.base : world.base;
          return (await begin(flooder, website, { ...fromOf(index), base })).status;
        });
        expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(address.requests);
        expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(20);
        expect((await begin('203.0.113.1', website)).status).toBe(200);
        expect((await begin('203.0.113.1', website, { base: replica.base })).status).toBe(200);
      } finally {
        await replica.close();
      }
    },
  );

  test('leaves nothing behind but a keyed hash, until the session ends', async () => {
    project = await openSessionProject(world);
    const visit = await spoken(flooder, await openWebsite());
    const find = () => world.rows('select address from sessions where id = $1', [visit.id]);
    expect((await find())[0]?.['address']).toMatch(/^[\w+/=-]{32,}$/);
    expect((await visit.request('POST', '/end', {})).status).toBe(200);
    expect(await find()).toEqual([{ address: null }]);
    const counted = await world.rows('select * from rate_limit_windows');
    expect(JSON.stringify(counted)).not.toContain(flooder);
  });
});

test('a limit that all visitors share refuses an address only after its first ten starts', async () => {
  const shared = { requests: 15, seconds: 86_400 };
  const rateLimits = { address, publishableKey: shared, webAgent: shared };
  const crowded = await openWorld({ ...options, rateLimits });
  const [before, own] = [world, project];
  try {
    world = crowded;
    project = await openSessionProject(crowded);
    const website = await openWebsite();
    const statuses = await times(30, async () => (await begin(flooder, website)).status);
    expect(statuses.filter((status) => status === 429)).toHaveLength(15);
    for (let visitor = 1; visitor < 5; visitor++) await spoken(`203.0.113.${visitor}`, website);
  } finally {
    [world, project] = [before, own];
    await crowded.close();
  }
});

test('the headers of a proxy that is not trusted do not make its clients others', async () => {
  const untrusting = await openWorld({ ...options, trustedProxies: '192.0.2.1' });
  const [before, own] = [world, project];
  try {
    world = untrusting;
    project = await openSessionProject(untrusting);
    const website = await openWebsite();
    // All have the address of the proxy, so the limit of an address holds for all, and silent sessions give way.
    for (let visitor = 0; visitor < ofAddress + 5; visitor++) await begun(`203.0.113.${visitor}`, website);
    expect(await openOf(website)).toHaveLength(ofAddress);
  } finally {
    [world, project] = [before, own];
    await untrusting.close();
  }
});
