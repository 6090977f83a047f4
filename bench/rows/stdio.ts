import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { medianOf } from '../report.ts';
import type { Bench, Contest, Measurement, Row } from '../row.ts';

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

export const stdio: Row = {
  name: 'stdio',
  path: 'parley mcp, built: start to first tools/list answer',
  limit: 'bare Node.js that writes the same bytes',
  unit: 'ms',
  better: 'lower',
  reach: 2.2,
  floor: 3,
  open,
};

async function open({ seconds }: Bench): Promise<Contest> {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-bench-'));
  const close = async () => rmSync(folder, { recursive: true, force: true });
  try {
    // As in an installed package, without `src`, because the launcher prefers the sources.
    execFileSync(process.execPath, [
      path.join(root, 'scripts/bundle/build.ts'),
      '--out',
      path.join(folder, 'dist'),
    ]);
    for (const part of ['bin', 'package.json'])
      cpSync(path.join(root, part), path.join(folder, part), { recursive: true });
    const answers = path.join(folder, 'answers.json');
    const programs = {
      parley: { args: [path.join(folder, 'bin/parley.js'), 'mcp'], folder },
      limit: { args: [baseline, answers], folder },
    };
    const { initialized, listed } = await start(programs.parley);
    writeFileSync(
      answers,
      JSON.stringify({ initialize: resultOf(initialized), 'tools/list': resultOf(listed) }),
    );
    const bare = await start(programs.limit);
    if (bare.initialized !== initialized || bare.listed !== listed)
      throw new Error('the baseline returns another response than Parley');
    for (const program of Object.values(programs))
      for (let count = 0; count < warmUps; count++) await start(program);
    return {
      parley: () => medianStart(programs.parley, seconds),
      limit: () => medianStart(programs.limit, seconds),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A program that serves MCP on stdin and stdout. */
interface Program {
  readonly args: readonly string[];
  /** The folder to which it may write. */
  readonly folder: string;
}

async function medianStart(program: Program, seconds: number): Promise<Measurement> {
  const taken: number[] = [];
  const deadline = performance.now() + seconds * 1000;
  while (taken.length < fewestStarts || performance.now() < deadline)
    taken.push((await start(program)).milliseconds);
  return { figure: medianOf(taken) };
}

/** Starts a program, lists its tools and lets it end. Returns the time from the start to the response. */
async function start({ args, folder }: Program) {
  const began = performance.now();
  const child = spawn(process.execPath, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'], TMPDIR: folder, PARLEY_HOME: folder },
  });
  const ended = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  child.stdin.write(initialize);
  const initialized = String((await lines.next()).value);
  child.stdin.write(listTools);
  const listed = String((await lines.next()).value);
  const milliseconds = performance.now() - began;
  child.stdin.end();
  await ended;
  return { milliseconds, initialized, listed };
}

function resultOf(line: string): unknown {
  return (JSON.parse(line) as { result: unknown }).result;
}
