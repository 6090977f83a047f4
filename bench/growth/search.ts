import { type Curve, type Effort, growCurves, type Question } from './curves.ts';
import type { Database, Databases } from './databases.ts';
import { addConversation, addConversations } from './seeds.ts';

const search = (projectId: string, text: string) =>
  ({ method: 'GET', path: `/v1/projects/${projectId}/search?text=${encodeURIComponent(text)}` }) as const;

const questions: readonly Question<string>[] = [
  { name: 'a word that each design has', call: (projectId) => search(projectId, 'outage') },
  { name: 'a word that none has', call: (projectId) => search(projectId, 'zeppelin') },
  { name: 'the name of one', call: (projectId) => search(projectId, 'Line 17') },
];

/** Measures a search for these numbers of conversations in the project, each with a design of 20 steps. */
export async function searchCurves(
  databases: Databases,
  sizes: readonly number[],
  effort: Effort,
): Promise<Curve[]> {
  const fill = async (database: Database, rows: number) => {
    await addConversations(database, await addConversation(database), rows - 1);
    return database.projectId;
  };
  return growCurves(databases, sizes, fill, questions, effort);
}
