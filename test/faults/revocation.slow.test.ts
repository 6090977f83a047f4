import { expect, test } from 'vitest';
import { cloneDatabase } from '../helpers/database.ts';
import { tryRevocations } from './revocation.ts';

test('no request that starts after the response to a revocation succeeds, on any replica', async () => {
  const database = await cloneDatabase();
  try {
    const trials = 20;
    const report = await tryRevocations(database.url, trials);
    expect(report).toMatchObject({ succeededAfter: 0, otherAnswers: [] });
    expect(report.startedAfter).toBe(trials * 64 * 3);
    expect(report.successes).toBeGreaterThan(trials * 64);
  } finally {
    await database.drop();
  }
}, 60_000);
