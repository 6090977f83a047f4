import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { cloneDatabase } from '../helpers/database.ts';
import { emptyDatabase, freePort, newHome, parley, start } from '../helpers/parley.ts';
import { claimsOf } from '../helpers/web-project.ts';

const liveKit = { url: 'wss://rooms.example', apiKey: 'APIkey', apiSecret: 'hidden-secret-of-LiveKit' };
const environment = {
  LIVEKIT_URL: liveKit.url,
  LIVEKIT_API_KEY: liveKit.apiKey,
  LIVEKIT_API_SECRET: liveKit.apiSecret,
};

describe('LIVEKIT_URL, LIVEKIT_API_KEY, LIVEKIT_API_SECRET', () => {
  test.each(Object.keys(environment))('are refused in one line without %s', async (missing) => {
    const env = { PARLEY_HOME: newHome(), ...environment, [missing]: '' };
    expect(await parley(['serve'], env)).toStrictEqual({
      code: 1,
      stdout: '',
      stderr:
        'parley: LIVEKIT_URL, LIVEKIT_API_KEY and LIVEKIT_API_SECRET go together. Set all three, or none.\n',
    });
  });

  test.each([
    ['LIVEKIT_URL', 'ftp://rooms.example'],
    ['LIVEKIT_URL', 'wss://user:hidden@rooms.example'],
    ['LIVEKIT_API_SECRET', 'hidden\n'],
  ])('are refused if %s is %j, and the error does not contain the value', async (name, value) => {
    const { code, stderr } = await parley(['serve'], {
      PARLEY_HOME: newHome(),
      ...environment,
      [name]: value,
    });
    expect({ code, stderr }).toStrictEqual({
      code: 1,
      stderr: expect.stringMatching(new RegExp(`^parley: ${name} is not valid: [^\n]+\n$`)),
    });
    expect(stderr).not.toContain('hidden');
  });

  test('sign the tokens of sessions; a publishable key starts no session on the command line', async () => {
    const env = { DATABASE_URL: await emptyDatabase(), PARLEY_HOME: newHome(), ...environment };
    const demo = JSON.parse((await parley(['demo', '--json'], env)).stdout);
    const input = JSON.stringify({ webAgentId: demo.webAgentId, mode: 'voice' });
    const call = (key: string) =>
      parley(['call', 'create_web_session', '--input', input], { ...env, PARLEY_API_KEY: key });
    const body = JSON.parse((await call(demo.key)).stdout);
    expect(body.roomUrl).toBe(liveKit.url);
    const answer = { status: 201, headers: new Headers(), body };
    const claims = await claimsOf(answer, liveKit);
    expect(claims.roomConfig).toMatchObject({ metadata: expect.stringContaining(demo.conversationId) });
    const { code, stderr } = await call(demo.publishableKey);
    expect({ code, error: JSON.parse(stderr).error.code }).toStrictEqual({ code: 1, error: 'forbidden' });
  });
});

test('in production without them the server says so, a voice session returns 502, and a chat works', async () => {
  const { url: DATABASE_URL, drop } = await cloneDatabase();
  onTestFinished(drop);
  const [port, PARLEY_HOME] = [await freePort(), newHome()];
  const demo = JSON.parse((await parley(['demo', '--json'], { DATABASE_URL, PARLEY_HOME })).stdout);
  const production = { NODE_ENV: 'production', PARLEY_SECRET_KEY: 'a secret of sixteen and more' };
  const server = start(['serve'], { DATABASE_URL, PARLEY_HOME, PORT: String(port), ...production });
  const base = `http://127.0.0.1:${port}`;
  await vi.waitFor(async () => expect((await fetch(`${base}/healthz`)).status).toBe(200), {
    timeout: 15_000,
    interval: 20,
  });
  const origin = 'http://localhost:3000';
  const session = (mode: string) =>
    fetch(`${base}/v1/web-sessions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${demo.publishableKey}`,
        'content-type': 'application/json',
        origin,
      },
      body: JSON.stringify({ webAgentId: demo.webAgentId, mode }),
    });
  const reply = await session('voice');
  expect(reply.status).toBe(502);
  expect(reply.headers.get('access-control-allow-origin')).toBe(origin);
  expect(await reply.json()).toStrictEqual({
    error: {
      code: 'internal_error',
      message: 'Something went wrong on our side. It is safe to try again shortly.',
      requestId: reply.headers.get('x-request-id'),
    },
  });
  expect((await session('chat')).status).toBe(201);
  server.child.kill('SIGTERM');
  const { code, stderr } = await server.ended;
  expect(code).toBe(0);
  expect(stderr.match(/LIVEKIT_URL is not set: voice sessions need models/g)).toHaveLength(1);
  const logged = stderr.split('\n').filter((line) => line.includes('so voice sessions cannot start'));
  expect(logged.map((line) => JSON.parse(line).msg)).toEqual(['request failed']);
});
