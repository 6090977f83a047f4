import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { cpuTimeOf } from '../cpu-time.ts';
import { medianOf } from '../report.ts';
import type { Bench, Contest, Row } from '../row.ts';
import type { World } from '../world.ts';

const root = path.resolve(import.meta.dirname, '../..');
const baseline = path.join(root, 'bench/baselines/stdio.mjs');
const fewestStarts = 5;
/** The first start fills the compile cache for the starts that follow. */
const warmUps = 3;

const message = (method: string, rest: object) => `${JSON.stringify({ jsonrpc: '2.0', method, ...rest })}\n`;
const initialize = message('initialize', {
  id: 1,
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' },
  },
});
const listTools = message('notifications/initialized', {}) + message('tools/list', { id: 2 });

const common = { limit: 'bare Node.js that writes the same bytes', better: 'lower' } as const;

export const stdio: Row = {
  ...common,
  name: 'stdio',
  path: 'parley mcp, built: start to first tools/list answer',
  unit: 'ms',
  reach: 2.2,
  floor: 3,
  open: (bench) => open(bench, bundleIn, medianTime),
};

export const stdioSources: Row = {
  ...common,
  name: 'stdio-sources',
  path: 'parley mcp from sources, with a key, nothing compiled: start to first tools/list answer',
  unit: 'ms CPU',
  reach: 20,
  floor: 30,
  open: (bench) => open(bench, sourcesIn, meanCpu),
};

/** A program that serves MCP on stdin and stdout. */
interface Program {
  readonly args: readonly string[];
  /** The folder to which it may write, also what Node.js has compiled. */
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Whether each start has to compile everything again. */
  readonly isCold?: boolean;
}

/** Builds Parley as in an installed package, without `src`, because the launcher prefers the sources. */
function bundleIn(folder: string): Program {
  execFileSync(process.execPath, [
    path.join(root, 'scripts/bundle/build.ts'),
    '--out',
    path.join(folder, 'dist'),
  ]);
  for (const part of ['bin', 'package.json'])
    cpSync(path.join(root, part), path.join(folder, part), { recursive: true });
  return { args: [path.join(folder, 'bin/parley.js'), 'mcp'], folder };
}

/** Parley in this checkout, as at the first start after `npm ci`. */
function sourcesIn(folder: string, { databaseUrl, key }: World): Program {
  const env = { DATABASE_URL: databaseUrl, PARLEY_API_KEY: key };
  return { args: [path.join(root, 'bin/parley.js'), 'mcp'], folder, env, isCold: true };
}

async function open(
  { world, seconds }: Bench,
  parleyIn: (folder: string, world: World) => Program,
  figureOf: (starts: readonly Start[]) => number,
): Promise<Contest> {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-bench-'));
  const close = async () => rmSync(folder, { recursive: true, force: true });
  try {
    const answers = path.join(folder, 'answers.json');
    const parley = parleyIn(folder, world);
    const limit = { args: [baseline, answers], folder };
    const { initialized, listed } = await start(parley);
    writeFileSync(
      answers,
      JSON.stringify({ initialize: resultOf(initialized), 'tools/list': resultOf(listed) }),
    );
    const bare = await start(limit);
    if (bare.initialized !== initialized || bare.listed !== listed)
      throw new Error('the baseline returns another response than Parley');
    for (const program of [parley, limit]) for (let count = 0; count < warmUps; count++) await start(program);
    const measure = async (program: Program) => ({ figure: figureOf(await startsOf(program, seconds)) });
    return { parley: () => measure(parley), limit: () => measure(limit), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** What was measured from the start of a program to its list of tools, and its responses. */
interface Start {
  readonly milliseconds: number;
  /** In milliseconds; undefined on a system without `/proc`. */
  readonly cpu: number | undefined;
  readonly initialized: string;
  readonly listed: string;
}

function medianTime(starts: readonly Start[]): number {
  return medianOf(starts.map(({ milliseconds }) => milliseconds));
}

/** The mean, because the system counts in steps of 10 ms. */
function meanCpu(starts: readonly Start[]): number {
  return starts.reduce((sum, { cpu = Number.NaN }) => sum + cpu, 0) / starts.length;
}

async function startsOf(program: Program, seconds: number): Promise<Start[]> {
  const starts: Start[] = [];
  const deadline = performance.now() + seconds * 1000;
  while (starts.length < fewestStarts || performance.now() < deadline) starts.push(await start(program));
  return starts;
}

/** Starts a program, lists its tools and lets it end. */
async function start({ args, folder, env, isCold = false }: Program): Promise<Start> {
  if (isCold) rmSync(path.join(folder, 'node-compile-cache'), { recursive: true, force: true });
  const began = performance.now();
  const child = spawn(process.execPath, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'], TMPDIR: folder, PARLEY_HOME: folder, ...env },
  });
  const ended = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  child.stdin.write(initialize);
  const initialized = String((await lines.next()).value);
  child.stdin.write(listTools);
  const listed = String((await lines.next()).value);
  const milliseconds = performance.now() - began;
  const cpu = child.pid === undefined ? undefined : cpuTimeOf(child.pid);
  child.stdin.end();
  await ended;
  return { milliseconds, cpu, initialized, listed };
}

function resultOf(line: string): unknown {
  return (JSON.parse(line) as { result: unknown }).result;
}
