import { writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { openLaboratory, runAsScript } from '../helpers/laboratory.ts';
import { startReplica } from '../helpers/replica-process.ts';
import { timeChecks } from './check-times.ts';
import { tryDamages } from './design-damage.ts';
import { longestCheck, reportOf } from './design-damage-report.ts';

/**
 * Sends damaged designs to a server in its own process, and times the check alone. Prints the report and
 * writes it to docs/measurements/design-damage.md. Fails if the report has failures or if a check exceeds its
 * limit.
 *
 * Usage: node test/faults/design-damage-run.ts [--damages 10000]
 * The environment variable DAMAGE_SEED chooses other damages.
 */
const seed = Number(process.env['DAMAGE_SEED'] ?? 20_260_101);
const timed = 2000;
const file = path.resolve(import.meta.dirname, '../../docs/measurements/design-damage.md');

await runAsScript(import.meta.url, 'damages', 10_000, async (databaseUrl, count) => {
  // The server migrates the database, so it starts before the tenants are created.
  const replica = await startReplica(databaseUrl);
  const laboratory = openLaboratory(databaseUrl);
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 });
  const rows = async (sql: string, values: unknown[] = []) =>
    (await pool.query<Record<string, unknown>>(sql, values)).rows;
  try {
    const [{ key, projectId }, other] = [await laboratory.tenant(), await laboratory.tenant()];
    await rows(`update projects set plan = 'pro' where id = $1`, [projectId]);
    const house = {
      base: replica.base,
      key,
      projectId,
      otherProjectId: other.projectId,
      rows,
      tell: console.error,
    };
    const seen = await tryDamages(house, count, seed);
    const times = timeChecks(timed, seed);
    const command = `node test/faults/design-damage-run.ts --damages ${count}`;
    const report = reportOf(seen, times, { seed, command });
    console.log(report);
    writeFileSync(file, report);
    return seen.failureCount === 0 && times.every(({ longest }) => longest < longestCheck);
  } finally {
    await pool.end();
    await laboratory.close();
    await replica.kill();
  }
});
