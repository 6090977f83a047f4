/**
 * Sends hostile bodies to every operation that takes one, over REST and over MCP, and measures the processor time of the
 * event loop for each. Fails if a body takes more than 50 ms for each 256 KiB, in the best of several runs, or if a
 * response has a status of 500 or more, or if the memory in use does not return to its starting level. Writes
 * docs/measurements/body-times.md.
 *
 * Usage: node test/faults/body-times.ts [--bodies 40] [--seed 1] [--seconds 55]
 */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Worker } from 'node:worker_threads';
import type { McpTool } from '../../src/environment/mcp-view.ts';
import { jobsSchema } from '../../src/jobs/jobs-schema.ts';
import { hasBody } from '../../src/operation/input.ts';
import { oneProvider } from '../../src/platform/config/models.ts';
import { migrate } from '../../src/postgres/migrate.ts';
import { openPool } from '../../src/postgres/pool.ts';
import { arrangeIn } from '../contract/arrange.ts';
import { exampleOf } from '../contract/examples.ts';
import { tools } from '../contract/registry.ts';
import { bodyOf, type Input, partsOf, routeOf } from '../contract/rest-request.ts';
import { runAsScript } from '../helpers/laboratory.ts';
import { openWorld, type World } from '../helpers/world.ts';
import { crowdedDesigns } from './crowded-designs.ts';
import { crowdedBody, crowds, placesIn, repeatedBody } from './hostile-bodies.ts';
import type { ThreadAnswer, ThreadRequest } from './request-thread.ts';

const root = path.resolve(import.meta.dirname, '../..');
/** Bytes of the limit that most operations have, and milliseconds that a body of that size may take. */
const [ordinary, mostMilliseconds] = [262_144, 50];
/** A body that takes longer is sent again, so often: the machine may have been busy. */
const runs = 4;
/** MiB that may stay in use after all bodies: code that V8 has compiled, and caches with bounds. */
const mostGrowth = 24;

/** One hostile request. */
interface Trial {
  readonly name: string;
  readonly request: Omit<ThreadRequest, 'headers'>;
}

/** A trial with the least processor time that it took, in milliseconds for each 256 KiB. */
interface Outcome {
  readonly name: string;
  readonly status: number;
  readonly bytes: number;
  readonly milliseconds: number;
  readonly perLimit: number;
}

/** MiB in use by this process after a collection, the server's buffers included. */
async function memoryInUse(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // Finalizers free buffers after the first collection.
  for (const _ of [1, 2]) {
    collect();
    await setImmediate();
  }
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1024 / 1024;
}

/** Bodies of an operation: crowds in every place of its example, and the operation's own. */
function* bodiesOf(
  tool: McpTool,
  body: object,
  bytes: number,
): Generator<[name: string, text: () => Buffer]> {
  for (const place of placesIn(body)) {
    const at = `/${place.join('/')}`;
    for (const crowd of Object.keys(crowds))
      yield [`${crowd} at ${at}`, () => crowdedBody(body, place, crowd, bytes)];
    const repeated = repeatedBody(body, place, bytes);
    if (repeated) yield [`valid items at ${at}`, () => repeated];
  }
  if (Object.hasOwn(tool.input.entries, 'design'))
    for (const [name, design] of crowdedDesigns()) {
      const around = JSON.stringify({ ...body, design: 'here' });
      yield [name, () => Buffer.from(around.replace('"here"', () => design))];
    }
}

/** A sequence of numbers from 0 to 1 that depends on nothing but its seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The trials of an operation: `count` of its bodies, over REST and over MCP in turn. */
function* trialsOf(
  tool: McpTool,
  input: Input,
  base: string,
  count: number,
  random: () => number,
): Generator<Trial> {
  const parts = partsOf(tool, input);
  const rest = bodyOf(tool, parts);
  const bodies = (body: object, bytes: number) => [...bodiesOf(tool, body, bytes)];
  // The longest bodies take many times as long to make, and all of them are counted or refused by the same code.
  const sizes = tool.bodyLimit > ordinary ? [ordinary, 4 * ordinary] : [ordinary];
  for (const bytes of sizes) {
    if (rest && tool.file === undefined)
      for (const [name, text] of chosen(bodies(rest, bytes), count, random))
        yield {
          name: `${tool.rest.method} ${tool.rest.path}: ${name}`,
          request: { url: base + routeOf(tool, parts), method: tool.rest.method, body: text() },
        };
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: tool.name, arguments: input },
    };
    for (const [name, text] of chosen(bodies(call, bytes), Math.ceil(count / 4), random))
      yield {
        name: `MCP ${tool.name}: ${name}`,
        request: { url: `${base}/mcp`, method: 'POST', body: text() },
      };
  }
}

/** `count` of the items, at random; all of them if there are no more. */
function chosen<Item>(items: readonly Item[], count: number, random: () => number): Item[] {
  return items
    .map((item) => ({ item, order: random() }))
    .toSorted((one, other) => one.order - other.order)
    .slice(0, count)
    .map(({ item }) => item);
}

/** A client in a thread of its own, so that the processor time of this one is the server's. */
async function openClient() {
  const thread = new Worker(new URL('request-thread.ts', import.meta.url));
  const [model] = (await once(thread, 'message')) as [string];
  return {
    model,
    /** Sends a request. Returns the response, and the processor time of this thread until then. */
    async send(request: ThreadRequest): Promise<ThreadAnswer & { readonly milliseconds: number }> {
      const began = process.threadCpuUsage();
      const answered = once(thread, 'message');
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      thread.postMessage(request);
      const [answer] = (await answered) as [ThreadAnswer];
      const { user, system } = process.threadCpuUsage();
      return { ...answer, milliseconds: (user + system - began.user - began.system) / 1000 };
    },
    close: () => thread.terminate(),
  };
}

type Client = Awaited<ReturnType<typeof openClient>>;

async function measure(client: Client, { name, request }: Trial, key: string): Promise<Outcome> {
  const { length } = request.body;
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'content-length': String(length),
    accept: 'application/json, text/event-stream',
  };
  const limits = Math.max(1, length / ordinary);
  let best: Outcome | undefined;
  for (let run = 0; run < runs; run++) {
    const { status, milliseconds } = await client.send({ ...request, headers });
    const perLimit = milliseconds / limits;
    if (!best || perLimit < best.perLimit) best = { name, status, bytes: length, milliseconds, perLimit };
    if (best.perLimit <= mostMilliseconds || status === 0 || status >= 500) break;
  }
  if (!best) throw new TypeError('no runs');
  return best;
}

async function prepare(connectionString: string): Promise<void> {
  const say = (line: string) => console.error(line);
  const knex = openPool({ connectionString, mode: 'write', max: 1, warn: say });
  await migrate(knex, connectionString, say, jobsSchema);
  await knex.destroy();
}

/** The example of an operation, in the project of a tenant of its own. */
async function exampleIn(world: World, tool: McpTool): Promise<{ input: Input; key: string }> {
  const tenant = await world.tenant();
  return { input: await exampleOf(tool).input(arrangeIn(world, tenant)), key: tenant.key };
}

await runAsScript(
  import.meta.url,
  'bodies',
  40,
  async (url, count, { seed = 1, seconds = 55 }) => {
    await prepare(url);
    const client = await openClient();
    const provider = { name: 'upstream', baseUrl: client.model, key: 'none' };
    const models = oneProvider(provider, { chat: 'chat', speech: 'speech', transcription: 'transcription' });
    const world = await openWorld({ database: { url, drop: async () => undefined }, models });
    const outcomes: Outcome[] = [];
    const memory = { before: 0, after: 0 };
    try {
      const random = randomFrom(seed);
      const taking = tools.filter(hasBody);
      // Loads what each operation loads at its first use.
      for (const tool of taking) {
        const { input, key } = await exampleIn(world, tool);
        for (const trial of trialsOf(tool, input, world.base, 1, random)) await measure(client, trial, key);
      }
      memory.before = await memoryInUse();
      const end = performance.now() + seconds * 1000;
      for (const tool of taking) {
        const { input, key } = await exampleIn(world, tool);
        const share = performance.now() + (end - performance.now()) / (taking.length - taking.indexOf(tool));
        for (const trial of trialsOf(tool, input, world.base, count, random)) {
          outcomes.push(await measure(client, trial, key));
          if (performance.now() > share) break;
        }
      }
      memory.after = await memoryInUse();
    } finally {
      await world.close();
      await client.close();
    }
    return report(outcomes, memory, seed);
  },
  { seed: 1, seconds: 55 },
);

/** Prints and writes the report. Returns whether every body kept the bound. */
function report(
  outcomes: readonly Outcome[],
  memory: { readonly before: number; readonly after: number },
  seed: number,
): boolean {
  const isFailure = ({ status, perLimit }: Outcome) =>
    status === 0 || status >= 500 || perLimit > mostMilliseconds;
  const sorted = outcomes.toSorted((one, other) => other.perLimit - one.perLimit);
  const failed = sorted.filter(isFailure);
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * (1 - share))]?.perLimit.toFixed(1);
  const rows = [...failed, ...sorted.filter((outcome) => !isFailure(outcome))]
    .slice(0, Math.max(20, failed.length))
    .map(
      ({ name, status, bytes, milliseconds, perLimit }) =>
        `| ${name.replaceAll('|', '\\|')} | ${status} | ${Math.round(bytes / 1024)} | ${milliseconds.toFixed(1)} | ${perLimit.toFixed(1)} |`,
    );
  const text = `# Time of hostile bodies

\`node test/faults/body-times.ts --seed ${seed}\`, ${new Date().toISOString().slice(0, 10)}, ${os.cpus()[0]?.model ?? 'unknown processor'}.

${outcomes.length} bodies for ${tools.filter(hasBody).length} operations, over REST and MCP. The figures are milliseconds of
processor time of the event loop for each 256 KiB, the best of up to ${runs} runs: median ${at(0.5)}, 99 % ${at(0.99)}, longest
${at(1)}. At most ${mostMilliseconds} are allowed; ${failed.length} bodies took longer or failed. After a collection, ${memory.before.toFixed(0)} MiB were in use before the bodies
and ${memory.after.toFixed(0)} after them; at most ${mostGrowth} more are allowed.

| Body | Status | KiB | Milliseconds | per 256 KiB |
| ---- | ------ | --- | ------------ | ----------- |
${rows.join('\n')}
`;
  console.log(text);
  writeFileSync(path.join(root, 'docs/measurements/body-times.md'), text);
  return failed.length === 0 && memory.after - memory.before <= mostGrowth;
}
