import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refusal, success } from '../contract/doors.ts';
import { openWorld, type World } from '../helpers/world.ts';
import { deepening, type Editing, editingDoors, issuesOf, openEditing } from './edited-conversation.ts';

let world: World;

beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

interface Verdict {
  valid: boolean;
  problems: { code: string; path: string; message: string; hint: string }[];
  design?: unknown;
}

describe.each(editingDoors)('validate_design of an edit over %s', (doorName) => {
  let editing: Editing;
  let conversationId: string;
  const validate = (input: Record<string, unknown>) =>
    editing.call('validate_design', {
      conversationId,
      ...input,
      ...(doorName !== 'REST' && { details: true }),
    });
  const verdict = async (input: Record<string, unknown>) => success(await validate(input)) as Verdict;

  beforeAll(async () => {
    editing = await openEditing(world, doorName);
    conversationId = await editing.conversation();
    await editing.edited(conversationId, 1, { steps: { hours: { text: 'Closed.' } } });
  });

  test('returns the design that edit_design would store', async () => {
    const merge = { steps: { hours: { name: 'Hours' } } };
    const { valid, problems, design } = await verdict({ merge, version: 1 });
    expect({ valid, problems }).toEqual({ valid: true, problems: [] });
    const stored = await editing.conversation();
    await editing.edited(stored, 1, merge);
    expect(design).toEqual(await editing.designOf(stored, 2));
    expect(await editing.versions(conversationId)).toEqual([2, 1]);
  });

  test('edits the newest version by default', async () => {
    const patch = [{ op: 'test', path: '/steps/hours/text', value: 'Closed.' }];
    expect(await verdict({ patch })).toMatchObject({ valid: true });
    expect(await verdict({ patch, version: 1 })).toMatchObject({ valid: false });
  });

  test('reports a failed operation as a problem', async () => {
    const patch = [
      { op: 'remove', path: '/steps/hours' },
      { op: 'remove', path: '/steps/hours' },
    ];
    const { valid, problems, design } = await verdict({ patch, version: 2 });
    expect({ valid, design }).toEqual({ valid: false, design: null });
    expect(problems).toMatchObject([
      { code: 'invalid_request', path: '', message: '/patch/1: "/steps/hours" does not exist.' },
    ]);
  });

  test('reports excessive nesting as a problem', async () => {
    expect(await verdict({ patch: deepening(330) })).toMatchObject({
      valid: false,
      problems: [{ code: 'invalid_request', message: '/patch: Is nested deeper than 64 levels.' }],
    });
  });

  test('reports every problem of an edit at once', async () => {
    const merge = { steps: { hours: { text: 7 }, bye: null }, layout: { nobody: { x: 1, y: 1 } } };
    const { valid, problems } = await verdict({ merge });
    expect(valid).toBe(false);
    expect(problems.map(({ code, path }) => `${code} ${path}`)).toEqual([
      'invalid_request /steps/hours/text',
      'invalid_transition /steps/billing/on/failed',
      'invalid_layout_ref /layout/bye',
      'invalid_layout_ref /layout/nobody',
    ]);
  });

  test.each<readonly [name: string, input: Record<string, unknown>, path: string]>([
    ['an empty body', {}, '/design'],
    ['a design together with an edit', { design: {}, patch: [] }, '/patch'],
    ['patch and merge together', { patch: [], merge: {} }, '/merge'],
    ['a version together with a design', { design: {}, version: 1 }, '/version'],
    ['an invalid patch', { patch: [{ op: 'remove' }] }, '/patch/0/path'],
  ])('refuses %s', async (_, input, path) => {
    expect(issuesOf(await validate(input)).map((issue) => issue.path)).toEqual([path]);
  });

  test('returns 404 for an unknown version', async () => {
    refusal(await validate({ merge: {}, version: 3 }), 'not_found');
  });
});
