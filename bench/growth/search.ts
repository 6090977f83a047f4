import { openPool } from '../../src/db/pool.ts';
import { outsideNames } from '../../src/design/facts.ts';
import { jsonDocument } from '../../src/store/json-document.ts';
import { storesIn } from '../../src/store/stores.ts';
import { realDesign } from '../../test/designs/real-designs.ts';
import { type Curve, type Effort, growCurves, type Question } from './curves.ts';
import type { Database, Databases } from './databases.ts';
import { addConversations } from './seeds.ts';

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
    await addConversations(database, await makeConversation(database), rows - 1);
    return database.projectId;
  };
  return growCurves(databases, sizes, fill, questions, effort);
}

/** Returns the id of a conversation with a design of 20 steps. */
async function makeConversation({ url, session, projectId }: Database): Promise<string> {
  const db = openPool({ connectionString: url, mode: 'write', max: 1, warn: console.error });
  try {
    const rows = async (sql: string, values: unknown[] = []) => (await session.query(sql, values)).rows;
    const design = await realDesign({ rows }, { projectId }, 'utility-outage');
    const made = await storesIn(db, projectId).conversations.create({
      name: 'Line 0',
      description: null,
      kind: 'advanced',
      agentId: null,
      design: jsonDocument(design),
      references: outsideNames(design),
      isApproved: true,
    });
    return made.id;
  } finally {
    await db.destroy();
  }
}
