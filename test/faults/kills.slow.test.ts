import { expect, test } from 'vitest';
import { cloneDatabase } from '../helpers/database.ts';
import { tryKills } from './idempotency.ts';

test('a retry after kill -9 between commit and response returns the first result, and runs nothing twice', async () => {
  const database = await cloneDatabase();
  try {
    const kills = 3;
    const report = await tryKills(database.url, kills);
    expect(report).toMatchObject({ duplicates: 0, lost: 0, otherResults: 0 });
    expect(report.rows).toBe(report.acknowledged);
    expect(report.auditRows).toBe(report.acknowledged);
    expect(report.repeated).toBeGreaterThanOrEqual(kills);
    expect(report.replayed).toBeGreaterThanOrEqual(1);
  } finally {
    await database.drop();
  }
}, 60_000);
