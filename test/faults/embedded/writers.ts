import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { credentialsFile } from '../../../src/command-line/home/credentials.ts';
import { freePort } from '../../helpers/replica-process.ts';
import type { Place } from './place.ts';
import { patience, start } from './process.ts';

/** The result of a write. `refused` is the documented refusal: 500 with Retry-After. */
export type Outcome = 'acknowledged' | 'refused' | 'unreachable' | `unexpected ${string}`;

/** A Parley process that takes writes. */
export interface Writer {
  readonly pid: number;
  /** Creates a flow with this name. */
  write(name: string): Promise<Outcome>;
  kill(): Promise<void>;
  /** Asks the process to end, and waits. Returns its exit status. */
  end(): Promise<number | null>;
}

export interface Served extends Writer {
  /** Lists flows. Returns the HTTP status. */
  read(): Promise<number>;
}

/**
 * Starts `parley serve` on the embedded Postgres of a place. Resolves once it listens and has its demo.
 * @throws with its stderr, if it exits or does not listen within `patience`
 */
export async function startServe(place: Place): Promise<Served> {
  const port = await freePort();
  const { child, stdout, stderr, ended } = start(place, ['serve'], { PORT: String(port) });
  for (const late = performance.now() + patience; !stdout().includes('listens on'); await delay(5)) {
    if (child.exitCode !== null) throw new Error(`serve ended: ${stderr()}`);
    if (performance.now() > late) throw new Error(`serve does not listen: ${stderr()}`);
  }
  const { key, projectId } = credentialsIn(place.home);
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const flows = `http://127.0.0.1:${port}/v1/projects/${projectId}/flows`;
  const signal = () => AbortSignal.timeout(patience);
  return {
    pid: child.pid ?? 0,
    async write(name) {
      const body = JSON.stringify({ name, flowSchema: {} });
      try {
        const reply = await fetch(flows, { method: 'POST', headers, body, signal: signal() });
        await reply.text();
        if (reply.status === 201) return 'acknowledged';
        if (reply.status === 500 && reply.headers.has('retry-after')) return 'refused';
        return `unexpected ${reply.status}`;
      } catch {
        return 'unreachable';
      }
    },
    async read() {
      const reply = await fetch(`${flows}?limit=1`, { headers, signal: signal() });
      await reply.text();
      return reply.status;
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    end() {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

/** Starts `parley mcp` with its own client. The process opens the database at the first write. */
export async function startMcp({ root, home }: Place): Promise<Writer> {
  const client = new Client({ name: 'faults', version: '1' });
  const args = [path.join(root, 'bin/parley.js'), 'mcp'];
  const env = { PARLEY_HOME: home };
  const transport = new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' });
  await client.connect(transport);
  const pid = transport.pid ?? 0;
  const call = async (name: string, input: Record<string, unknown>): Promise<Outcome> => {
    try {
      const result = await client.callTool({ name, arguments: input }, { timeout: patience });
      if (!result.isError) return 'acknowledged';
      const text = JSON.stringify(result.content);
      return text.includes('internal_error') ? 'refused' : `unexpected ${text.slice(0, 200)}`;
    } catch {
      return 'unreachable';
    }
  };
  return {
    pid,
    async write(name) {
      // The first call creates the demo, whose project the write needs.
      if (!fs.existsSync(credentialsFile(home))) {
        const outcome = await call('list_projects', {});
        if (outcome !== 'acknowledged') return outcome;
      }
      const { projectId } = credentialsIn(home);
      return call('create_flow', { projectId, name, flowSchema: {} });
    },
    async kill() {
      process.kill(pid, 'SIGKILL');
      await client.close();
    },
    async end() {
      await client.close();
      // The client does not wait until the process has ended.
      for (const late = performance.now() + patience; performance.now() < late; await delay(10))
        try {
          process.kill(pid, 0);
        } catch {
          return 0;
        }
      throw new Error(`parley mcp (process ${pid}) does not end`);
    },
  };
}

function credentialsIn(home: string): { key: string; projectId: string } {
  return JSON.parse(fs.readFileSync(credentialsFile(home), 'utf8')) as { key: string; projectId: string };
}
