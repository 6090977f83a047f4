import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { inject, onTestFinished } from 'vitest';
import { databaseAt } from './global-setup.ts';

export const launcher = path.resolve(import.meta.dirname, '../../bin/parley.js');

/** The result of a command. */
export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export type Environment = Readonly<Record<string, string>>;

/** A running command. */
export interface Running {
  readonly child: ChildProcessWithoutNullStreams;
  /** Its output so far. */
  stdout(): string;
  stderr(): string;
  readonly ended: Promise<Outcome>;
}

/** Starts a command with exactly this environment, but no grace period by default. If it still runs when the test ends, it is killed. */
export function start(args: readonly string[], env: Environment = {}, build = launcher): Running {
  const ownEnv = { PARLEY_GRACE_SECONDS: '0', ...env };
  return watch(spawn(process.execPath, [build, ...args], { env: ownEnv, cwd: tmpdir() }));
}

function watch(child: ChildProcessWithoutNullStreams): Running {
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  // A command that does not read its input may end before the input is written.
  child.stdin.on('error', () => undefined);
  const ended = new Promise<Outcome>((resolve) => {
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return { child, stdout: () => stdout, stderr: () => stderr, ended };
}

/** Runs a command to its end. */
export function parley(
  args: readonly string[],
  env: Environment = {},
  input = '',
  build = launcher,
): Promise<Outcome> {
  const { child, ended } = start(args, env, build);
  child.stdin.end(input);
  return ended;
}

/** Runs a shell script in which `parley` is the command, for tests of pipes and shell limits. */
export function shell(script: string, env: Environment): Promise<Outcome> {
  const define = `parley() { "${process.execPath}" "${launcher}" "$@"; }`;
  const child = spawn('/bin/sh', ['-c', `${define}\n${script}`], { env: { ...env }, cwd: tmpdir() });
  return watch(child).ended;
}

/** A folder for PARLEY_HOME, which is removed after the test. */
export function newHome(): string {
  const home = mkdtempSync(path.join(tmpdir(), 'parley-home-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  return home;
}

/** A database without a schema, which is dropped after the test. */
export async function emptyDatabase(): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const admin = async (sql: string) => query(inject('databaseUrl'), sql);
  await admin(`create database ${name}`);
  onTestFinished(async () => void (await admin(`drop database ${name} with (force)`)));
  return databaseAt(inject('databaseUrl'), name);
}

/** Runs one query on its own connection. */
export async function query(
  url: string,
  sql: string,
  values: unknown[] = [],
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql, values)).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}

/** A port that no program listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
