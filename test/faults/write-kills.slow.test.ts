import { expect, test } from 'vitest';
import { tryWriteKills } from './write-kills.ts';

test('loses no acknowledged write and leaves none half done if replicas are killed and Postgres crashes', async () => {
  const report = await tryWriteKills(2, 1);
  expect(report.problems).toEqual([]);
  expect(report.acknowledged).toBeGreaterThan(0);
  // The faults met writes: a kill leaves them unanswered, and a crash of Postgres refuses them.
  expect(report.unanswered).toBeGreaterThan(0);
  expect(report.refused).toBeGreaterThan(0);
  expect(report.repeated).toBeGreaterThan(0);
  expect(Math.max(...report.afterKills, ...report.afterCrashes)).toBeLessThan(30);
}, 120_000);
