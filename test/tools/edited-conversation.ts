import { expect } from 'vitest';
import type { Design } from '../../src/design/schema/design.ts';
import { type Door, type DoorName, type Outcome, openDoor, success } from '../contract/doors.ts';
import { toolNamed } from '../contract/registry.ts';
import type { Tenant, World } from '../helpers/world.ts';

/** The transports for these tests; the contract tests cover all of them. */
export const editingDoors = ['REST', 'modern http'] as const satisfies readonly DoorName[];

/** A design with parts that two people may edit at once. */
export const clinic: Design = {
  schemaVersion: 'cd/1',
  entry: { stepId: 'hello' },
  steps: {
    hello: {
      kind: 'greeting',
      introLine: 'Hello, I am the AI assistant of the clinic.',
      on: { next: 'menu' },
    },
    menu: {
      kind: 'route',
      prompt: 'Find out what the caller wants.',
      options: [
        { id: 'hours', title: 'Hours', description: 'Asks when we are open.', target: 'hours' },
        { id: 'billing', title: 'Billing', description: 'Asks about a bill.', target: 'billing' },
      ],
      on: { fallback: 'hours' },
    },
    hours: { kind: 'message', text: 'We are open from 8 to 6.', on: { next: 'bye' } },
    billing: {
      kind: 'transfer',
      destination: { kind: 'phoneNumber', value: '+15550100' },
      on: { failed: 'bye' },
    },
    bye: { kind: 'end', line: 'Goodbye.' },
  },
  hooks: { before: { rootNodeId: 'mark', nodes: { mark: { id: 'mark', next: { step: 'hello' } } } } },
  layout: { hello: { x: 1, y: 2 }, bye: { x: 3, y: 4 } },
};

/** Input of a call, by the names of the tool. */
type Input = Record<string, unknown>;

/** Conversations in a new project, edited over one transport. */
export async function openEditing(world: World, doorName: DoorName) {
  const tenant = await world.tenant();
  const rest = await openDoor(world, 'REST', tenant.key);
  const door = await openDoor(world, doorName, tenant.key);
  const through = (by: Door, name: string, input: Input) => by.call(toolNamed(name), input);
  return {
    tenant,
    door,
    call: (name: string, input: Input): Promise<Outcome> => through(door, name, input),
    /** Creates a conversation whose version 1 is the design, and returns its id. */
    async conversation(design: Design = clinic): Promise<string> {
      const made = success(
        await through(rest, 'create_conversation', { projectId: tenant.projectId, name: 'Clinic', design }),
      );
      return (made as { id: string }).id;
    },
    /** Makes edits, expects each to be stored, and returns the last response. */
    async edited(conversationId: string, n: number, merge: unknown, more: Input = {}): Promise<Input> {
      return success(
        await through(rest, 'edit_design', { conversationId, version: n, merge, ...more }),
      ) as Input;
    },
    async designOf(conversationId: string, n: number): Promise<Design> {
      return success(await through(rest, 'read_design', { conversationId, version: n })) as Design;
    },
    /** The numbers of the versions, newest first. */
    async versions(conversationId: string): Promise<number[]> {
      const { versions } = success(await through(rest, 'list_conversation_versions', { conversationId })) as {
        versions: { n: number }[];
      };
      return versions.map(({ n }) => n);
    },
  };
}

export type Editing = Awaited<ReturnType<typeof openEditing>>;

/** The issues of an invalid_request. */
export function issuesOf({ error }: Outcome): { path: string; message: string }[] {
  expect(error?.code).toBe('invalid_request');
  return error?.details?.['issues'] as { path: string; message: string }[];
}

/** Inserts a conversation of another kind, or with a design that no operation would store. */
export async function storeDesign(
  world: World,
  { projectId }: Tenant,
  conversationId: string,
  design: unknown,
): Promise<void> {
  await world.rows(
    'update conversation_versions set design = $3 where project_id = $1 and conversation_id = $2',
    [projectId, conversationId, JSON.stringify(design)],
  );
}

/** Operations that nest a design deeper than any recursion can follow. */
export function deepening(times: number): object[] {
  const depth = 50;
  const chain = Array.from({ length: depth }).reduce<object>((inner) => ({ a: inner }), {});
  return Array.from({ length: times }, (_, index) => [
    { op: 'add', path: '/z', value: chain },
    ...(index > 0 ? [{ op: 'move', from: '/y', path: `/z${'/a'.repeat(depth)}/b` }] : []),
    { op: 'move', from: '/z', path: '/y' },
  ]).flat();
}
