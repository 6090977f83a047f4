import { type CpuTime, combine, cpuTime } from '../cpu-time.ts';
import type { HttpRequest } from '../http-request.ts';
import type { Measured } from '../load.ts';
import { type Loader, openLoader } from '../loader.ts';
import type { Program } from '../program.ts';
import { untilQuiet } from '../quiet.ts';
import { medianOf } from '../report.ts';
import { startServer } from './curves.ts';
import type { Database, Databases } from './databases.ts';
import { addFlows, flowSchema } from './seeds.ts';

/** What one or two replicas do under the same load. */
export interface Throughput {
  readonly operation: string;
  readonly replicas: number;
  readonly perSecond: number;
  /** Milliseconds for each request: of all replicas together, and of Postgres. */
  readonly cpu: CpuTime;
}

export interface LoadEffort {
  readonly rounds: number;
  /** Of one load. */
  readonly seconds: number;
  readonly warmUpSeconds: number;
  /** Seconds to wait before each round until the rest of the machine is quiet. */
  readonly patience: number;
}

const connections = 32;

/** Measures the requests per second of one replica and of two, in turn, with the same connections in total. */
export async function throughputs(
  databases: Databases,
  { rounds, seconds, warmUpSeconds, patience }: LoadEffort,
): Promise<Throughput[]> {
  const database = await databases.create();
  await addFlows(database, 1_000);
  await database.session.query('vacuum analyze');
  const servers: Program[] = [];
  // Two processes generate the load in either case.
  const loaders = [openLoader(), openLoader()];
  try {
    servers.push(await startServer(database), await startServer(database));
    const measured: Throughput[] = [];
    for (const { name, request } of await operationsOn(database)) {
      const run = (replicas: readonly Program[], time: number) =>
        loadOnce(databases, loaders, replicas, request, time);
      const alone = servers.slice(0, 1);
      for (const server of servers) await run([server], warmUpSeconds);
      const [one, two]: [Rate[], Rate[]] = [[], []];
      for (let round = 0; round < rounds; round++) {
        await untilQuiet(patience);
        one.push(await run(alone, seconds));
        two.push(await run(servers, seconds), await run(servers, seconds));
        one.push(await run(alone, seconds));
      }
      measured.push({ operation: name, replicas: 1, ...medianRate(one) });
      measured.push({ operation: name, replicas: 2, ...medianRate(two) });
    }
    return measured;
  } finally {
    for (const loader of loaders) loader.close();
    for (const server of servers) await server.close();
  }
}

type Rate = Pick<Throughput, 'perSecond' | 'cpu'>;

async function operationsOn({ session, projectId, key }: Database) {
  const { rows } = await session.query<{ id: string }>('select id from flows limit 1');
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ name: 'Reception', description: 'Books appointments.', flowSchema });
  const get: HttpRequest = { method: 'GET', path: `/v1/flows/${rows[0]?.id}`, headers };
  const create: HttpRequest = { method: 'POST', path: `/v1/projects/${projectId}/flows`, headers, body };
  return [
    { name: 'get_flow', request: get },
    { name: 'create_flow', request: create },
  ];
}

async function loadOnce(
  { postmaster }: Databases,
  loaders: readonly Loader[],
  replicas: readonly Program[],
  request: HttpRequest,
  seconds: number,
): Promise<Rate> {
  const cpuNow = () =>
    replicas
      .map(({ pid }) => cpuTime(pid, postmaster))
      .reduce((one, other) => ({ ...combine(one, other, (a, b) => a + b), postgres: other.postgres }));
  const before = cpuNow();
  const measured = await Promise.all(
    loaders.map((loader, index) => {
      const base = replicas[index % replicas.length]?.base ?? '';
      const load = { base, requests: [[request]], seconds, sameLength: true };
      return loader.measure({ ...load, connections: connections / loaders.length });
    }),
  );
  const used = combine(cpuNow(), before, (after, start) => after - start);
  const sum = (of: (one: Measured) => number) => measured.reduce((total, one) => total + of(one), 0);
  const requests = sum((one) => one.requests);
  return {
    perSecond: sum((one) => one.requestsPerSecond),
    cpu: combine(used, used, (time) => time / requests),
  };
}

function medianRate(rates: readonly Rate[]): Rate {
  const median = (of: (rate: Rate) => number | undefined) => {
    const known = rates.map(of).filter((value) => value !== undefined);
    return known.length > 0 ? medianOf(known) : undefined;
  };
  const cpu = { node: median((rate) => rate.cpu.node), postgres: median((rate) => rate.cpu.postgres) };
  return { perSecond: median((rate) => rate.perSecond) ?? Number.NaN, cpu };
}
