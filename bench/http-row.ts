import { isDeepStrictEqual } from 'node:util';
import type { Load, Measured } from './load.ts';
import { type Program, startBaseline, startParley, startUpstream } from './program.ts';
import type { Bench, Contest, Row } from './row.ts';
import type { World } from './world.ts';

/** One request, sent again and again. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  /** With its leading slash. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A row that loads Parley and a baseline with the same request. */
export interface HttpRow extends Omit<Row, 'open'> {
  /** The file in `bench/baselines`, or what starts a peer before the same upstream. */
  readonly baseline: string | ((upstream: Program) => Promise<Program | undefined>);
  /** True where both call the same model's server. */
  readonly upstream?: true;
  readonly connections: number;
  readonly figure: keyof Measured;
  request(world: World): HttpRequest;
  /** The part of an answer that has to be the same in both. */
  compare(body: unknown, text: string): unknown;
  /** Connections while it warms up, 32 unless they would wait for each other. */
  readonly warmUpConnections?: number;
  /** False where each request makes something new. */
  readonly sameLength: boolean;
}

/** The compiler is done with a program of some thousand requests. */
const warmUpSeconds = 5;

/** Makes the row. */
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
  if (!upstream) throw new Error('a peer is asked for what the upstream of the row says');
  return baseline(upstream);
}

/** A limit that answers something else is no limit. */
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
      `${row.name}: Parley answers ${ours.status} ${ours.text}, the limit ${theirs.status} ${theirs.text}`,
    );
}

async function answer({ base, headers }: Program, { path, ...request }: HttpRequest) {
  const reply = await fetch(base + path, { ...request, headers: { ...request.headers, ...headers } });
  const text = await reply.text();
  const isJson = reply.headers.get('content-type')?.startsWith('application/json');
  const body: unknown = isJson ? JSON.parse(text) : text;
  return { status: reply.status, text, body };
}
