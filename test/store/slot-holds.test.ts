import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import createKnex from 'knex';
import { expect, onTestFinished, test } from 'vitest';
import { SlotHolds } from '../../src/store/slot-holds.ts';
import { openCalendarProject } from '../helpers/calendar-project.ts';
import { openWorld } from '../helpers/world.ts';

const hour = 3_600_000;
const noon = Date.parse('2027-03-02T12:00:00Z');
const slot = (from: number, to: number) => ({ from: noon + from * hour, to: noon + to * hour });

/** Two calendars of a project, and holds of two replicas. */
async function openHolds() {
  const world = await openWorld();
  onTestFinished(() => world.close());
  const credentials = { url: 'https://calendar.example/', username: 'a', password: 'b' };
  const { projectId, integrationId } = await openCalendarProject(world, credentials);
  const connect = () => {
    const knex = createKnex({ client: 'pg', connection: world.databaseUrl });
    onTestFinished(() => knex.destroy());
    return knex;
  };
  const [one, other] = [connect(), connect()];
  const held = (id: string) => ({ projectId, integrationId, id });
  return {
    world,
    projectId,
    integrationId,
    knex: one,
    held,
    one: new SlotHolds(one),
    other: new SlotHolds(other),
  };
}

test('a time is held once, until its work is done, and whatever the work throws', async () => {
  const { held, one, other, knex } = await openHolds();
  const overlapping = await one.during(held('a'), slot(0, 1), () =>
    Promise.all([
      other.during(held('b'), slot(0.5, 1.5), async () => 'overlaps'),
      other.during(held('c'), slot(1, 2), async () => 'next to it'),
      other.during(held('d'), slot(-1, 0), async () => 'before it'),
    ]),
  );
  expect(overlapping).toEqual([undefined, 'next to it', 'before it']);
  await expect(one.during(held('a'), slot(0, 1), () => Promise.reject(new Error('refused')))).rejects.toThrow(
    'refused',
  );
  expect(await other.during(held('b'), slot(0, 1), async () => 'free again')).toBe('free again');
  expect(await knex('calendar_holds')).toEqual([]);
});

test('one of fifty bookings on two replicas holds a time', async () => {
  const { held, one, other } = await openHolds();
  let finish: () => void = () => undefined;
  const all = new Promise<void>((resolve) => {
    finish = resolve;
  });
  let decided = 0;
  // Whoever holds the time keeps it until all others have their answer, or hold it too.
  const decide = () => {
    decided += 1;
    if (decided === 50) finish();
  };
  const taken = await Promise.all(
    Array.from({ length: 50 }, async (_, index) => {
      const got = await (index % 2 === 0 ? one : other).during(held(`${index}`), slot(0, 1), async () => {
        decide();
        await all;
        return index;
      });
      if (got === undefined) decide();
      return got;
    }),
  );
  expect(taken.filter((index) => index !== undefined)).toHaveLength(1);
});

test('the hold of a killed process expires', async () => {
  const { world, projectId, integrationId, held, one, knex } = await openHolds();
  const time = slot(0, 1);
  const holder = spawn(
    process.execPath,
    [
      path.join(import.meta.dirname, 'slot-holder.ts'),
      world.databaseUrl,
      projectId,
      integrationId,
      String(time.from),
      String(time.to),
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await once(holder.stdout, 'data');
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  const book = () => one.during(held('b'), time, async () => 'booked');
  expect(await book()).toBeUndefined();
  const [row] = await knex('calendar_holds').select(knex.raw('held_until - now() as "left"'));
  expect(row).toMatchObject({ left: { seconds: expect.any(Number) } });
  // As if a minute had passed.
  await knex('calendar_holds').update({ held_until: knex.raw('now()') });
  expect(await book()).toBe('booked');
});
