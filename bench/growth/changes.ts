import { type Curve, type Effort, growCurves, type Question } from './curves.ts';
import type { Database, Databases } from './databases.ts';
import { addAuditRows, oldestRecord } from './seeds.ts';

const day = 24 * 60 * 60 * 1000;
const changes = (projectId: string, query: string) =>
  ({ method: 'GET', path: `/v1/projects/${projectId}/changes?limit=20${query}` }) as const;
/** In the middle of the rows, which are spread over 30 days. */
const halfway = new Date(Date.now() - 15 * day).toISOString();

const questions: readonly Question<string>[] = [
  { name: 'the newest 20 changes', call: (projectId) => changes(projectId, '') },
  { name: '20 in the middle', call: (projectId) => changes(projectId, `&to=${halfway}`) },
  { name: '20 of one operation', call: (projectId) => changes(projectId, '&operation=update_flow') },
  {
    name: 'those of an operation that nobody called',
    call: (projectId) => changes(projectId, '&operation=delete_voice'),
  },
  { name: '20 of one record', call: (projectId) => changes(projectId, `&resource=${oldestRecord}`) },
];

/** Measures `list_changes` for these numbers of changes in the project. */
export async function changeCurves(
  databases: Databases,
  sizes: readonly number[],
  effort: Effort,
): Promise<Curve[]> {
  const fill = async (database: Database, rows: number) => {
    await addAuditRows(database, rows);
    return database.projectId;
  };
  return growCurves(databases, sizes, fill, questions, effort);
}
