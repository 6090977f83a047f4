import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newHome, parley } from '../helpers/parley.ts';
import { openWorld, type Tenant, type World } from '../helpers/world.ts';

let world: World;
let tenant: Tenant;
beforeAll(async () => {
  world = await openWorld();
  tenant = await world.tenant();
});
afterAll(() => world.close());

/** Runs `parley call` with a key of the project. */
const call = (args: readonly string[], input = '', key = tenant.key) =>
  parley(
    ['call', ...args],
    { DATABASE_URL: world.databaseUrl, PARLEY_HOME: newHome(), PARLEY_API_KEY: key },
    input,
  );

const flow = () => ({ projectId: tenant.projectId, name: 'Called', flowSchema: { greeting: 'é' } });

/** The error of a failed call, which is one line of JSON on stderr. */
function errorOf({ code, stdout, stderr }: Awaited<ReturnType<typeof call>>) {
  expect({ code, stdout, lines: stderr.split('\n').length }, stderr).toStrictEqual({
    code: 1,
    stdout: '',
    lines: 2,
  });
  const { error } = JSON.parse(stderr);
  expect(error.requestId).toMatch(/^[0-9a-f-]{36}$/);
  return error;
}

describe('call', () => {
  test('prints the response as one line of JSON and nothing else', async () => {
    const { code, stdout, stderr } = await call(['create_flow', '--input', JSON.stringify(flow())]);
    expect({ code, stderr, lines: stdout.split('\n').length }).toStrictEqual({
      code: 0,
      stderr: '',
      lines: 2,
    });
    const answer = JSON.parse(stdout);
    const { body } = await world.rest('GET', `/v1/flows/${answer.id}`, { key: tenant.key });
    const warnings = [expect.objectContaining({ path: '/greeting' })];
    expect(answer).toStrictEqual({ ...body, versionId: expect.stringMatching(/^cfv/), warnings });
  });

  test('reads its input from stdin, or takes {} without --input', async () => {
    const read = await call(['create_flow', '--input', '-'], `${JSON.stringify(flow())}\n`);
    expect(JSON.parse(read.stdout)).toMatchObject({ name: 'Called', projectId: tenant.projectId });
    const listed = await call(['list_projects']);
    expect(JSON.parse(listed.stdout).projects).toHaveLength(1);
  });

  test('needs no key for an operation without authentication', async () => {
    const env = { DATABASE_URL: world.databaseUrl, PARLEY_HOME: newHome(), PARLEY_GIT_SHA: 'abc' };
    const { code, stdout } = await parley(['call', 'get_health'], env);
    expect({ code, answer: JSON.parse(stdout) }).toStrictEqual({
      code: 0,
      answer: {
        status: 'ok',
        service: 'service-api',
        version: expect.stringMatching(/^\d+\.\d+\.\d+/),
        gitSha: 'abc',
      },
    });
  });

  test('replays the stored response for a repeated idempotency key, as REST does', async () => {
    const args = ['create_flow', '--input', JSON.stringify(flow()), '--idempotency-key', 'k'];
    const [first, second] = [await call(args), await call(args)];
    expect(second.stdout).toBe(first.stdout);
    const { projectId, ...body } = flow();
    const request = { key: tenant.key, body, headers: { 'idempotency-key': 'k' } };
    const { body: third } = await world.rest('POST', `/v1/projects/${projectId}/flows`, request);
    expect(JSON.parse(first.stdout)).toMatchObject(third);
  });
});

describe('a failed call writes the error as JSON to stderr and exits with status 1', () => {
  test.each([
    ['not_found', ['get_flow', '--input', '{"flowId":"cfl000000"}']],
    ['invalid_request', ['get_flow']],
    ['invalid_request', ['get_flow', '--input', '{"flowId":"x","y":1}']],
    ['invalid_request', ['get_flow', '--input', '{"__proto__":{"flowId":"cfl000000"}}']],
    ['not_found', ['list_flows', '--input', '{"projectId":"cpr000000"}']],
  ])('%s: %j', async (code, args) => {
    expect(errorOf(await call(args)).code).toBe(code);
  });

  test('with every issue at once, named as the tool names its input', async () => {
    const input = JSON.stringify({ trashId: 'NO', x: 1 });
    const { details } = errorOf(await call(['restore_deleted', '--input', input]));
    const paths = details.issues.map(
      ({ in: place, path }: { in: string; path: string }) => `${place} ${path}`,
    );
    expect(paths.toSorted()).toStrictEqual(['body /x', 'params /projectId', 'params /trashId']);
  });

  test('if the key lacks the access or is revoked', async () => {
    const { key, keyId } = await world.key(tenant.projectId, { access: ['read'] });
    const args = ['create_flow', '--input', JSON.stringify(flow())];
    expect(errorOf(await call(args, '', key)).code).toBe('forbidden');
    await world.rows(`update api_keys set status = 'revoked' where id = $1`, [keyId]);
    expect(errorOf(await call(['list_projects'], '', key)).code).toBe('unauthorized');
  });

  test('if the input exceeds the limit', async () => {
    const large = { ...flow(), description: 'd'.repeat(262_144) };
    expect(errorOf(await call(['create_flow', '--input', '-'], JSON.stringify(large))).code).toBe(
      'payload_too_large',
    );
  });

  test('if the idempotency key is malformed', async () => {
    const args = ['create_flow', '--input', JSON.stringify(flow()), '--idempotency-key', 'a b'];
    expect(errorOf(await call(args)).code).toBe('invalid_request');
  });
});

test('rejects input from stdin that is not a JSON object with exit status 2', async () => {
  for (const input of ['', '{', '[1]', 'null'])
    expect(await call(['list_projects', '--input', '-'], input)).toStrictEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^parley: --input .*\n$/),
    });
});
