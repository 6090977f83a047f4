import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { type Laboratory, openLaboratory, runAsScript } from '../helpers/laboratory.ts';
import { type ReplicaProcess, startReplica } from '../helpers/replica-process.ts';
import type { Tenant } from '../helpers/world.ts';

const clients = 64;
/** Successes before the revocation, so that every client is busy and the replica has cached the key. */
const warmUp = 2 * clients;
/** Requests that each client starts after the revocation's response. */
const afterwards = 3;

/** The results of a run. */
interface Tally {
  requests: number;
  /** Successes before the revocation's response. Without any, a run proves nothing. */
  successes: number;
  refusals: number;
  /** Requests that started after the revocation's response. */
  startedAfter: number;
  /** Those of them that succeeded. Each one is a failure. */
  succeededAfter: number;
  otherAnswers: number[];
}

/**
 * Starts two replicas on one database. While 64 clients use a key on one replica, the other revokes it. No
 * request that starts after the revocation's response may succeed.
 */
export async function tryRevocations(databaseUrl: string, trials: number): Promise<Tally> {
  // The first replica migrates the database, so the second starts after it.
  const a = await startReplica(databaseUrl);
  const b = await startReplica(databaseUrl);
  const laboratory = openLaboratory(databaseUrl);
  const tally: Tally = {
    requests: 0,
    successes: 0,
    refusals: 0,
    startedAfter: 0,
    succeededAfter: 0,
    otherAnswers: [],
  };
  try {
    const tenant = await laboratory.tenant();
    for (let trial = 0; trial < trials; trial++)
      await tryOne({ trial, revoker: a, user: b, laboratory, tenant, tally });
    return tally;
  } finally {
    await laboratory.close();
    await Promise.all([a.kill(), b.kill()]);
  }
}

interface Trial {
  readonly trial: number;
  readonly revoker: ReplicaProcess;
  readonly user: ReplicaProcess;
  readonly laboratory: Laboratory;
  readonly tenant: Tenant;
  readonly tally: Tally;
}

async function tryOne({ trial, revoker, user, laboratory, tenant, tally }: Trial): Promise<void> {
  const { keyId, key } = await laboratory.key(tenant.projectId);
  // Each call takes another code path: a read of one record, a list, and a write that changes nothing.
  const calls = [
    { method: 'GET', route: '/v1/keys/current' },
    { method: 'GET', route: `/v1/projects/${tenant.projectId}/flows` },
    { method: 'PATCH', route: `/v1/projects/${tenant.projectId}`, body: '{}' },
  ];
  let revoked = false;
  let warm = (): void => undefined;
  const warmedUp = new Promise<void>((resolve) => {
    warm = resolve;
  });
  let successes = 0;
  const client = async (index: number) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1, ...addressOf(trial, index) });
    try {
      for (let call = index, left = afterwards; left > 0; call++) {
        const startedAfter = revoked;
        const status = await send(agent, user.base, { key, ...calls[call % calls.length] });
        tally.requests += 1;
        if (startedAfter) {
          left -= 1;
          tally.startedAfter += 1;
        }
        if (status === 200) {
          tally.successes += startedAfter ? 0 : 1;
          tally.succeededAfter += startedAfter ? 1 : 0;
          if (++successes === warmUp) warm();
        } else if (status === 401) tally.refusals += 1;
        else tally.otherAnswers.push(status);
      }
    } finally {
      agent.destroy();
    }
  };
  const hammering = Promise.all(Array.from({ length: clients }, (_, index) => client(index)));
  await Promise.race([warmedUp, hammering]);
  // The revocation meets another moment of the clients' loops in each trial.
  await delay(Math.random() * 10);
  const agent = new Agent();
  const call = { method: 'POST', route: `/v1/keys/${keyId}/revoke`, key: tenant.key };
  const status = await send(agent, revoker.base, call);
  revoked = true;
  await hammering;
  if (status !== 200) throw new Error(`the revocation returned ${status}`);
}

/** Gives each client its own address, because Parley slows failed authentication by address. */
function addressOf(trial: number, client: number): { localAddress?: string } {
  // Only Linux accepts every address in 127.0.0.0/8.
  if (process.platform !== 'linux') return {};
  return { localAddress: `127.${1 + Math.floor(trial / 250)}.${1 + (trial % 250)}.${1 + client}` };
}

interface ClientCall {
  readonly method?: string;
  readonly route?: string;
  readonly body?: string;
  readonly key: string;
}

function send(agent: Agent, base: string, { method, route = '', body, key }: ClientCall): Promise<number> {
  const headers = { 'x-api-key': key, ...(body && { 'content-type': 'application/json' }) };
  return new Promise((resolve, reject) => {
    const sent = request(base + route, { method, agent, headers }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode ?? 0));
      response.once('error', reject);
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

await runAsScript(import.meta.url, 'trials', 300, async (databaseUrl, trials) => {
  const began = performance.now();
  const report = await tryRevocations(databaseUrl, trials);
  console.log(`trials                                     ${trials}`);
  console.log(`requests in all                            ${report.requests}`);
  console.log(`successes before the revocation            ${report.successes}`);
  console.log(`refusals (401)                             ${report.refusals}`);
  console.log(`other responses                            ${report.otherAnswers.length}`);
  console.log(`started after the revocation's response    ${report.startedAfter}`);
  console.log(`successes after the revocation's response  ${report.succeededAfter}`);
  console.log(`seconds                                    ${Math.round((performance.now() - began) / 1000)}`);
  return report.succeededAfter === 0 && report.otherAnswers.length === 0;
});
