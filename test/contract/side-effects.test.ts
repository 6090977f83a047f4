import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { McpTool } from '../../src/environment/mcp-view.ts';
import { honoursIdempotencyKey } from '../../src/operation/idempotency.ts';
import { openWorld, type Tenant, type World } from '../helpers/world.ts';
import { arrangeIn } from './arrange.ts';
import { digestOf } from './digest.ts';
import { type Door, openDoors, refusal, success } from './doors.ts';
import { exampleInputs, exampleOf } from './examples.ts';
import { missingIdIn } from './references.ts';
import { tools } from './registry.ts';
import { everythingWrong } from './wrong-input.ts';

let world: World;
let tenant: Tenant;
let doors: Door[];

beforeAll(async () => {
  world = await openWorld();
  tenant = await world.tenant({ plan: 'enterprise' });
  doors = await openDoors(world, tenant.key);
});
afterAll(() => world.close());

const reading = tools.filter(({ effect }) => effect.readOnly);
const writing = tools.filter(({ effect }) => !effect.readOnly);
/** Operations that act outside the database, so that they write nothing but usage. */
const outside = writing.filter(({ effect }) => effect.transaction === 'none');
const recording = writing.filter((tool) => !outside.includes(tool));
/** Writes by POST and PATCH. Those that may return a stream or bytes ignore a key (`decisions#idempotency-keys`). */
const heedsKey = writing.filter(({ rest }) => rest.method === 'POST' || rest.method === 'PATCH');
const replayed = heedsKey.filter(honoursIdempotencyKey);
const withoutKey = heedsKey.filter(({ results }) => results.length > 0);

const inputsFor = (tool: McpTool) => exampleInputs(tool, doors, arrangeIn(world, tenant));

/** Returns the audit rows that are not in `before`. */
async function auditRows(before: readonly { id: string }[] = []): Promise<{ id: string }[]> {
  return world.core
    .knex<{ id: string }>('audit_log')
    .whereNotIn(
      'id',
      before.map(({ id }) => id),
    )
    .select('*');
}

test.each(reading)('$name writes nothing', async (tool) => {
  const inputs = await inputsFor(tool);
  const before = await digestOf(world);
  for (const { door, input } of inputs) success(await door.call(tool, input));
  expect(await digestOf(world)).toEqual(before);
});

test.each(outside)('$name writes nothing but usage', async (tool) => {
  const inputs = await inputsFor(tool);
  const before = await digestOf(world);
  for (const { door, input } of inputs) success(await door.call(tool, input));
  expect(await digestOf(world)).toEqual(before);
});

test.each(recording)('$name writes one audit row on every transport', async (tool) => {
  for (const { door, input } of await inputsFor(tool)) {
    const before = await auditRows();
    success(await door.call(tool, input));
    const [row, ...more] = await auditRows(before);
    expect(row, door.name).toMatchObject({ operation: tool.name, key_id: tenant.keyId });
    expect(more, door.name).toEqual([]);
  }
});

test.each(writing)('$name that is refused leaves everything as it was', async (tool) => {
  const input = await exampleOf(tool).input(arrangeIn(world, tenant));
  const before = await digestOf(world);
  for (const door of doors) {
    const wrong = everythingWrong(tool);
    if (wrong.refused.length > 0)
      refusal(await door.call(tool, wrong.input, randomUUID()), 'invalid_request');
    const key = withoutKey.includes(tool) ? undefined : randomUUID();
    for (const { missing } of missingIdIn(tool, input))
      refusal(await door.call(tool, missing, key), 'not_found');
  }
  expect(await digestOf(world)).toEqual(before);
});

describe('with the same idempotency key', () => {
  test.each(replayed)('$name runs once and returns the same response each time', async (tool) => {
    for (const { door, input } of await inputsFor(tool)) {
      const before = await auditRows();
      const key = randomUUID();
      const first = success(await door.call(tool, input, key));
      const after = await digestOf(world);
      const again = await door.call(tool, input, key);
      if (tool.special.secretOutput) refusal(again, 'secret_shown_once');
      else {
        expect(success(again), door.name).toEqual(first);
        if (door.name === 'REST') expect(again.status).toBe(tool.rest.status);
      }
      expect(await digestOf(world), door.name).toEqual(after);
      expect(await auditRows(before), door.name).toHaveLength(1);
    }
  });

  test('an operation that returns a stream or bytes runs each time, whatever the key', async () => {
    for (const tool of withoutKey)
      for (const { door, input } of await inputsFor(tool))
        for (const key of ['same', 'same', '', 'k'.repeat(256)]) {
          world.upstream.received.length = 0;
          const outcome = await door.call(tool, input, key);
          expect(outcome.error, `${tool.name} ${door.name}`).toBeUndefined();
          expect(world.upstream.received).toHaveLength(1);
        }
    expect(withoutKey.map(({ name }) => name)).toEqual([
      'create_chat_completion',
      'create_speech',
      'create_transcription',
    ]);
  });
});
