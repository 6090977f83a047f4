import { type Curve, type Effort, measureCurves, type Question, type Size } from './curves.ts';
import type { Database, Databases } from './databases.ts';
import { addFlows, addProjects, flowSchema } from './seeds.ts';

interface Facts {
  readonly projectId: string;
  /** The agent profile of all flows. */
  readonly profileId: string;
  /** Of flows all over the project. */
  readonly ids: readonly string[];
  /** The flow in the middle of the list. */
  readonly middle: string;
}

const questions: readonly Question<Facts>[] = [
  {
    name: 'first page of 100 flows',
    call: ({ projectId }) => ({ method: 'GET', path: `/v1/projects/${projectId}/flows?limit=100` }),
  },
  {
    name: 'page of 100 in the middle',
    call: ({ projectId, middle }) => ({
      method: 'GET',
      path: `/v1/projects/${projectId}/flows?limit=100&cursor=${middle}`,
    }),
  },
  {
    name: 'one flow',
    call: ({ ids }, n) => ({ method: 'GET', path: `/v1/flows/${ids[n % ids.length]}` }),
  },
  {
    name: 'create a flow of their agent profile',
    call: ({ projectId, profileId }) => ({
      method: 'POST',
      path: `/v1/projects/${projectId}/flows`,
      body: JSON.stringify({ name: 'Reception', agentProfileId: profileId, flowSchema }),
    }),
  },
];

/** Measures lists and reads of flows for these numbers of flows in the project, and once beside other projects. */
export async function flowCurves(
  databases: Databases,
  sizes: readonly number[],
  others: { readonly projects: number; readonly flowsEach: number },
  effort: Effort,
): Promise<Curve[]> {
  const prepared: Size<Facts>[] = [];
  for (const rows of sizes) prepared.push(await prepare(await databases.create(), rows));
  const beside = await databases.create();
  await addProjects(beside, others.projects, others.flowsEach);
  const count = (value: number) => value.toLocaleString('en-US');
  const aside = `beside ${count(others.projects)} other projects of ${count(others.flowsEach)} flows each`;
  prepared.push({ ...(await prepare(beside, sizes[0] ?? 0)), aside });
  return measureCurves(databases, prepared, questions, effort);
}

async function prepare(database: Database, rows: number): Promise<Size<Facts>> {
  const { session, projectId } = database;
  const profileId = await addFlows(database, rows);
  await session.query('vacuum analyze');
  await session.query('checkpoint');
  const { rows: sampled } = await session.query<{ id: string }>(
    `select id from (select id, row_number() over (order by id) as place from flows where project_id = $1) as flows
     where place % ${Math.floor(rows / 50)} = 0 order by id`,
    [projectId],
  );
  const ids = sampled.map(({ id }) => id);
  return { rows, database, facts: { projectId, profileId, ids, middle: ids[ids.length >> 1] ?? '' } };
}
