import { once } from 'node:events';
import net from 'node:net';
import type { Config } from '../../../platform/config/config.ts';
import { codeOf } from '../../../platform/errors.ts';
import { type Finding, ok, problem } from './finding.ts';

/** Milliseconds that a program on this machine may take to respond. */
const responseTimeout = 2000;

/** Checks that PORT is free, or that Parley itself uses it. */
export async function servePort({ host, port }: Config): Promise<Finding[]> {
  const address = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  if (!(await listens(address, port))) return [ok(`port ${port} of ${host} is free`)];
  const version = await parleyAt(address, port);
  if (version !== undefined) return [ok(`Parley ${version} serves port ${port} of ${host}`)];
  return [problem(`another program uses port ${port} of ${host}`, 'set PORT, or stop the other program')];
}

/** True if a program accepts connections there. */
export async function listens(host: string, port: number): Promise<boolean> {
  const socket = net.connect({ host, port });
  const signal = AbortSignal.timeout(responseTimeout);
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
    const signal = AbortSignal.timeout(responseTimeout);
    const response = await fetch(`http://${name}:${port}/healthz`, { signal });
    const health = (await response.json()) as { service?: unknown; version?: unknown } | null;
    return health?.service === 'service-api' ? String(health.version) : undefined;
  } catch {
    return undefined;
  }
}
