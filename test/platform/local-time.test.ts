import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isTimeZone, localTimeAt, momentAt } from '../../src/platform/local-time.ts';
import { runs, seed } from '../helpers/runs.ts';

const at = (moment: string, timeZone: string) => {
  const { date, time } = localTimeAt(new Date(moment), timeZone);
  return `${date} ${time}`;
};
const back = (date: string, time: string, timeZone: string) =>
  momentAt({ date, time }, timeZone).toISOString().slice(0, 16);

test.each([
  ['UTC', true],
  ['Europe/Berlin', true],
  ['europe/berlin', true],
  ['America/Argentina/Buenos_Aires', true],
  ['Etc/GMT+5', true],
  ['+01:00', false],
  ['-05:00', false],
  ['Europe/Atlantis', false],
  ['', false],
  [' UTC', false],
  ['__proto__', false],
])('tells whether %j is a time zone', (name, is) => {
  expect(isTimeZone(name)).toBe(is);
});

describe('localTimeAt', () => {
  test.each([
    ['2026-12-24T22:30:00Z', 'Europe/Berlin', '2026-12-24 23:30'],
    ['2026-12-24T23:00:00Z', 'Europe/Berlin', '2026-12-25 00:00'],
    ['2026-12-25T04:30:00Z', 'America/New_York', '2026-12-24 23:30'],
    ['2026-12-31T23:59:59.999Z', 'UTC', '2026-12-31 23:59'],
    ['2026-06-30T18:45:30Z', 'Asia/Kolkata', '2026-07-01 00:15'],
    ['2026-01-01T10:00:00Z', 'Pacific/Kiritimati', '2026-01-02 00:00'],
    // The clocks go forward at 01:00 UTC, and back at 01:00 UTC.
    ['2026-03-29T00:59:00Z', 'Europe/Berlin', '2026-03-29 01:59'],
    ['2026-03-29T01:00:00Z', 'Europe/Berlin', '2026-03-29 03:00'],
    ['2026-10-25T00:30:00Z', 'Europe/Berlin', '2026-10-25 02:30'],
    ['2026-10-25T01:30:00Z', 'Europe/Berlin', '2026-10-25 02:30'],
    // In the south, they go forward in October; on Lord Howe Island by half an hour.
    ['2026-10-03T15:29:00Z', 'Australia/Lord_Howe', '2026-10-04 01:59'],
    ['2026-10-03T15:30:00Z', 'Australia/Lord_Howe', '2026-10-04 02:30'],
  ])('%s in %s is %s', (moment, zone, local) => {
    expect(at(moment, zone)).toBe(local);
  });
});

describe('momentAt', () => {
  test.each([
    ['2026-12-24', '23:30', 'America/New_York', '2026-12-25T04:30'],
    ['2026-07-01', '09:00', 'Europe/Berlin', '2026-07-01T07:00'],
    ['2026-01-02', '00:00', 'Pacific/Kiritimati', '2026-01-01T10:00'],
    // Shown twice: the first time.
    ['2026-10-25', '02:30', 'Europe/Berlin', '2026-10-25T00:30'],
    ['2026-11-01', '01:30', 'America/New_York', '2026-11-01T05:30'],
    // Skipped.
    ['2026-03-29', '02:30', 'Europe/Berlin', '2026-03-29T01:30'],
    ['2026-03-08', '02:00', 'America/New_York', '2026-03-08T07:00'],
  ])('%s %s in %s is %s', (date, time, zone, moment) => {
    expect(back(date, time, zone)).toBe(moment);
  });

  test('is the inverse of localTimeAt, except for a time that is shown again', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 66_225_600 }),
        fc.constantFrom('UTC', 'Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe', 'Asia/Kathmandu'),
        (minutes, zone) => {
          const moment = new Date(minutes * 60_000);
          const local = localTimeAt(moment, zone);
          const again = momentAt(local, zone);
          expect(localTimeAt(again, zone)).toEqual(local);
          expect([0, 30, 60, 120]).toContain((moment.getTime() - again.getTime()) / 60_000);
        },
      ),
      { seed, numRuns: 5 * runs },
    );
  });
});
