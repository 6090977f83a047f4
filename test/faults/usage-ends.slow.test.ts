import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { openWorld, type Tenant, type World } from '../helpers/world.ts';

const script = fileURLToPath(new URL('usage-process.ts', import.meta.url));

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

/** Starts a process that records usage all the time; returns it with its output. */
function startUsing({ projectId }: Tenant) {
  const child = spawn(process.execPath, [script], {
    env: { DATABASE_URL: world.databaseUrl, PROJECT_ID: projectId },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stderr.on('data', (text: Buffer) => console.error(text.toString().trimEnd()));
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  const ended = new Promise<{ code: number | null; last: string | undefined }>((resolve) => {
    child.once('close', (code) => resolve({ code, last: printed.trimEnd().split('\n').at(-1) }));
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return { child, ended };
}

async function quantities({ projectId }: Tenant): Promise<number[]> {
  const rows = await world.rows(
    'select quantity::int as quantity from usage_events where project_id = $1 order by quantity',
    [projectId],
  );
  return rows.map(({ quantity }) => Number(quantity));
}

async function total({ key }: Tenant): Promise<number> {
  const { body } = await world.rest('GET', '/v1/organization/usage', { key });
  return body.totals[0].quantity;
}

/** Returns how many uses were written. Every gap and every half-written event would change the sum. */
function countIn(written: readonly number[]): number {
  const sum = written.reduce((total, quantity) => total + quantity, 0);
  const count = Math.floor(Math.sqrt(2 * sum));
  expect((count * (count + 1)) / 2).toBe(sum);
  return count;
}

test('writes all usage on SIGTERM, and the report includes it', async () => {
  const tenant = await world.tenant();
  const { child, ended } = startUsing(tenant);
  await vi.waitFor(async () => expect(await quantities(tenant)).not.toEqual([]), { timeout: 30_000 });
  child.kill('SIGTERM');
  const { code, last } = await ended;
  const written = await quantities(tenant);
  expect({ code, last }).toStrictEqual({ code: 0, last: `written: ${countIn(written)}` });
  expect(await total(tenant)).toBe(written.reduce((sum, quantity) => sum + quantity, 0));
});

test('loses only the last second of usage on kill -9, without gaps or half-written events', async () => {
  const tenant = await world.tenant();
  const { child, ended } = startUsing(tenant);
  await vi.waitFor(async () => expect(await quantities(tenant)).not.toEqual([]), { timeout: 30_000 });
  child.kill('SIGKILL');
  const used = Number((await ended).last);
  const written = await quantities(tenant);
  expect(countIn(written)).toBeLessThanOrEqual(used);
  expect(await total(tenant)).toBe(written.reduce((sum, quantity) => sum + quantity, 0));
});
