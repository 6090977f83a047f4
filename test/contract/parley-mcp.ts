import { execFile } from 'node:child_process';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { logged, type McpClient } from '../helpers/world.ts';

const launcher = path.resolve(import.meta.dirname, '../../bin/parley.js');

/** How a process of Parley that started nothing ended. */
export interface Ended {
  readonly status: unknown;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `parley mcp` to its end. */
export function runParleyMcp(flags: readonly string[], environment: Record<string, string>): Promise<Ended> {
  const env = { PATH: process.env['PATH'], ...environment };
  return new Promise((resolve) => {
    const done = (error: { code?: unknown } | null, stdout: string, stderr: string) =>
      resolve({ status: error ? error.code : 0, stdout, stderr });
    execFile(process.execPath, [launcher, 'mcp', ...flags], { env, timeout: 15_000 }, done).stdin?.end();
  });
}

/** A client of a `parley mcp` that is configured by its environment alone. */
export async function clientOfEnvironment(environment: Record<string, string>): Promise<McpClient> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  const child = { command: process.execPath, args: [launcher, 'mcp'], env: environment };
  await client.connect(logged(new StdioClientTransport({ ...child, stderr: 'pipe' })));
  return client as unknown as McpClient;
}
