import { type Curve, type Effort, growCurves, type Question } from './curves.ts';
import type { Database, Databases } from './databases.ts';
import { addConversation, addSessions } from './seeds.ts';

interface Facts {
  readonly projectId: string;
  readonly conversationId: string;
  /** The session in the middle of the list. */
  readonly middle: string;
}

const sessions = ({ projectId }: Facts, query: string) =>
  ({ method: 'GET', path: `/v1/projects/${projectId}/sessions?limit=20${query}` }) as const;
const day = 24 * 60 * 60 * 1000;
const to = new Date(Date.now() - 15 * day).toISOString();

const questions: readonly Question<Facts>[] = [
  { name: 'the newest 20 sessions', call: (facts) => sessions(facts, '') },
  { name: '20 in the middle', call: (facts) => sessions(facts, `&cursor=${facts.middle}`) },
  { name: '20 before a day', call: (facts) => sessions(facts, `&to=${to}`) },
  { name: '20 of an outcome', call: (facts) => sessions(facts, '&outcome=abandoned') },
  { name: '20 of an outcome that none has', call: (facts) => sessions(facts, '&outcome=transferred') },
  {
    name: '20 of an outcome that only other conversations have',
    call: (facts) => sessions(facts, `&conversationId=${facts.conversationId}&outcome=abandoned`),
  },
  {
    name: 'statistics of a conversation',
    call: ({ conversationId }) => ({
      method: 'GET',
      path: `/v1/conversations/${conversationId}/session-statistics`,
    }),
  },
  { name: 'one session', call: ({ middle }) => ({ method: 'GET', path: `/v1/sessions/${middle}` }) },
];

/** Measures lists and reads of sessions for these numbers of sessions in the project. */
export async function sessionCurves(
  databases: Databases,
  sizes: readonly number[],
  effort: Effort,
): Promise<Curve[]> {
  const fill = async (database: Database, rows: number) => {
    const conversationId = await addConversation(database);
    await addSessions(database, conversationId, rows);
    const { session, projectId } = database;
    const { rows: found } = await session.query<{ id: string }>(
      'select id from sessions where project_id = $1 order by id offset $2 limit 1',
      [projectId, rows >> 1],
    );
    return { projectId, conversationId, middle: found[0]?.id ?? '' };
  };
  return growCurves(databases, sizes, fill, questions, effort);
}
