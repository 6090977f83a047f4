import { isDeepStrictEqual } from 'node:util';
import type { Load, Measured } from './load.ts';
import { type Program, startBaseline, startParley, startUpstream } from './program.ts';
import type { Bench, Contest, Row } from './row.ts';
import type { World } from './world.ts';

/** The request that a row sends repeatedly. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  /** Starts with a slash. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A row that loads Parley and a baseline with the same request. */
export interface HttpRow extends Omit<Row, 'open'> {
  /** The file in `bench/baselines`, or a function that starts a peer with the same upstream. */
  readonly baseline: string | ((upstream: Program) => Promise<Program | undefined>);
  /** True if both programs call a model upstream. */
  readonly upstream?: true;
  readonly connections: number;
  readonly figure: keyof Measured;
  request(world: World): HttpRequest;
  /** Returns the part of a response that must be equal in both programs. */
  compare(body: unknown, text: string): unknown;
  /** Connections during the warm-up: 32 by default, fewer if requests would wait for each other. */
  readonly warmUpConnections?: number;
  /** False if each request creates a record, whose size may differ. */
  readonly sameLength: boolean;
}

/** Seconds of warm-up, after which the compiler has optimized both programs. */
const warmUpSeconds = 5;

/** Returns a row that loads Parley and the baseline over HTTP. */
export function httpRow(row: HttpRow): Row {
  return { ...row, open: (bench) => openContest(row, bench) };
}

async function openContest(row: HttpRow, { world, loader, seconds }: Bench): Promise<Contest | undefined> {
  const request = row.request(world);
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
    const parley = await startParley(world, upstream);
    programs.push(parley);
    await checkAnswers(row, request, parley, limit);
    const { path, ...rest } = request;
    const { connections, sameLength, figure, warmUpConnections = 32 } = row;
    const load = ({ base, headers }: Program): Load => ({
      ...rest,
      headers: { ...rest.headers, ...headers },
      url: base + path,
      connections,
      sameLength,
      seconds,
    });
    for (const program of [parley, limit])
      await loader.measure({ ...load(program), connections: warmUpConnections, seconds: warmUpSeconds });
    return {
      parley: async () => (await loader.measure(load(parley)))[figure],
      limit: async () => (await loader.measure(load(limit)))[figure],
      close,
    };
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
