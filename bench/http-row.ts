import { isDeepStrictEqual } from 'node:util';
import { combine, cpuTime, cpuTimeWhenIdle, totalOf } from './cpu-time.ts';
import type { HttpRequest } from './http-request.ts';
import { type Program, startBaseline, startParley, startUpstream } from './program.ts';
import type { Bench, Contest, Measurement, Row } from './row.ts';
import type { World } from './world.ts';

/** Creates a record through Parley with a POST, and returns its id. */
export type Create = (path: string, input: object) => Promise<string>;

/** A row that loads Parley and a baseline with the same request. */
export interface HttpRow extends Omit<Row, 'open'> {
  /** The file in `bench/baselines`, or a function that starts a peer with the same upstream. */
  readonly baseline: string | ((upstream: Program) => Promise<Program | undefined>);
  /** True if both programs call a model upstream. */
  readonly upstream?: true;
  readonly connections: number;
  /** True if each connection has a project and a key of its own. */
  readonly manyProjects?: true;
  /** What the ratio compares. `cpu` is the CPU time per request of the server and of Postgres together, in milliseconds. */
  readonly figure: 'requestsPerSecond' | 'p50' | 'cpu';
  /** Environment variables of Parley. */
  readonly settings?: Readonly<Record<string, string>>;
  /**
   * Returns the request that a connection repeats, or several that it sends in turn. Creates the records they need.
   * `base` is the address of Parley.
   */
  readonly request: (
    world: World,
    create: Create,
    base: string,
  ) => HttpRequest | Promise<HttpRequest | readonly HttpRequest[]>;
  /** Returns the part of a response that must be equal in both programs. */
  compare(body: unknown, text: string): unknown;
  /** Connections during the warm-up: 32 by default, fewer if requests would wait for each other. */
  readonly warmUpConnections?: number;
  /** False if each request creates a record, whose size may differ. */
  readonly sameLength: boolean;
  /** True to put a text of its own in the place of `[<id>]` in the body of each request. */
  readonly distinctBodies?: true;
}

/** Seconds of warm-up, after which the compiler has optimized both programs. */
const warmUpSeconds = 5;

/** Returns a row that loads Parley and the baseline over HTTP. */
export function httpRow(row: HttpRow): Row {
  return { ...row, open: (bench) => openContest(row, bench) };
}

async function openContest(row: HttpRow, { world, loader, seconds }: Bench): Promise<Contest | undefined> {
  const { connections, sameLength, figure, warmUpConnections = 32, distinctBodies } = row;
  const programs: Program[] = [];
  const close = async () => void (await Promise.all(programs.map((program) => program.close())));
  try {
    const upstream = row.upstream && (await startUpstream(world));
    if (upstream) programs.push(upstream);
    const limit = await startLimit(row, world, upstream);
    if (!limit) {
      await close();
      return undefined;
    }
    programs.push(limit);
    const parley = await startParley(world, upstream, row.settings);
    programs.push(parley);
    if (figure === 'cpu' && totalOf(cpuTime(parley.pid, world.postmaster)) === undefined) {
      console.log('  not measured: this system does not report the CPU time of processes');
      await close();
      return undefined;
    }
    const requests = await requestsOf(row, world, parley);
    for (const request of requests.flat()) await checkAnswers(row, request, parley, limit);
    const load = ({ base, headers }: Program) => ({
      base,
      requests: requests.map((own) =>
        own.map((request) => ({ ...request, headers: { ...request.headers, ...headers } })),
      ),
      connections,
      sameLength,
      ...(distinctBodies && { distinctBodies }),
      seconds,
    });
    const measure = async (program: Program): Promise<Measurement> => {
      const before = cpuTime(program.pid, world.postmaster);
      const measured = await loader.measure(load(program));
      const after = await cpuTimeWhenIdle(program.pid, world.postmaster);
      const cpu = combine(before, after, (start, end) => (end - start) / measured.requests);
      return { figure: figure === 'cpu' ? (totalOf(cpu) ?? Number.NaN) : measured[figure], cpu };
    };
    for (const program of [parley, limit])
      await loader.measure({ ...load(program), connections: warmUpConnections, seconds: warmUpSeconds });
    return { parley: () => measure(parley), limit: () => measure(limit), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function startLimit({ baseline }: HttpRow, world: World, upstream: Program | undefined) {
  if (typeof baseline === 'string') return startBaseline(baseline, world, upstream);
  if (!upstream) throw new Error('a row with a peer needs an upstream');
  return baseline(upstream);
}

/** Returns the requests of each connection. */
async function requestsOf({ request, connections, manyProjects }: HttpRow, world: World, parley: Program) {
  const requests: HttpRequest[][] = [];
  for (let connection = 0; connection < connections; connection++) {
    const own = manyProjects ? { ...world, ...world.projectOf(connection) } : world;
    const create: Create = (path, input) => createRecord(parley, own, path, input);
    requests.push([await request(own, create, parley.base)].flat());
  }
  return requests;
}

async function createRecord(parley: Program, { key }: World, path: string, input: object): Promise<string> {
  const reply = await fetch(parley.base + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(input),
  });
  if (reply.status !== 201) throw new Error(`POST ${path}: ${reply.status} ${await reply.text()}`);
  const { id } = (await reply.json()) as { readonly id: string };
  return id;
}

/** Throws if Parley and the limit do not return the same response. */
async function checkAnswers(
  row: HttpRow,
  request: HttpRequest,
  parley: Program,
  limit: Program,
): Promise<void> {
  const [ours, theirs] = await Promise.all([answer(parley, request), answer(limit, request)]);
  const same = isDeepStrictEqual(
    [ours.status, row.compare(ours.body, ours.text)],
    [theirs.status, row.compare(theirs.body, theirs.text)],
  );
  if (!same || ours.status > 299)
    throw new Error(
      `${row.name}: Parley returns ${ours.status} ${ours.text}, the limit returns ${theirs.status} ${theirs.text}`,
    );
}

async function answer({ base, headers }: Program, { path, ...request }: HttpRequest) {
  const reply = await fetch(base + path, { ...request, headers: { ...request.headers, ...headers } });
  const text = await reply.text();
  const isJson = reply.headers.get('content-type')?.startsWith('application/json');
  const body: unknown = isJson ? JSON.parse(text) : text;
  return { status: reply.status, text, body };
}
