import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { localTimeAt } from '../../../src/platform/local-time.ts';
import { isOpenAt, type OpeningHours } from '../../../src/resources/project-time/opening-hours.ts';
import { runs, seed } from '../../helpers/runs.ts';

const shop: OpeningHours = {
  thursday: [
    { from: '09:00', to: '12:00' },
    { from: '14:00', to: '18:00' },
  ],
  friday: [{ from: '22:00', to: '02:00' }],
  sunday: [{ from: '00:00', to: '24:00' }],
};

describe('a project is open', () => {
  // 24 December 2026 is a Thursday.
  test.each([
    ['2026-12-24', '08:59', false],
    ['2026-12-24', '09:00', true],
    ['2026-12-24', '11:59', true],
    ['2026-12-24', '12:00', false],
    ['2026-12-24', '14:00', true],
    ['2026-12-24', '18:00', false],
    ['2026-12-25', '01:59', false],
    ['2026-12-25', '22:00', true],
    ['2026-12-26', '01:59', true],
    ['2026-12-26', '02:00', false],
    ['2026-12-26', '22:30', false],
    ['2026-12-27', '00:00', true],
    ['2026-12-27', '23:59', true],
    ['2026-12-28', '00:00', false],
  ])('on %s at %s: %s', (date, time, open) => {
    expect(isOpenAt({ openingHours: shop, closedOn: [] }, { date, time })).toBe(open);
  });

  test.each([
    ['2026-12-25', '2026-12-25', '22:30', false],
    // What began on the day before the holiday goes on, and what begins on it does not.
    ['2026-12-26', '2026-12-26', '01:00', true],
    ['12-25', '2026-12-26', '01:00', false],
    ['2025-12-25', '2026-12-25', '22:30', true],
    ['12-24', '2026-12-24', '10:00', false],
  ])('unless closed on %s: %s at %s: %s', (closed, date, time, open) => {
    expect(isOpenAt({ openingHours: shop, closedOn: [closed] }, { date, time })).toBe(open);
  });

  test('always if nobody has said when, except on closed dates', () => {
    const opening = { openingHours: null, closedOn: ['01-01'] };
    expect(isOpenAt(opening, { date: '2026-12-31', time: '03:00' })).toBe(true);
    expect(isOpenAt(opening, { date: '2027-01-01', time: '03:00' })).toBe(false);
  });

  test('never if each day is closed', () => {
    expect(isOpenAt({ openingHours: {}, closedOn: [] }, { date: '2026-12-24', time: '10:00' })).toBe(false);
  });
});

const days = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;
const minutes = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
const written = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
const anyInterval = fc
  .tuple(fc.integer({ min: 0, max: 1_439 }), fc.integer({ min: 0, max: 1_440 }))
  .filter(([from, to]) => from !== to)
  .map(([from, to]) => ({ from: written(from), to: written(to) }));
const anyHours: fc.Arbitrary<OpeningHours> = fc.record(
  Object.fromEntries(days.map((day) => [day, fc.array(anyInterval, { maxLength: 3 })])),
  { requiredKeys: [] },
);

/** Counts the minutes of the week from the day on which an interval begins. */
function isOpenByMinutes(
  hours: OpeningHours,
  closed: readonly string[],
  date: string,
  time: string,
): boolean {
  const noon = new Date(`${date}T12:00:00Z`);
  for (const ago of [0, 1]) {
    const day = new Date(noon.getTime() - ago * 86_400_000);
    const isoDay = day.toISOString().slice(0, 10);
    if (closed.includes(isoDay)) continue;
    for (const { from, to } of hours[days[day.getUTCDay()] ?? 'monday'] ?? []) {
      const length = (minutes(to) - minutes(from) + 1_440) % 1_440 || 1_440;
      const passed = ago * 1_440 + minutes(time) - minutes(from);
      if (passed >= 0 && passed < length) return true;
    }
  }
  return false;
}

test('opening hours agree with the minutes of the week, at any moment in any zone', () => {
  let open = 0;
  fc.assert(
    fc.property(
      anyHours,
      fc.integer({ min: 29_400_000, max: 30_000_000 }),
      fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata'),
      fc.boolean(),
      (openingHours, minute, zone, isHoliday) => {
        const { date, time } = localTimeAt(new Date(minute * 60_000), zone);
        const closedOn = isHoliday ? [date] : [];
        const is = isOpenAt({ openingHours, closedOn }, { date, time });
        open += Number(is);
        expect(is).toBe(isOpenByMinutes(openingHours, closedOn, date, time));
      },
    ),
    { seed, numRuns: 10 * runs },
  );
  expect(open).toBeGreaterThan(2 * runs);
});
