import { once } from 'node:events';
import net from 'node:net';
import type { Config } from '../../config.ts';
import { codeOf } from '../../errors.ts';
import { type Finding, ok, problem } from './finding.ts';

/** Milliseconds that a program on this machine may take to answer. */
const patience = 2000;

/** Whether PORT is free for `parley serve`, or taken by one. */
export async function servePort({ host, port }: Config): Promise<Finding[]> {
  const address = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  if (!(await listens(address, port))) return [ok(`port ${port} of ${host} is free`)];
  const version = await parleyAt(address, port);
  if (version !== undefined) return [ok(`port ${port} of ${host} is served by Parley ${version}`)];
  return [problem(`port ${port} of ${host} is taken by another program`, 'set PORT to another one')];
}

/** Whether somebody takes connections there. */
export async function listens(host: string, port: number): Promise<boolean> {
  const socket = net.connect({ host, port });
  const signal = AbortSignal.timeout(patience);
  try {
    await once(socket, 'connect', { signal });
    return true;
  } catch (error) {
    if (codeOf(error) === 'ECONNREFUSED') return false;
    throw error;
  } finally {
    socket.destroy();
  }
}

async function parleyAt(address: string, port: number): Promise<string | undefined> {
  const name = address.includes(':') ? `[${address}]` : address;
  try {
    const signal = AbortSignal.timeout(patience);
    const reply = await fetch(`http://${name}:${port}/healthz`, { signal });
    const answer = (await reply.json()) as { service?: unknown; version?: unknown } | null;
    return answer?.service === 'service-api' ? String(answer.version) : undefined;
  } catch {
    return undefined;
  }
}
