import { execFile } from 'node:child_process';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { logged, type McpClient } from '../helpers/world.ts';

const launcher = path.resolve(import.meta.dirname, '../../bin/parley.js');

/** The exit status and the output of a process. */
export interface Ended {
  readonly status: unknown;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `parley mcp` with a closed stdin until it exits. */
export function runParleyMcp(flags: readonly string[], environment: Record<string, string>): Promise<Ended> {
  const env = { PATH: process.env['PATH'], ...environment };
  return new Promise((resolve) => {
    const done = (error: { code?: unknown } | null, stdout: string, stderr: string) =>
      resolve({ status: error ? error.code : 0, stdout, stderr });
    execFile(process.execPath, [launcher, 'mcp', ...flags], { env, timeout: 15_000 }, done).stdin?.end();
  });
}

/** Connects to a new `parley mcp` that is configured by environment variables only. */
export async function clientOfEnvironment(environment: Record<string, string>): Promise<McpClient> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  const child = { command: process.execPath, args: [launcher, 'mcp'], env: environment };
  await client.connect(logged(new StdioClientTransport({ ...child, stderr: 'pipe' })));
  return client as unknown as McpClient;
}
