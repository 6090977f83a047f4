import { setImmediate as callbacks } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Pace } from '../../../src/resources/knowledge/fetch/pace.ts';
import { never, openSite, openTrialWall } from '../../helpers/wall-trial.ts';

test('runs two requests at once, and the others in order', async () => {
  const pace = new Pace({ atOnce: 2, gap: 0 });
  const started: number[] = [];
  const turns = [0, 1, 2, 3].map(async (index) => {
    const release = await pace.turn('example.com', 0, never);
    started.push(index);
    return release;
  });
  const [first, second] = await Promise.all(turns.slice(0, 2));
  await callbacks();
  expect(started).toEqual([0, 1]);
  second?.();
  await turns[2];
  await callbacks();
  expect(started).toEqual([0, 1, 2]);
  first?.();
  await turns[3];
  expect(started).toEqual([0, 1, 2, 3]);
});

test('keeps the gap between starts, or the longer one that a host asks for', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const pace = new Pace({ atOnce: 10, gap: 100 });
  const starts: number[] = [];
  const begun = performance.now();
  for (const gap of [0, 0, 1_000, 10])
    void pace.turn('example.com', gap, never).then(() => starts.push(performance.now() - begun));
  await vi.advanceTimersByTimeAsync(5_000);
  expect(starts).toEqual([0, 100, 1_100, 1_200]);
});

test('makes all pages of a host wait for its gap', async () => {
  const asked: unknown[] = [];
  const site = await openSite(({ url }, response) => {
    asked.push(url);
    response.end();
  });
  const { wall } = openTrialWall(site);
  await wall.fetch(`${site.url}/one`, { signal: never });
  const aborting = new AbortController();
  const waiting = wall.fetch(`${site.url}/two`, { signal: aborting.signal, gap: 600_000 });
  const behind = wall.fetch(`${site.url}/three`, { signal: never });
  setTimeout(() => aborting.abort(new Error('gone')), 100);
  await expect(waiting).rejects.toThrow('gone');
  await behind;
  expect(asked).toEqual(['/one', '/three']);
});

test('never makes one host wait for another', async () => {
  const pace = new Pace({ atOnce: 1, gap: 60_000 });
  await pace.turn('one.example', 0, never);
  await pace.turn('two.example', 0, never);
  expect(pace.hosts).toBe(2);
});

test('passes the turn of an aborted request to the next', async () => {
  const pace = new Pace({ atOnce: 1, gap: 0 });
  const release = await pace.turn('example.com', 0, never);
  const aborting = new AbortController();
  const aborted = pace.turn('example.com', 600_000, aborting.signal);
  const next = pace.turn('example.com', 0, never);
  release();
  const reason = new Error('gone');
  aborting.abort(reason);
  await expect(aborted).rejects.toBe(reason);
  (await next)();
  await expect(pace.turn('example.com', 0, aborting.signal)).rejects.toBe(reason);
});

test('forgets a host without requests', async () => {
  const pace = new Pace({ atOnce: 1, gap: 10 });
  (await pace.turn('example.com', 0, never))();
  const held = await pace.turn('held.example', 0, never);
  await expect.poll(() => pace.hosts).toBe(1);
  held();
  await expect.poll(() => pace.hosts).toBe(0);
});

test('paces all requests of a wall to one host, also after failures', async () => {
  let running = 0;
  let most = 0;
  const starts: number[] = [];
  const site = await openSite((_, response) => {
    starts.push(performance.now());
    most = Math.max(most, ++running);
    setTimeout(() => {
      running -= 1;
      response.writeHead(starts.length % 2 ? 200 : 500).end();
    }, 60);
  });
  const { wall } = openTrialWall({ allow: site.allow, limits: { pace: { atOnce: 2, gap: 20 } } });
  await Promise.allSettled(
    Array.from({ length: 8 }, (_, page) => wall.fetch(`${site.url}/${page}`, { signal: never })),
  );
  expect([starts.length, most]).toEqual([8, 2]);
});
