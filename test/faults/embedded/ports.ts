import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../helpers/replica-process.ts';
import { refuses, untilAcknowledged, works } from './checks.ts';
import { homeIn, type Place, serverPid } from './place.ts';
import { patience } from './process.ts';
import { fail, pass, type Seen } from './seen.ts';
import { startServe } from './writers.ts';

/** Takes the port that Parley should listen on. */
export async function ownPortTaken(folder: string): Promise<Seen> {
  const port = await freePort();
  const squatter = await squat(port);
  const { result, seen } = await refuses(homeIn(folder), { PORT: String(port) }).finally(() =>
    squatter.close(),
  );
  return { result, seen: seen.replace(String(port), 'N') };
}

export async function serverPortTakenBeforeAStart(folder: string): Promise<Seen> {
  const place = homeIn(folder);
  const before = await works(place);
  if (before.result !== 'pass') return before;
  const port = keptPort(place);
  const squatter = await squat(port);
  const after = await works(place).finally(() => squatter.close());
  if (after.result !== 'pass') return after;
  return keptPort(place) === port ? fail('the port is the same') : pass('works, on another port');
}

export async function serverPortTakenAfterAKill(folder: string): Promise<Seen> {
  const place = homeIn(folder);
  const server = await startServe(place);
  const port = keptPort(place);
  const pid = serverPid(place.home);
  // Halts Parley, so that it cannot restart its Postgres before the port is taken.
  process.kill(server.pid, 'SIGSTOP');
  process.kill(pid, 'SIGKILL');
  const squatter = await squatSoon(port);
  process.kill(server.pid, 'SIGCONT');
  try {
    const seconds = await untilAcknowledged(server);
    await server.end();
    if (keptPort(place) === port) return fail('the port is the same');
    return pass(`works, on another port; next write after ${seconds} s`);
  } finally {
    squatter.close();
  }
}

const keptPort = ({ home }: Place) => Number(fs.readFileSync(path.join(home, 'port'), 'utf8'));

function squat(port: number): Promise<net.Server> {
  const server = net.createServer((socket) => socket.destroy()).listen(port, '127.0.0.1');
  return new Promise((resolve, reject) => {
    server.once('listening', () => resolve(server));
    server.once('error', reject);
  });
}

async function squatSoon(port: number): Promise<net.Server> {
  for (const late = performance.now() + patience; performance.now() < late; await delay(5))
    try {
      return await squat(port);
    } catch {
      // The killed Postgres still holds the port.
    }
  throw new Error(`port ${port} stays taken`);
}
