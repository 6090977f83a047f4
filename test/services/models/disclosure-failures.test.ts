import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { freePort, newHome, parley } from '../../helpers/parley.ts';
import {
  answers,
  breaksOff,
  completes,
  hangs,
  type Reaction,
  resets,
  says,
  stalls,
} from '../../helpers/upstream.ts';
import type { RestAnswer } from '../../helpers/world.ts';
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

/** An error that quotes the key. */
const errorWithSecrets = {
  error: { message: `Incorrect API key provided: ${upstreamKey}`, code: upstreamKey, type: upstreamKey },
};
const shortLimits = { timeLimit: 300 };

/** How a model fails, and what the log then contains. */
const failures: Record<string, { reaction: Reaction; limits?: typeof shortLimits; log: string }> = {
  'never responds': { reaction: hangs, limits: shortLimits, log: 'the model did not respond within 300 ms' },
  'begins a response and never ends it': {
    reaction: stalls,
    limits: shortLimits,
    log: 'did not respond within 300 ms',
  },
  'closes the connection': { reaction: resets, log: 'could not be reached' },
  'closes the connection within its response': { reaction: breaksOff, log: 'could not be reached' },
  'returns 400': { reaction: answers(400, errorWithSecrets), log: 'returned 400' },
  'returns 401': { reaction: answers(401, errorWithSecrets), log: 'returned 401' },
  'returns 404': { reaction: answers(404, errorWithSecrets), log: 'returned 404' },
  'returns 429': { reaction: answers(429, errorWithSecrets), log: 'returned 429' },
  'returns 500': { reaction: answers(500, errorWithSecrets), log: 'returned 500' },
  'returns 503 without JSON': { reaction: says(`<html>${upstreamKey}`, 503), log: 'returned 503' },
  'returns HTML': { reaction: says(`<html>${upstreamKey}`), log: 'something other than JSON' },
  'returns an empty body': { reaction: says(''), log: 'another format' },
  'returns null': { reaction: says('null'), log: 'another format' },
  'returns other JSON': { reaction: answers(200, errorWithSecrets), log: 'another format' },
  'returns no choice': { reaction: answers(200, { choices: [] }), log: 'another format' },
  'returns no content': { reaction: completes(() => null), log: 'another format' },
  'returns prose': { reaction: content('Yes, it does.'), log: 'another format' },
  'cuts its JSON short': { reaction: content('{"verdicts": [{"index": 0, "disc'), log: 'another format' },
  'gives a verdict as a string': {
    reaction: content('{"verdicts": [{"index": 0, "discloses": "true", "reason": "R"}]}'),
    log: 'another format',
  },
  'gives no verdict': { reaction: verdicts(), log: 'exactly one verdict' },
  'gives one verdict too many': { reaction: verdicts(0, 1), log: 'exactly one verdict' },
  'gives two verdicts on one line': { reaction: verdicts(0, 0), log: 'exactly one verdict' },
  'gives its verdict on another line': { reaction: verdicts(1), log: 'exactly one verdict' },
};

const generic = 'Validation is not available right now. Nothing was written. Try again shortly.';

/** Expects a 503 without details and with a Retry-After. */
function expectUnavailable({ status, headers, body }: RestAnswer): void {
  const requestId = headers.get('x-request-id');
  expect({ status, body, retryAfter: headers.get('retry-after') }).toStrictEqual({
    status: 503,
    body: { error: { code: 'validation_unavailable', message: generic, requestId } },
    retryAfter: '5',
  });
}

/** Tries every operation that asks the model, over REST and MCP, and expects the reason in the log, without secrets. */
async function expectAllFail(reason: string, received = true): Promise<void> {
  const [id, line] = [await project.newConversation(), newLine()];
  const client = await world.mcp('modern http', project.key);
  const before = await project.rowCounts();
  const design = designOf(line);
  const { projectId } = project;
  const overRest = [project.create(design), project.write(id, design), project.validate(id, design)];
  const overMcp = [
    client.callTool({ name: 'create_conversation', arguments: { projectId, name: 'C', design } }),
    client.callTool({ name: 'write_design', arguments: { conversationId: id, design, version: 1 } }),
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
  const calls = overRest.length + overMcp.length;
  // Parley does not retry. The caller may.
  expect(world.upstream.received).toHaveLength(received ? calls : 0);
  expect(world.logged.filter((line) => line.includes(reason))).toHaveLength(calls);
  const log = world.logged.join('');
  for (const secret of [upstreamKey, '127.0.0.1:', 'http:', line]) expect(log).not.toContain(secret);
}

describe('a design', () => {
  test.each(Object.entries(failures))(
    'returns 503 and is not written if the model %s',
    async (_, { reaction, limits, log }) => {
      world.useModel(world.newModel(limits));
      world.upstream.reacts(reaction);
      await expectAllFail(log);
      await vi.waitFor(() => expect(world.upstream.underWay()).toBe(0));
    },
  );

  test('returns 503 and is not written if the model cannot be reached', async () => {
    world.useModel(world.newModel({ baseUrl: `http://127.0.0.1:${await freePort()}/v1` }));
    await expectAllFail('could not be reached (ECONNREFUSED)', false);
  });

  test('returns 503 and is not written if the configured path does not exist', async () => {
    world.useModel(world.newModel({ baseUrl: `${world.upstream.baseUrl}/more` }));
    await expectAllFail('returned 404');
  });
});

test('twenty calls that wait for the model hold no database connection, and other calls proceed', async () => {
  const id = await project.newConversation();
  const gates = new Map(Array.from({ length: 20 }, () => [newLine(), Promise.withResolvers<void>()]));
  world.upstream.reacts(async (request, response) => {
    const [{ text } = expect.fail()] = linesIn(request);
    await gates.get(text)?.promise;
    return approves(request, response);
  });
  const waiting = [...gates].map(([line, { resolve }], n) => ({
    response: n % 2 === 0 ? project.write(id, designOf(line)) : project.validate(id, designOf(line)),
    release: resolve,
    expected: n % 2 === 0 ? { version: 2 + n / 2 } : { valid: true },
  }));
  await vi.waitFor(() => expect(world.upstream.underWay()).toBe(20), { timeout: 10_000 });
  const busy = `select pid from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`;
  await vi.waitFor(async () => expect(await world.rows(busy)).toStrictEqual([]));
  expect((await project.call('GET', `/v1/conversations/${id}/versions`)).body.versions).toHaveLength(1);
  await project.newConversation();
  // One after the other, because this test does not measure concurrent writes.
  for (const { response, release, expected } of waiting) {
    release();
    expect((await response).body).toMatchObject(expected);
  }
});

test('a caller that leaves ends the model call, and nothing is written', async () => {
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
  await vi.waitFor(() => expect(world.upstream.underWay()).toBe(1), { timeout: 10_000 });
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

  test('names the model, and the logs of its client stay out of stdout and stderr', async () => {
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

  test('names a model whose rejection the command reports', async () => {
    world.upstream.reacts(rejects);
    const { code, stdout, stderr } = await call({});
    expect({ code, stdout }).toStrictEqual({ code: 1, stdout: '' });
    expect(JSON.parse(stderr).error.code).toBe('ai_disclosure_required');
  });
});
