import fc from 'fast-check';
import { outsideNames } from '../../src/design/facts.ts';
import type { Design } from '../../src/design/schema/design.ts';
import { isStepKind } from '../../src/design/schema/steps.ts';
import type { JsonObject } from '../../src/operation/result.ts';
import { newId } from '../../src/platform/id.ts';
import { designNames, realDesign } from '../designs/real-designs.ts';
import { type Damage, damage, damaged } from './damage.ts';
import { disagreements, type Reply } from './design-agreement.ts';
import { type Rows, rowWatch } from './design-rows.ts';

/** A running server, and access to its database to prepare and inspect rows. */
export interface House {
  readonly base: string;
  readonly key: string;
  readonly projectId: string;
  /** Another project. A stored design must not name its records. */
  readonly otherProjectId: string;
  readonly rows: Rows;
  /** Reports the progress of a long run. */
  readonly tell?: (line: string) => void;
}

/** The results of a run. */
export interface Seen {
  /** The number of responses by operation, status and code, such as `write 422 design_invalid`. */
  readonly answers: ReadonlyMap<string, number>;
  readonly damages: number;
  readonly accepted: number;
  readonly refused: number;
  /** The first `mostFailures` failures, each with the number of its damage. */
  readonly failures: readonly string[];
  readonly failureCount: number;
  /** Responses with a status of 500 or above, except 501 `unsupported_step`. */
  readonly serverErrors: number;
  /** Rows that no accepted write explains. */
  readonly strayRows: number;
  readonly disagreements: number;
}

interface Real {
  readonly name: string;
  readonly design: JsonObject;
  readonly isLarge: boolean;
  /** Conversations whose only version is still the undamaged design. */
  readonly unused: string[];
}

const atOnce = 4;
const batch = 250;
const mostFailures = 40;
const large = 50_000;
/** One of `overMcp` damages also goes over MCP. One of `stored` changes a design in the database instead. */
const overMcp = 4;
const stored = 25;
/** The size in bytes from which a design may be too large for one of REST and MCP, and not for the other. */
const nearLimit = 261_500;

const damages = fc.oneof(
  { weight: 2, arbitrary: fc.array(damage, { minLength: 1, maxLength: 1 }) },
  { weight: 1, arbitrary: fc.array(damage, { minLength: 2, maxLength: 3 }) },
);
const sample = fc.record({ design: fc.nat(1_000_000), damages });

/** Sends damaged designs over REST and MCP, and compares each response with the others and with the rows. */
export async function tryDamages(
  house: House,
  count: number,
  seed: number,
  names: readonly string[] = designNames,
): Promise<Seen> {
  const reals = await realDesigns(house, names);
  // Large designs come up less often, because one of them takes as long as ten others.
  const drawn = reals.flatMap((real) => Array<Real>(real.isLarge ? 1 : 5).fill(real));
  const foreign = await foreignRecords(house);
  const watch = await rowWatch(house.rows, house.projectId);
  const answers = new Map<string, number>();
  const failures: string[] = [];
  const totals = {
    accepted: 0,
    refused: 0,
    serverErrors: 0,
    strayRows: 0,
    disagreements: 0,
    failureCount: 0,
  };
  const fail = (index: number, what: string) => {
    totals.failureCount += 1;
    if (failures.length < mostFailures) failures.push(`damage ${index}: ${what}`);
  };

  const note = (door: string, reply: Reply, index: number) => {
    const answer = `${door} ${reply.status} ${codeOf(reply) ?? ''}`.trim();
    answers.set(answer, (answers.get(answer) ?? 0) + 1);
    if (reply.status < 500 || codeOf(reply) === 'unsupported_step') return;
    totals.serverErrors += 1;
    fail(index, answer);
  };

  const conversation = async ({ unused, design }: Real): Promise<string> => {
    const id = unused.pop() ?? newId('conversation');
    if (!watch.knows(id)) await watch.create(id, JSON.stringify(design));
    return id;
  };

  const send = async (real: Real, damages: readonly Damage[], index: number) => {
    const text = damaged(real.design, damages, foreign);
    const id = await conversation(real);
    const path = `/v1/conversations/${id}`;
    const body = `{"design":${text}}`;
    const validated = await rest(house, 'POST', `${path}/designs/validate`, body);
    note('validate', validated, index);
    const wrote = await rest(house, 'POST', `${path}/versions`, body);
    note('write', wrote, index);
    const kinds = damages.map(({ kind }) => kind).join();
    for (const what of disagreements(validated, wrote)) {
      totals.disagreements += 1;
      fail(index, `${real.name}, ${kinds}: ${what}`);
    }
    if (wrote.status === 201) {
      watch.acknowledge(id, 2);
      const named = foreignNames(wrote, foreign);
      if (named.length > 0)
        fail(index, `${real.name}, ${kinds}: stored with ${named.join()} of another project`);
    }
    const isJson = parses(text);
    if (index % overMcp === 0 && isJson && Buffer.byteLength(body) < nearLimit) {
      const newest = wrote.status === 201 ? 2 : 1;
      const called = await mcp(
        house,
        'write_design',
        `{"conversationId":"${id}","version":${newest},"design":${text}}`,
      );
      note('write_design', called, index);
      if (called.status < 300) watch.acknowledge(id, newest + 1);
      if (codeOf(called) !== codeOf(wrote)) {
        totals.disagreements += 1;
        fail(index, `${real.name}, ${kinds}: REST ${codeOf(wrote)}, MCP ${codeOf(called)}`);
      }
      const asked = await mcp(house, 'validate_design', `{"conversationId":"${id}","design":${text}}`);
      note('validate_design', asked, index);
    }
    const activated = await rest(house, 'POST', `${path}/versions/2/activate`);
    note('activate', activated, index);
    if ((activated.status === 200) !== watch.isChanged(id))
      fail(index, `activate returned ${activated.status}`);
    if (activated.status === 200) watch.activated(id);
    if (watch.isChanged(id)) totals.accepted += 1;
    else {
      totals.refused += 1;
      real.unused.push(id);
    }
  };

  /** Stores a design with a kind of step that the API does not expose, and expects `unsupported_step`. */
  const sendStored = async (real: Real, { at, other, name }: Damage, index: number) => {
    const design = structuredClone(real.design) as { steps: Record<string, { kind: string }> };
    const steps = Object.values(design.steps);
    const step = steps[at % steps.length];
    if (step) step.kind = isStepKind(name) ? `${name}2` : name;
    const id = newId('conversation');
    await watch.create(id, JSON.stringify(real.design), JSON.stringify(design));
    const path = `/v1/conversations/${id}`;
    const query = ['', '?outline=true', '?steps=greeting'][other % 3] ?? '';
    const replies = {
      read: await rest(house, 'GET', `${path}/versions/2/design${query}`),
      activate: await rest(house, 'POST', `${path}/versions/2/activate`),
      read_design: await mcp(house, 'read_design', `{"conversationId":"${id}","version":2}`),
      activate_conversation_version: await mcp(
        house,
        'activate_conversation_version',
        `{"conversationId":"${id}","version":2}`,
      ),
    };
    for (const [door, reply] of Object.entries(replies)) {
      note(`${door} (stored unknown kind)`, reply, index);
      if (codeOf(reply) !== 'unsupported_step')
        fail(index, `${door} returned ${reply.status} ${codeOf(reply)}`);
    }
    totals.refused += 1;
  };

  const samples = fc.sample(fc.noBias(sample), { numRuns: count, seed });
  for (let from = 0; from < samples.length; from += batch) {
    const queue = samples.slice(from, from + batch).entries();
    const work = async () => {
      for (const [offset, { design, damages }] of queue) {
        const index = from + offset;
        const real = drawn[design % drawn.length];
        const [first] = damages;
        if (!real || !first) continue;
        if (index % stored === 0) await sendStored(real, first, index);
        else await send(real, damages, index);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    house.tell?.(`${from + batch} of ${count} damages`);
    const stray = await watch.stray();
    totals.strayRows += stray.length;
    for (const what of stray) fail(from, `or another damage of its batch of ${batch}: ${what}`);
  }
  return { answers, failures, damages: samples.length, ...totals };
}

async function realDesigns({ rows, projectId }: House, names: readonly string[]): Promise<Real[]> {
  const reals: Real[] = [];
  for (const name of names) {
    const design = (await realDesign({ rows }, { projectId }, name)) as unknown as JsonObject;
    reals.push({ name, design, isLarge: JSON.stringify(design).length > large, unused: [] });
  }
  return reals;
}

/** Returns the ids of the other project's records that one of its designs names. */
async function foreignRecords({ rows, otherProjectId: projectId }: House): Promise<string[]> {
  const design = JSON.stringify(await realDesign({ rows }, { projectId }, 'bank-hotline'));
  return [...new Set(design.match(/\bc(?:kb|in|cv)[0-9a-v]{26}\b/g))];
}

/** Returns the ids in a stored design that belong to another project. */
function foreignNames({ body }: Reply, foreign: readonly string[]): string[] {
  const named = Object.values(outsideNames((body as { design: Design }).design)).flat();
  return named.filter((id) => foreign.includes(id));
}

function codeOf({ body }: Reply): string | undefined {
  return (body as { error?: { code: string } } | undefined)?.error?.code;
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

async function rest({ base, key }: House, method: string, path: string, body?: string): Promise<Reply> {
  const reply = await fetch(base + path, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body }),
  });
  return { status: reply.status, body: (await reply.json()) as JsonObject };
}

/** Calls a tool with JSON text as arguments. The status is 400 for a tool error, 599 for a protocol error. */
async function mcp({ base, key }: House, name: string, argumentsText: string): Promise<Reply> {
  const reply = await fetch(`${base}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${argumentsText}}}`,
  });
  const text = await reply.text();
  const line = text.split('\n').find((one) => one.startsWith('data: '));
  const { result, error } = JSON.parse(line ? line.slice('data: '.length) : text) as {
    result?: { content: { text: string }[]; isError?: true };
    error?: { message: string };
  };
  if (!result) return { status: 599, body: { error: { code: `protocol error: ${error?.message}` } } };
  const body = JSON.parse(result.content[0]?.text ?? 'null') as JsonObject;
  return { status: result.isError ? 400 : 200, body };
}
