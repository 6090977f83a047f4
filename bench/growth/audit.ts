import { type Curve, type Effort, measureCurves, type Size } from './curves.ts';
import type { Databases } from './databases.ts';
import { addAuditRows, addProjects, flowSchema } from './seeds.ts';

const body = JSON.stringify({ name: 'Reception', description: 'Books appointments.', flowSchema });
/** The rows belong to so many projects, so that the project that writes has a place within the index. */
const projects = 100;

/** Measures a write, which appends an audit row, for these numbers of audit rows. */
export async function auditCurves(
  databases: Databases,
  sizes: readonly number[],
  effort: Effort,
): Promise<Curve[]> {
  const prepared: Size<string>[] = [];
  for (const rows of sizes) {
    const database = await databases.create();
    await addProjects(database, projects - 1);
    await addAuditRows(database, rows);
    await database.session.query('vacuum analyze');
    await database.session.query('checkpoint');
    prepared.push({ rows, database, facts: database.projectId });
  }
  const call = (projectId: string) =>
    ({ method: 'POST', path: `/v1/projects/${projectId}/flows`, body }) as const;
  return measureCurves(databases, prepared, [{ name: 'create_flow', call }], effort);
}
