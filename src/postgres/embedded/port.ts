import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import { hasCode } from '../error-code.ts';
import type { ServerFiles } from './place.ts';

/**
 * Below the ports of outgoing connections, any of which could be in use at the moment when a killed server starts again
 * on its former port.
 */
const firstPort = 20_000;
const lastPort = 32_000;
const tries = 20;

/** Prefers the former port, because running processes know it. */
export async function choosePort(files: ServerFiles): Promise<number> {
  const kept = keptPort(files);
  if (kept !== undefined && (await isFree(kept))) return kept;
  for (let attempt = 0; attempt < tries; attempt++) {
    const port = randomInt(firstPort, lastPort);
    if (await isFree(port)) return port;
  }
  throw new Error(`no port between ${firstPort} and ${lastPort} of 127.0.0.1 is free`);
}

/** The port of the last server of this data. */
export function keptPort(files: ServerFiles): number | undefined {
  try {
    const port = Number(fs.readFileSync(files.port, 'utf8'));
    return Number.isInteger(port) && port > 0 && port < 65_536 ? port : undefined;
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
    return undefined;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = net.createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    if (!hasCode(error, 'EADDRINUSE', 'EACCES')) throw error;
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
