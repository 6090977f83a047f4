import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWorld, type Tenant, type World } from '../helpers/world.ts';
import { agentProfileIn, arrangeIn } from './arrange.ts';
import { digestOf } from './digest.ts';
import { type Door, openDoor, refusal, success } from './doors.ts';
import { exampleOf } from './examples.ts';
import { operations, tools } from './registry.ts';
import type { Input } from './rest-request.ts';

let world: World;
let tenant: Tenant;
let doors: Door[];

beforeAll(async () => {
  world = await openWorld();
  tenant = await world.tenant();
  const { key } = await world.key(tenant.projectId, { access: ['read', 'run', 'draft'] });
  doors = await Promise.all((['REST', 'modern http'] as const).map((name) => openDoor(world, name, key)));
});
afterAll(() => world.close());

const guarded = tools.flatMap((tool) =>
  Object.keys(tool.inputAccess).map((input) => ({ tool, name: tool.name, input })),
);

/** What an input holds that needs more than `draft`. */
const needing: Readonly<Record<string, () => unknown>> = {
  activate: () => true,
  agentProfileId: () => agentProfileIn(arrangeIn(world, tenant)),
  access: () => ['draft', 'publish'],
};

test.each(guarded)('$name with $input needs more than draft, also for a repeated key', async (guard) => {
  const { tool, input } = guard;
  const { [input]: _, ...without } = await exampleOf(tool).input(arrangeIn(world, tenant));
  const given: Input = { ...without, [input]: await needing[input]?.() };
  const idempotencyKey = randomUUID();
  const before = await digestOf(world);
  for (const door of doors) {
    const { message } = refusal(await door.call(tool, given, idempotencyKey), 'forbidden');
    expect(message).toBe(`${input} needs the access "publish"; this key has read, run, draft.`);
  }
  expect(await digestOf(world)).toEqual(before);
  const allowed = input === 'access' ? { ...given, access: ['draft'] } : without;
  for (const door of doors.slice(0, 1)) success(await door.call(tool, allowed, idempotencyKey));
});

/**
 * Inputs that name other records, of operations that change something without `publish`. Each was judged: what it names
 * stays as callers meet it. An input that changes that belongs in `inputAccess`.
 */
const unnoticed = new Set([
  'create_conversation agentId',
  'copy_conversation conversationId',
  'create_flow_version flowId',
  'edit_flow flowId',
  'edit_design conversationId',
  'write_design conversationId',
  'write_design uploadId',
  'restore_version conversationId',
  'restore_version flowId',
  'restore_flow_version flowId',
  'run_scenarios conversationId',
  'save_scenarios conversationId',
  'delete_scenario scenarioId',
  'simulate_live conversationId',
  'simulate_live flowId',
  'simulate_flow_live flowId',
  'create_conversation flowId',
  'undo_changes by',
  'create_web_session webAgentId',
  'clone_voice uploadId',
  'create_transcription uploadId',
  'create_speech voice',
]);

test('every input of an operation below publish that names a record is judged, or needs its own access', () => {
  const below = operations.filter(
    ({ access, effect }) => !effect.readOnly && (access === 'run' || access === 'draft'),
  );
  const named = below.flatMap((tool) =>
    tool.references
      .filter(({ name, path: [input = ''] }) => name !== 'project' && !tool.inputAccess[input])
      .map(({ path: [input] }) => `${tool.name} ${input}`),
  );
  expect(new Set(named)).toEqual(unnoticed);
  const switches = below.flatMap((tool) =>
    'activate' in tool.input.entries && !tool.inputAccess['activate'] ? [tool.name] : [],
  );
  expect(switches).toEqual([]);
});
