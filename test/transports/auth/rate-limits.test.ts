import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RateLimitWindows } from '../../../src/store/rate-limit-windows.ts';
import { RateLimits } from '../../../src/transports/auth/rate-limits.ts';
import { openWebProject, type WebProject } from '../../helpers/web-project.ts';
import { openWorld, type RestAnswer, type World } from '../../helpers/world.ts';

/** No window of a test ends during it. */
const seconds = 100_000_000;
const origin = 'https://www.example.com';

const open: World[] = [];
afterAll(async () => {
  for (const world of open.toReversed()) await world.close();
});

async function worldWith(options: Parameters<typeof openWorld>[0]): Promise<World> {
  const world = await openWorld(options);
  open.push(world);
  return world;
}

/** The headers of a response that rate limits set. */
function limitsOf({ headers }: RestAnswer) {
  const names = ['ratelimit-policy', 'ratelimit', 'retry-after'];
  return names.map((name) => headers.get(name)?.replaceAll(/(t=|^)\d+$|(?<=t=)\d+/g, '$1N') ?? '');
}

function refusal(policy: string, limit: number, window = seconds) {
  return {
    error: {
      code: 'rate_limited',
      message: expect.stringMatching(new RegExp(`^The limit "${policy}" allows ${limit} in ${window} s\\.`)),
      details: { policy, limit, window, retryAfter: expect.any(Number) },
    },
  };
}

describe('a publishable key', () => {
  let world: World;
  let project: WebProject;
  let webAgentId: string;
  beforeAll(async () => {
    world = await worldWith({ rateLimits: { publishableKey: { requests: 3, seconds } } });
    project = await openWebProject(world);
    webAgentId = await project.newWebAgent({ allowedOrigins: [origin] });
  });
  const start = (key: string) => project.startSession({ webAgentId }, { key, origin });

  test('gets 429 with the headers of the limit after as many requests, and its page may read them', async () => {
    const answers: RestAnswer[] = [];
    for (let sent = 0; sent < 5; sent++) answers.push(await start(project.publishableKey));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 429, 429]);
    const policy = `"publishable-key";q=3;w=${seconds}`;
    expect(answers.map(limitsOf)).toEqual([
      [policy, '"publishable-key";r=2;t=N', ''],
      [policy, '"publishable-key";r=1;t=N', ''],
      [policy, '"publishable-key";r=0;t=N', ''],
      [policy, '"publishable-key";r=0;t=N', 'N'],
      [policy, '"publishable-key";r=0;t=N', 'N'],
    ]);
    const { headers, body } = answers[3] as RestAnswer;
    expect(body).toMatchObject(refusal('publishable-key', 3));
    expect(headers.get('ratelimit')).toContain(`t=${headers.get('retry-after')}`);
    expect(body.error.details.retryAfter).toBe(Number(headers.get('retry-after')));
    expect(headers.get('access-control-expose-headers')).toContain('ratelimit, ratelimit-policy');
  });

  test('does not use up the limit of another one, and a secret key has none', async () => {
    const { key } = await world.key(project.projectId, { type: 'publishable' });
    expect((await start(key)).status).toBe(201);
    const withSecretKey = await start(project.key);
    expect([withSecretKey.status, ...limitsOf(withSecretKey)]).toEqual([201, '', '', '']);
  });
});

describe('a secret key', () => {
  const requests = 60;
  let one: World;
  let other: World;
  beforeAll(async () => {
    const rateLimits = { secretKey: { requests, seconds } };
    one = await worldWith({ rateLimits });
    other = await worldWith({ rateLimits, database: { url: one.databaseUrl, drop: async () => undefined } });
  });

  test('sends as many requests to two replicas as its limit allows, and then gets 429 from both', async () => {
    const { key, projectId } = await one.tenant();
    const send = (world: World) => world.rest('GET', `/v1/projects/${projectId}`, { key });
    let admitted = 0;
    const sendAll = async (world: World) => {
      for (let sent = 0; sent < requests / 4; sent++) if ((await send(world)).status === 200) admitted++;
    };
    await Promise.all([one, other, one, other, one, other, one, other].map(sendAll));
    // Each replica may keep what it has claimed last: a fiftieth.
    expect(admitted).toBeGreaterThanOrEqual(requests - 2 * Math.ceil(requests / 50));
    for (const world of [one, other]) while ((await send(world)).status === 200) admitted++;
    expect(admitted).toBe(requests);
    for (const world of [one, other]) expect((await send(world)).status).toBe(429);
  });

  test('gets 401 if it is revoked, 403 for what it may not do, and 429 before its body is read', async () => {
    const { projectId, key: admin } = await one.tenant();
    const { keyId, key } = await one.key(projectId, { access: ['read'] });
    const read = () => one.rest('GET', `/v1/projects/${projectId}`, { key });
    while ((await read()).status === 200);
    expect((await read()).body).toMatchObject(refusal('secret-key', requests));
    const flows = `/v1/projects/${projectId}/flows`;
    expect((await one.rest('POST', flows, { key, body: {} })).status).toBe(403);
    expect((await one.rest('GET', `${flows}?limit=wrong`, { key })).status).toBe(429);
    expect((await one.rest('POST', `/v1/keys/${keyId}/revoke`, { key: admin })).status).toBe(200);
    expect((await read()).status).toBe(401);
  });

  test('gets an error over MCP that says how long to wait', async () => {
    const { key } = await one.tenant();
    const client = await one.mcp('modern http', key);
    let result = await client.callTool({ name: 'get_current_key' });
    while (!result.isError) result = await client.callTool({ name: 'get_current_key' });
    const { error, hint } = JSON.parse(result.content[0]?.text ?? '');
    expect({ error }).toMatchObject(refusal('secret-key', requests));
    expect(hint).toBe(`Wait ${error.details.retryAfter} seconds and call again.`);
  });
});

test('all keys of a project share its limit, and each response shows both limits', async () => {
  const limit = { requests: 2, seconds };
  const world = await worldWith({ rateLimits: { project: limit, secretKey: { requests: 5, seconds } } });
  const { projectId, key } = await world.tenant();
  const { key: second } = await world.key(projectId);
  const send = (key: string) => world.rest('GET', '/v1/projects', { key });
  expect(limitsOf(await send(key))).toEqual([
    `"secret-key";q=5;w=${seconds}, "project";q=2;w=${seconds}`,
    '"secret-key";r=4;t=N, "project";r=1;t=N',
    '',
  ]);
  expect((await send(second)).status).toBe(200);
  for (const one of [key, second]) expect((await send(one)).body).toMatchObject(refusal('project', 2));
  const { key: foreign } = await world.tenant();
  expect((await send(foreign)).status).toBe(200);
});

test('admits as many requests again in the next window', async () => {
  const world = await worldWith({});
  const { projectId } = await world.tenant();
  const counts = new RateLimitWindows(world.core.knex);
  const limits = new RateLimits({ secretKey: { requests: 1, seconds: 1 } }, counts);
  const caller = { projectId, keyId: 'a key', keyType: 'secret' } as const;
  const isAdmitted = async () => (await limits.admit(caller))?.refusal === undefined;
  const began = performance.now();
  let admitted = 0;
  let refused = 0;
  while (admitted < 3 || refused === 0)
    if (await isAdmitted()) admitted++;
    else refused++;

  // Three windows of a second, of which the first may be almost over.
  expect(performance.now() - began).toBeGreaterThan(1000);
});

test('without limits, no request is counted', async () => {
  const world = await worldWith({});
  const project = await openWebProject(world);
  const webAgentId = await project.newWebAgent();
  const answer = await project.startSession({ webAgentId });
  expect([answer.status, ...limitsOf(answer)]).toEqual([201, '', '', '']);
  expect(await world.rows('select * from rate_limit_windows')).toEqual([]);
});

test('drawings that fail use up a limit of the project, which other drawings and projects do not meet', async () => {
  const world = await worldWith({ rateLimits: { failedDrawings: { requests: 2, seconds } } });
  const [project, other] = [await openWebProject(world), await openWebProject(world)];
  const steps = Object.fromEntries(
    Array.from({ length: 1500 }, (_, index) => [`s${index}`, { kind: 'end' }]),
  );
  const conversationOf = async ({ newConversation, store }: WebProject, isLarge: boolean) => {
    const conversationId = await newConversation();
    if (isLarge) await store(conversationId, 1, { schemaVersion: 'cd/1', entry: { stepId: 's1' }, steps });
    return conversationId;
  };
  const [small, large, foreign] = [
    await conversationOf(project, false),
    await conversationOf(project, true),
    await conversationOf(other, false),
  ];
  const draw = (conversationId: string, format = 'png', key = project.key) =>
    world.rest('GET', `/v1/conversations/${conversationId}/versions/1/diagram?format=${format}`, { key });
  const statuses: number[] = [];
  for (const conversationId of [small, large, small, large, small])
    statuses.push((await draw(conversationId, conversationId === small ? 'svg' : 'png')).status);
  expect(statuses).toEqual([200, 413, 200, 413, 429]);
  const refused = await draw(small);
  expect(refused.body).toMatchObject(refusal('failed-drawings', 2));
  expect(limitsOf(refused)).toEqual([`"failed-drawings";q=2;w=${seconds}`, '"failed-drawings";r=0;t=N', 'N']);
  expect((await draw(small, 'mermaid')).status).toBe(200);
  expect((await draw(foreign, 'png', other.key)).status).toBe(200);
});
