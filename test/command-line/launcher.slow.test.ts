import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { cloneDatabase } from '../helpers/database.ts';
import { freePort, launcher, newHome, parley } from '../helpers/parley.ts';

const deadline = { timeout: 30_000, interval: 50 };

/** A module that makes the launcher believe that its Node is older, so that it starts another one. */
function olderNode(home: string): string {
  const file = path.join(home, 'older.cjs');
  writeFileSync(file, "Object.defineProperty(process.versions, 'node', { value: '20.20.2' });");
  return file;
}

test('ends the server when its launcher under Node 20 is killed', async () => {
  const { url, drop } = await cloneDatabase();
  onTestFinished(drop);
  const [port, home] = [await freePort(), newHome()];
  const env = { DATABASE_URL: url, PARLEY_HOME: home, PORT: String(port), PARLEY_GRACE_SECONDS: '0' };
  const child = spawn(process.execPath, ['--require', olderNode(home), launcher, 'serve'], {
    env,
    stdio: 'ignore',
  });
  onTestFinished(() => void child.kill());
  const isServing = () =>
    fetch(`http://127.0.0.1:${port}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await vi.waitFor(async () => expect(await isServing()).toBe(true), deadline);
  child.kill('SIGKILL');
  await vi.waitFor(async () => expect(await isServing()).toBe(false), deadline);
});

test('reports a PARLEY_HOME that cannot be made', async () => {
  const { code, stderr } = await parley(['serve'], { PARLEY_HOME: '/proc/nowhere/home', PORT: '0' });
  expect(stderr).toBe(
    'parley: /proc/nowhere cannot be made: set PARLEY_HOME to a folder that can be written\n',
  );
  expect(code).toBe(1);
});
