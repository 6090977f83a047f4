/**
 * Measures grace periods. Two replicas stand behind load balancers that look at `/readyz` each second, two or five, keep their
 * connections and never repeat a request. Just after they have looked, one replica stops under clients. Some of these ignore
 * readiness: they go on with it. Prints what failed and how long the stop took, also that of a replica with idle connections.
 *
 * Usage: node test/faults/grace-periods.ts [--stops 2]
 */
import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { codeOf } from '../../src/platform/errors.ts';
import { openLaboratory, runAsScript } from '../helpers/laboratory.ts';
import { freePort, type ReplicaProcess, startReplica } from '../helpers/replica-process.ts';
import type { Tenant } from '../helpers/world.ts';

/** Seconds. */
const gracePeriods = [0, 1, 2, 5, 10];
/** Seconds between two looks of a load balancer at a replica. */
const polls = [1, 2, 5];
/** Clients of each load balancer, and those that ignore readiness. */
const clients = 8;
const directClients = 8;
/** Milliseconds between two requests of a client. */
const pause = 20;
/** Milliseconds of load before a stop. */
const warmUp = 1_500;
/** Connections without a request that a stop closes. */
const idle = 50;

interface Replica {
  readonly process: ReplicaProcess;
  readonly opsPort: number;
}

/** Requests, and what some have got instead of 200. */
interface Count {
  requests: number;
  readonly failures: Map<string, number>;
}

const newCount = (): Count => ({ requests: 0, failures: new Map() });

/** A load balancer: it takes a replica out after the first look that finds it not ready, and repeats no request. */
async function startBalancer(replicas: readonly Replica[], seconds: number) {
  const agent = new Agent({ keepAlive: true });
  let ready = [...replicas];
  let turn = 0;
  const look = async () => {
    const states = replicas.map(async ({ opsPort }) => {
      const reply = await fetch(`http://127.0.0.1:${opsPort}/readyz`).catch(() => undefined);
      return reply?.ok === true;
    });
    const found = await Promise.all(states);
    ready = replicas.filter((_, index) => found[index]);
  };
  let timer: NodeJS.Timeout | undefined;
  const server = createServer((incoming, outgoing) => {
    turn += 1;
    const { port } = (ready[turn % ready.length] ?? replicas[0])?.process ?? { port: 0 };
    const { method, url, headers } = incoming;
    const passed = request({ host: '127.0.0.1', port, method, path: url, headers, agent }, (reply) => {
      outgoing.writeHead(reply.statusCode ?? 502);
      reply.pipe(outgoing);
    });
    passed.once('error', (error) => outgoing.writeHead(502).end(codeOf(error)));
    incoming.pipe(passed);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: portOf(server),
    /** Looks for the next time after the whole interval: in the worst case, a stop begins just after a look. */
    hasJustLooked() {
      timer = setInterval(() => void look(), seconds * 1_000);
    },
    close() {
      clearInterval(timer);
      server.closeAllConnections();
      server.close();
      agent.destroy();
    },
  };
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;

function get(port: number, { projectId, key }: Tenant, agent: Agent): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const path = `/v1/projects/${projectId}`;
    const headers = { authorization: `Bearer ${key}` };
    const sent = request({ host: '127.0.0.1', port, path, headers, agent }, (response) => {
      response.resume().once('error', reject);
      response.once('end', () => resolve(response));
    });
    sent.once('error', reject).end();
  });
}

/** Repeats requests over one connection at a time until the signal is aborted. */
async function repeat(port: number, tenant: Tenant, count: Count, signal: AbortSignal): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  while (!signal.aborted) {
    const outcome = await get(port, tenant, agent).then(
      ({ statusCode }) => (statusCode === 200 ? undefined : String(statusCode)),
      (error: unknown) => codeOf(error),
    );
    count.requests += 1;
    if (outcome !== undefined) count.failures.set(outcome, (count.failures.get(outcome) ?? 0) + 1);
    await delay(pause);
  }
  agent.destroy();
}

const start = async (databaseUrl: string, grace: number): Promise<Replica> => {
  const opsPort = await freePort();
  const process = await startReplica(databaseUrl, {
    PARLEY_OPS_PORT: String(opsPort),
    PARLEY_GRACE_SECONDS: String(grace),
  });
  return { process, opsPort };
};

/** Stops a replica. Returns the seconds that this took. */
async function secondsOfStop({ process }: Replica): Promise<number> {
  const began = performance.now();
  const code = await process.stop();
  if (code !== 0) throw new Error(`the replica ended with ${code}`);
  return (performance.now() - began) / 1_000;
}

/** Opens connections, each of which has had one request, and stops their replica. */
async function stopIdle(databaseUrl: string, grace: number, tenant: Tenant): Promise<number> {
  const replica = await start(databaseUrl, grace);
  const agent = new Agent({ keepAlive: true, maxSockets: idle });
  await Promise.all(Array.from({ length: idle }, () => get(replica.process.port, tenant, agent)));
  const seconds = await secondsOfStop(replica);
  agent.destroy();
  return seconds;
}

const shownFailures = ({ requests, failures }: Count) => {
  const total = [...failures.values()].reduce((sum, number) => sum + number, 0);
  const kinds = [...failures].map(([failure, count]) => `${count} × ${failure}`).join(', ');
  return `${total} of ${requests}${kinds && ` (${kinds})`}`;
};

await runAsScript(import.meta.url, 'stops', 2, async (databaseUrl, stops) => {
  const laboratory = openLaboratory(databaseUrl);
  const staying = await start(databaseUrl, 0);
  const tenant = await laboratory.tenant({ plan: 'enterprise' });
  let isQuick = true;
  try {
    console.log(
      `| Grace period | ${polls.map((seconds) => `Polled every ${seconds} s`).join(' | ')} | Clients that ignore readiness | Stop under load | Stop with ${idle} idle connections |`,
    );
    console.log(`| --- |${' --- |'.repeat(polls.length + 3)}`);
    for (const grace of gracePeriods) {
      const balanced = polls.map(newCount);
      const direct = newCount();
      const [loaded, quiet]: [number[], number[]] = [[], []];
      for (let stop = 0; stop < stops; stop++) {
        const leaving = await start(databaseUrl, grace);
        const balancers = await Promise.all(
          polls.map((seconds) => startBalancer([staying, leaving], seconds)),
        );
        const [end, endOfDirect] = [new AbortController(), new AbortController()];
        const running = balancers.flatMap(({ port }, index) =>
          Array.from({ length: clients }, () => repeat(port, tenant, balanced[index] ?? direct, end.signal)),
        );
        const ignoring = Array.from({ length: directClients }, () =>
          repeat(leaving.process.port, tenant, direct, endOfDirect.signal),
        );
        await delay(warmUp);
        for (const balancer of balancers) balancer.hasJustLooked();
        loaded.push(await secondsOfStop(leaving));
        endOfDirect.abort();
        await delay(Math.max(...polls) * 1_000);
        end.abort();
        await Promise.all([...running, ...ignoring]);
        for (const balancer of balancers) balancer.close();
        quiet.push(await stopIdle(databaseUrl, grace, tenant));
      }
      // The port has closed, and a client that ignores readiness has nowhere else to go.
      direct.failures.delete('ECONNREFUSED');
      const longest = (seconds: number[]) => `${Math.max(...seconds).toFixed(1)} s`;
      console.log(
        `| ${grace} s | ${[...balanced, direct].map(shownFailures).join(' | ')} | ${longest(loaded)} | ${longest(quiet)} |`,
      );
      isQuick &&= Math.max(...quiet) <= grace + 1;
    }
    return isQuick;
  } finally {
    await staying.process.kill();
    await laboratory.close();
  }
});
