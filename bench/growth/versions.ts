import { type Curve, type Effort, growCurves, type Question } from './curves.ts';
import type { Database, Databases } from './databases.ts';
import { addFlows, addVersions, flowSchema } from './seeds.ts';

interface Facts {
  readonly flows: readonly string[];
  readonly versions: readonly string[];
  readonly middle: number;
}

/** So many versions in all flows together at least, so that new versions change the size of no flow much. */
const fewest = 1_000;
const page = 5;
const body = JSON.stringify({ flowSchema });

const nth = (ids: readonly string[], n: number) => ids[n % ids.length] ?? '';

const questions: readonly Question<Facts>[] = [
  {
    name: `first page of ${page} versions`,
    call: ({ flows }, n) => ({ method: 'GET', path: `/v1/flows/${nth(flows, n)}/versions?limit=${page}` }),
  },
  {
    name: `page of ${page} in the middle`,
    call: ({ flows, middle }, n) => ({
      method: 'GET',
      path: `/v1/flows/${nth(flows, n)}/versions?limit=${page}&cursor=${middle}`,
    }),
  },
  {
    name: 'activate a version',
    call: ({ versions }, n) => ({ method: 'POST', path: `/v1/flow-versions/${nth(versions, n)}/activate` }),
  },
  {
    name: 'create the next version',
    call: ({ flows }, n) => ({ method: 'POST', path: `/v1/flows/${nth(flows, n)}/versions`, body }),
  },
];

/** Measures what works on the versions of one flow, for flows with these numbers of versions. */
export async function versionCurves(
  databases: Databases,
  sizes: readonly number[],
  effort: Effort,
): Promise<Curve[]> {
  const fill = async (database: Database, rows: number) => {
    await addFlows(database, 1_000);
    const flows = await addVersions(database, Math.ceil(fewest / rows), rows);
    // Those next to the middle of each flow: two of each, so that every activation changes the active version.
    const { rows: found } = await database.session.query<{ id: string }>(
      'select id from flow_versions where flow_id = any ($1) and version between $2 and $2 + 1 order by version, flow_id',
      [flows, rows >> 1],
    );
    return { flows, versions: found.map(({ id }) => id), middle: (rows >> 1) + 1 };
  };
  return growCurves(databases, sizes, fill, questions, effort);
}
