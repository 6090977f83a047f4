/**
 * Measures what simulations cost without a model: a step of the engine, a call of 20 turns over REST, and a run of saved
 * scenarios.
 *
 * Usage: node test/faults/simulations.ts [--scenarios 200]
 */
import os from 'node:os';
import { begin, proceed } from '../../src/calls/engine.ts';
import { simulate } from '../../src/calls/simulate.ts';
import type { Design } from '../../src/design/schema/design.ts';
import { runAsScript } from '../helpers/laboratory.ts';
import { openWorld } from '../helpers/world.ts';

const turns = 20;
/** CPU milliseconds of a call, seconds of a run, and milliseconds of a step (issue 20). */
const bounds = { call: 50, run: 10, step: 0.1 };

/** Two topics to which the caller comes back again and again. */
const design: Design = {
  schemaVersion: 'cd/1',
  entry: { stepId: 'hello' },
  steps: {
    hello: { kind: 'greeting', introLine: 'Hello, I am an AI assistant.', on: { next: 'menu' } },
    menu: {
      kind: 'route',
      prompt: 'Hours or prices?',
      options: [
        { id: 'hours', title: 'Hours', description: 'Opening hours.', target: 'hours' },
        { id: 'prices', title: 'Prices', description: 'What a visit costs.', target: 'prices' },
      ],
    },
    hours: { kind: 'message', text: 'From 8 to 6.', on: { next: 'menu' } },
    prices: { kind: 'message', text: 'From 40 euros.', on: { next: 'menu' } },
  },
};
const script = Array.from({ length: turns }, (_, turn) => (turn % 2 ? 'The prices, please.' : 'Your hours?'));

function median(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0;
}

/** Milliseconds of one event of the engine. */
function stepTimes(): number[] {
  const times: number[] = [];
  for (let call = 0; call < 2_000; call++) {
    let { state } = begin(design, { type: 'started', channel: 'phone', system: {} });
    for (const text of script) {
      const began = performance.now();
      const heard = proceed(design, state, { type: 'heard', text });
      const [effect] = heard.effects.filter((one) => one.kind === 'understand');
      const answered = effect && { type: 'finished' as const, id: effect.id, result: { option: 'hours' } };
      ({ state } = answered ? proceed(design, heard.state, answered) : heard);
      // A turn is two events: the words, and what they mean.
      times.push((performance.now() - began) / 2);
    }
  }
  return times;
}

async function measure(databaseUrl: string, scenarios: number): Promise<boolean> {
  const world = await openWorld({
    database: { url: databaseUrl, drop: async () => undefined },
    models: undefined,
  });
  const tenant = await world.tenant();
  const call = async (method: string, route: string, body: unknown) => {
    const answer = await world.rest(method, route, { key: tenant.key, body });
    if (answer.status >= 300) throw new Error(`${method} ${route}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const { id } = await call('POST', `/v1/projects/${tenant.projectId}/conversations`, {
    name: 'Desk',
    design,
  });
  const simulated = () => call('POST', `/v1/conversations/${id}/simulations`, { caller: { script } });

  const played = simulate(design, { script: script.map((text) => ({ text })), channel: 'phone', system: {} });
  for (let warm = 0; warm < 50; warm++) await simulated();
  const repeats = 200;
  const before = process.cpuUsage();
  for (let turn = 0; turn < repeats; turn++) await simulated();
  const { user, system } = process.cpuUsage(before);
  const callCpu = (user + system) / 1_000 / repeats;

  await call('PATCH', `/v1/conversations/${id}/scenarios`, {
    scenarios: Array.from({ length: scenarios }, (_, index) => ({
      name: `Scenario ${index}`,
      caller: { script },
      expect: [{ reaches: { step: 'prices' } }, { says: 'From 40 euros.' }],
    })),
  });
  const began = performance.now();
  const { passed } = await call('POST', `/v1/conversations/${id}/scenario-runs`, {});
  const seconds = (performance.now() - began) / 1_000;
  const step = median(stepTimes());
  await world.close();

  console.log(`${new Date().toISOString()}, ${os.cpus().length} cores, Node ${process.versions.node}.\n`);
  console.log('| What | Measured | At most |\n| --- | --- | --- |');
  console.log(`| event of the engine, p50 | ${step.toFixed(4)} ms | ${bounds.step} ms |`);
  console.log(
    `| call of ${turns} turns over REST, CPU of server, client and pool | ${callCpu.toFixed(1)} ms | ${bounds.call} ms |`,
  );
  console.log(
    `| run of ${scenarios} scenarios of ${turns} turns over REST, results stored | ${seconds.toFixed(2)} s | ${bounds.run} s |`,
  );
  const isWhole = passed === scenarios && played.transcript.length > 2 * turns;
  if (!isWhole) console.log(`\n${passed} of ${scenarios} scenarios passed.`);
  return isWhole && step <= bounds.step && callCpu <= bounds.call && seconds <= bounds.run;
}

await runAsScript(import.meta.url, 'scenarios', 200, async (databaseUrl, scenarios) => {
  const { migrate } = await import('../../src/postgres/migrate.ts');
  const { openPool } = await import('../../src/postgres/pool.ts');
  const { jobsSchema } = await import('../../src/jobs/jobs-schema.ts');
  const say = (line: string) => console.error(line);
  const knex = openPool({ connectionString: databaseUrl, mode: 'write', max: 1, warn: say });
  await migrate(knex, databaseUrl, say, jobsSchema);
  await knex.destroy();
  return measure(databaseUrl, scenarios);
});
