import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { reportMissing } from '../helpers/find-program.ts';
import { StandInParley } from './stand-in.ts';

const script = fileURLToPath(new URL('../../scripts/voice.ts', import.meta.url));
const isInstalled = existsSync(new URL('../../voice/node_modules', import.meta.url));
if (!isInstalled)
  reportMissing(
    'voice/node_modules is missing, so no voice worker starts (npm ci --ignore-scripts --prefix voice)',
  );

/** An address at which nothing listens. */
const nowhere = '127.0.0.1:1';

describe.skipIf(!isInstalled)('npm run voice', () => {
  // If the lock is newer than the packages, the first start installs them, and npm says so.
  beforeAll(() => startWith({ PARLEY_HOME: '/nonexistent' }));

  it('says in one line where it looked for the voice key', async () => {
    expect(await startWith({ PARLEY_HOME: '/nonexistent' })).toEqual({
      code: 1,
      errors:
        'No voice key: /nonexistent/voice-worker.json does not exist. Start Parley on this machine first, or set PARLEY_VOICE_KEY and PARLEY_URL.\n',
    });
  });

  it('says in one line that no Parley runs at the address', async () => {
    const { code, errors } = await startWith({ PARLEY_VOICE_KEY: 'key', PARLEY_URL: `http://${nowhere}` });
    expect(code).toBe(1);
    expect(errors).toMatch(/^No Parley at http:\/\/127\.0\.0\.1:1: .*\. Start it, or set PARLEY_URL\.\n$/);
  });

  it('says in one line that Parley refuses the voice key', async () => {
    const { url } = await parley();
    expect(await startWith({ PARLEY_VOICE_KEY: 'another', PARLEY_URL: url })).toEqual({
      code: 1,
      errors: `Parley at ${url} refuses the voice key. Set PARLEY_VOICE_KEY to the key of that server.\n`,
    });
  });

  it('says in one line that no LiveKit runs at the address', async () => {
    const { url, key } = await parley();
    const { code, errors } = await startWith({
      PARLEY_VOICE_KEY: key,
      PARLEY_URL: url,
      LIVEKIT_URL: `ws://${nowhere}`,
    });
    expect(code).toBe(1);
    expect(errors).toMatch(/^No LiveKit at ws:\/\/127\.0\.0\.1:1: .*\. Start it, or set LIVEKIT_URL\.\n$/);
  });

  it('says in one line that LiveKit refuses the key', async () => {
    const { url, key } = await parley();
    const liveKit = createServer((_request, response) => {
      response.writeHead(401, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ code: 'unauthenticated', msg: 'invalid API key' }));
    });
    await new Promise<void>((resolve) => liveKit.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void liveKit.close());
    const address = `ws://127.0.0.1:${(liveKit.address() as AddressInfo).port}`;
    expect(
      await startWith({
        PARLEY_VOICE_KEY: key,
        PARLEY_URL: url,
        LIVEKIT_URL: address,
        LIVEKIT_API_KEY: 'k',
        LIVEKIT_API_SECRET: 's'.repeat(32),
      }),
    ).toEqual({
      code: 1,
      errors: `LiveKit at ${address} refuses the key k. Set LIVEKIT_API_KEY and LIVEKIT_API_SECRET as the server has them.\n`,
    });
  });
});

async function parley(): Promise<StandInParley> {
  const server = new StandInParley({});
  await server.listen();
  onTestFinished(() => server.close());
  return server;
}

/** Starts a worker that cannot run, and returns what it said. */
async function startWith(environment: Readonly<Record<string, string>>) {
  const { PARLEY_URL: _url, PARLEY_VOICE_KEY: _key, ...inherited } = process.env;
  const worker = spawn(process.execPath, [script], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...inherited, ...environment },
  });
  const exited = new Promise<number | null>((resolve) => worker.once('exit', resolve));
  const errors = await text(worker.stderr);
  return { code: await exited, errors };
}
