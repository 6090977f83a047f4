import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { freePort, newHome, parley } from '../command/parley.ts';
import {
  answers,
  breaksOff,
  completes,
  hangs,
  type Reaction,
  resets,
  says,
  stalls,
} from '../helpers/upstream.ts';
import type { RestAnswer } from '../helpers/world.ts';
import {
  approves,
  designOf,
  type JudgedProject,
  type JudgedWorld,
  linesIn,
  newLine,
  openJudgedWorld,
  rejects,
  upstreamKey,
} from './judged-world.ts';

let world: JudgedWorld;
let project: JudgedProject;
beforeAll(async () => {
  world = await openJudgedWorld();
});
afterAll(() => world?.close());
beforeEach(async () => {
  world.useModel(world.newModel());
  world.upstream.received.length = 0;
  world.logged.length = 0;
  project = await world.project();
});

const content = (text: string) => completes(() => text);
const verdicts = (...indexes: number[]) =>
  content(JSON.stringify({ verdicts: indexes.map((index) => ({ index, discloses: true, reason: 'R' })) }));

/** Its words quote what nobody may read: the key. */
const errorWithSecrets = {
  error: { message: `Incorrect API key provided: ${upstreamKey}`, code: upstreamKey, type: upstreamKey },
};
const shortLimits = { timeLimit: 300 };

/** How a model fails, and what the log tells of it. */
const failures: Record<string, { reaction: Reaction; limits?: typeof shortLimits; told: string }> = {
  'never answers': { reaction: hangs, limits: shortLimits, told: 'the model did not respond within 300 ms' },
  'begins an answer and never ends it': {
    reaction: stalls,
    limits: shortLimits,
    told: 'did not respond within 300 ms',
  },
  'ends the connection': { reaction: resets, told: 'could not be reached' },
  'ends the connection in the middle': { reaction: breaksOff, told: 'could not be reached' },
  'answers 400': { reaction: answers(400, errorWithSecrets), told: 'returned 400' },
  'answers 401': { reaction: answers(401, errorWithSecrets), told: 'returned 401' },
  'answers 404': { reaction: answers(404, errorWithSecrets), told: 'returned 404' },
  'answers 429': { reaction: answers(429, errorWithSecrets), told: 'returned 429' },
  'answers 500': { reaction: answers(500, errorWithSecrets), told: 'returned 500' },
  'answers 503 without JSON': { reaction: says(`<html>${upstreamKey}`, 503), told: 'returned 503' },
  'answers what is no JSON': { reaction: says(`<html>${upstreamKey}`), told: 'something other than JSON' },
  'answers nothing': { reaction: says(''), told: 'another format' },
  'answers JSON null': { reaction: says('null'), told: 'another format' },
  'answers other JSON': { reaction: answers(200, errorWithSecrets), told: 'another format' },
  'answers without a choice': { reaction: answers(200, { choices: [] }), told: 'another format' },
  refuses: { reaction: completes(() => null), told: 'another format' },
  'answers prose': { reaction: content('Yes, it does.'), told: 'another format' },
  'breaks off': { reaction: content('{"verdicts": [{"index": 0, "disc'), told: 'another format' },
  'says yes by a word': {
    reaction: content('{"verdicts": [{"index": 0, "discloses": "true", "reason": "R"}]}'),
    told: 'another format',
  },
  'gives no verdict': { reaction: verdicts(), told: 'exactly one verdict' },
  'gives a verdict too many': { reaction: verdicts(0, 1), told: 'exactly one verdict' },
  'gives two verdicts on one line': { reaction: verdicts(0, 0), told: 'exactly one verdict' },
  'gives its verdict on another line': { reaction: verdicts(1), told: 'exactly one verdict' },
};

const generic = 'Validation is not available right now. Nothing was written. Try again shortly.';

/** A 503 that says nothing, and when to come again. */
function expectUnavailable({ status, headers, body }: RestAnswer): void {
  const requestId = headers.get('x-request-id');
  expect({ status, body, retryAfter: headers.get('retry-after') }).toStrictEqual({
    status: 503,
    body: { error: { code: 'validation_unavailable', message: generic, requestId } },
    retryAfter: '5',
  });
}

/** Tries everything that asks the model, through every door; the log tells why and betrays nothing. */
async function expectNothingPasses(told: string, received = true): Promise<void> {
  const [id, line] = [await project.newConversation(), newLine()];
  const client = await world.mcp('modern http', project.key);
  const before = await project.rowCounts();
  const design = designOf(line);
  const { projectId } = project;
  const overRest = [project.create(design), project.write(id, design), project.validate(id, design)];
  const overMcp = [
    client.callTool({ name: 'create_conversation', arguments: { projectId, name: 'C', design } }),
    client.callTool({ name: 'write_design', arguments: { conversationId: id, design, baseVersion: 1 } }),
    client.callTool({ name: 'validate_design', arguments: { conversationId: id, design } }),
  ];
  for (const answer of await Promise.all(overRest)) expectUnavailable(answer);
  for (const { isError, content } of await Promise.all(overMcp))
    expect({ isError, ...JSON.parse(content[0]?.text ?? '') }).toStrictEqual({
      isError: true,
      error: { code: 'validation_unavailable', message: generic, requestId: expect.any(String) },
      hint: 'Try again shortly.',
    });
  expect(await project.rowCounts()).toStrictEqual(before);
  const asked = overRest.length + overMcp.length;
  // Nothing is tried again: that is the caller's to do.
  expect(world.upstream.received).toHaveLength(received ? asked : 0);
  expect(world.logged.filter((line) => line.includes(told))).toHaveLength(asked);
  const log = world.logged.join('');
  for (const secret of [upstreamKey, '127.0.0.1:', 'http:', line]) expect(log).not.toContain(secret);
}

describe('nothing is written and nothing is told where the model', () => {
  test.each(Object.entries(failures))('%s', async (_, { reaction, limits, told }) => {
    world.useModel(world.newModel(limits));
    world.upstream.reacts(reaction);
    await expectNothingPasses(told);
    await vi.waitFor(() => expect(world.upstream.underWay()).toBe(0));
  });

  test('cannot be reached', async () => {
    world.useModel(world.newModel({ baseUrl: `http://127.0.0.1:${await freePort()}/v1` }));
    await expectNothingPasses('could not be reached (ECONNREFUSED)', false);
  });

  test('has another address than was configured', async () => {
    world.useModel(world.newModel({ baseUrl: `${world.upstream.baseUrl}/more` }));
    await expectNothingPasses('returned 404');
  });
});

test('twenty who wait for the model hold no connection, and others get through', async () => {
  const id = await project.newConversation();
  const gates = new Map(Array.from({ length: 20 }, () => [newLine(), Promise.withResolvers<void>()]));
  world.upstream.reacts(async (request, response) => {
    const [{ text } = expect.fail()] = linesIn(request);
    await gates.get(text)?.promise;
    return approves(request, response);
  });
  const waiting = [...gates].map(([line, { resolve }], n) => ({
    answer: n % 2 === 0 ? project.write(id, designOf(line)) : project.validate(id, designOf(line)),
    letGo: resolve,
    told: n % 2 === 0 ? { n: 2 + n / 2 } : { valid: true },
  }));
  await vi.waitFor(() => expect(world.upstream.underWay()).toBe(20), { timeout: 10_000 });
  const busy = `select pid from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`;
  await vi.waitFor(async () => expect(await world.rows(busy)).toStrictEqual([]));
  expect((await project.call('GET', `/v1/conversations/${id}/versions`)).body.versions).toHaveLength(1);
  await project.newConversation();
  // One after the other: how many writes at once a pool takes is not what this is about.
  for (const { answer, letGo, told } of waiting) {
    letGo();
    expect((await answer).body).toMatchObject(told);
  }
});

test('a caller who leaves takes the question along, and nothing is written', async () => {
  const id = await project.newConversation();
  const before = await project.rowCounts();
  world.upstream.reacts(hangs);
  const caller = new AbortController();
  const answer = fetch(`${world.base}/v1/conversations/${id}/versions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${project.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ design: designOf(newLine()) }),
    signal: caller.signal,
  });
  await vi.waitFor(() => expect(world.upstream.underWay()).toBe(1));
  caller.abort();
  await expect(answer).rejects.toThrow('aborted');
  await vi.waitFor(() => expect(world.upstream.underWay()).toBe(0));
  expect(await project.rowCounts()).toStrictEqual(before);
});

describe('the environment', () => {
  const call = (more: Record<string, string>) =>
    parley(
      [
        'call',
        'create_conversation',
        '--input',
        JSON.stringify({ projectId: project.projectId, name: 'C', design: designOf(newLine()) }),
      ],
      {
        DATABASE_URL: world.databaseUrl,
        PARLEY_API_KEY: project.key,
        PARLEY_HOME: newHome(),
        PARLEY_DISCLOSURE_MODEL: 'judge',
        OPENAI_API_KEY: upstreamKey,
        OPENAI_BASE_URL: world.upstream.baseUrl,
        ...more,
      },
    );

  test('names the model, and what its client logs stays out of stdout', async () => {
    world.upstream.reacts(approves);
    const { code, stdout, stderr } = await call({
      OPENAI_LOG: 'debug',
      OPENAI_ORG_ID: 'o',
      OPENAI_PROJECT_ID: 'p',
    });
    expect({ code, stderr }).toStrictEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ kind: 'advanced' });
    expect(world.upstream.received).toHaveLength(1);
    const [{ headers, body } = expect.fail()] = world.upstream.received;
    expect(body.model).toBe('judge');
    expect(headers.authorization).toBe(`Bearer ${upstreamKey}`);
    expect(Object.keys(headers).filter((name) => name.startsWith('openai-'))).toStrictEqual([]);
  });

  test('names a model that says no', async () => {
    world.upstream.reacts(rejects);
    const { code, stdout, stderr } = await call({});
    expect({ code, stdout }).toStrictEqual({ code: 1, stdout: '' });
    expect(JSON.parse(stderr).error.code).toBe('ai_disclosure_required');
  });
});
