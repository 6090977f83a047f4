import { type Curve, type Effort, growCurves } from './curves.ts';
import type { Database, Databases } from './databases.ts';
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
  const fill = async (database: Database, rows: number) => {
    await addProjects(database, projects - 1);
    await addAuditRows(database, rows);
    return database.projectId;
  };
  const call = (projectId: string) =>
    ({ method: 'POST', path: `/v1/projects/${projectId}/flows`, body }) as const;
  return growCurves(databases, sizes, fill, [{ name: 'create_flow', call }], effort);
}
