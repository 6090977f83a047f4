import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { jsonPointer } from '../../src/platform/errors.ts';
import { refusal, success } from '../contract/doors.ts';
import { realDesign } from '../designs/real-designs.ts';
import { openWorld, type World } from '../helpers/world.ts';
import {
  clinic,
  deepening,
  type Editing,
  editingDoors,
  issuesOf,
  openEditing,
  storeDesign,
} from './edited-conversation.ts';

let world: World;

beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

describe.each(editingDoors)('edit_design over %s', (doorName) => {
  let editing: Editing;
  let conversationId: string;
  const edit = (input: Record<string, unknown>) =>
    editing.call('edit_design', { conversationId, version: 1, ...input });

  beforeAll(async () => {
    editing = await openEditing(world, doorName);
    conversationId = await editing.conversation();
  });

  test('stores the result of a JSON Patch as the next version, and lists the changes', async () => {
    const id = await editing.conversation();
    const patch = [
      { op: 'test', path: '/steps/hours/kind', value: 'message' },
      { op: 'replace', path: '/steps/hours/text', value: 'We are open from 8 to 7.' },
      { op: 'add', path: '/steps/menu/options/0/title', value: 'Opening hours' },
      { op: 'remove', path: '/hooks' },
    ];
    const call = {
      conversationId: id,
      version: 1,
      patch,
      tag: 'Late',
      ...(doorName !== 'REST' && { details: true }),
    };
    const answer = success(await editing.call('edit_design', call));
    expect(answer).toMatchObject({ version: 2, tag: 'Late', isActive: false });
    expect((answer as { changes: unknown }).changes).toEqual([
      { path: '/steps/menu', change: 'changed' },
      { path: '/steps/hours', change: 'changed' },
      { path: '/hooks/before', change: 'removed' },
      { path: '/hooks/before/nodes/mark', change: 'removed' },
    ]);
    const { hooks: _, ...expected } = structuredClone(await editing.designOf(id, 1));
    Object.assign(expected.steps['hours'] as object, { text: 'We are open from 8 to 7.' });
    Object.assign((expected.steps['menu'] as { options: object[] }).options[0] as object, {
      title: 'Opening hours',
    });
    expect(await editing.designOf(id, 2)).toEqual(expected);
  });

  test('stores the result of a merge patch, with verdicts and layout', async () => {
    const id = await editing.conversation();
    const before = await editing.designOf(id, 1);
    const merge = { steps: { hours: { name: 'Hours', text: 'Closed.' } }, hooks: null };
    const answer = success(await editing.call('edit_design', { conversationId: id, version: 1, merge }));
    expect(answer).toMatchObject({ version: 2, tag: 'v2' });
    const { hooks: _, ...after } = before;
    expect(await editing.designOf(id, 2)).toEqual({
      ...after,
      steps: { ...before.steps, hours: { ...before.steps['hours'], name: 'Hours', text: 'Closed.' } },
    });
  });

  test('returns the design on request over MCP, and always over REST', async () => {
    const id = await editing.conversation();
    const input = { conversationId: id, version: 1, merge: { steps: { bye: { line: 'Bye.' } } } };
    const answer = success(await editing.call('edit_design', input));
    expect(Object.hasOwn(answer as object, 'design')).toBe(doorName === 'REST');
    if (doorName !== 'REST')
      expect(
        success(await editing.call('edit_design', { ...input, version: 2, details: true })),
      ).toMatchObject({ version: 3, changes: [], design: { steps: { bye: { line: 'Bye.' } } } });
  });

  test.each<readonly [name: string, input: Record<string, unknown>, path: string]>([
    ['neither patch nor merge', {}, '/patch'],
    ['patch and merge together', { patch: [], merge: {} }, '/merge'],
    ['a patch that is not a list', { patch: {} }, '/patch'],
    ['an unknown operation', { patch: [{ op: 'increment', path: '/a' }] }, '/patch/0/op'],
    ['an operation without a value', { patch: [{ op: 'add', path: '/name' }] }, '/patch/0/value'],
    ['a copy without its source', { patch: [{ op: 'copy', path: '/name' }] }, '/patch/0/from'],
    ['a path that is not a pointer', { patch: [{ op: 'remove', path: 'steps' }] }, '/patch/0/path'],
    ['an invalid escape', { patch: [{ op: 'remove', path: '/a~2' }] }, '/patch/0/path'],
    ['a prototype', { patch: [{ op: 'add', path: '/steps/__proto__/x', value: 1 }] }, '/patch/0/path'],
    [
      'a thousand and one operations',
      { patch: Array.from({ length: 1001 }, () => ({ op: 'test', path: '', value: 1 })) },
      '/patch',
    ],
    ['a merge patch that is not an object', { merge: [] }, '/merge'],
    ['an unknown onConflict', { merge: {}, onConflict: 'overwrite' }, '/onConflict'],
  ])('refuses %s', async (_, input, path) => {
    expect(issuesOf(await edit(input)).map((issue) => issue.path)).toEqual([path]);
  });

  test.each<
    readonly [name: string, input: Record<string, unknown>, issue: { path: string; message: string }]
  >([
    [
      'an operation that fails',
      {
        patch: [
          { op: 'remove', path: '/steps/hours/text' },
          { op: 'test', path: '/steps/bye/line', value: 'Hello.' },
        ],
      },
      { path: '/patch/1', message: 'The value at "/steps/bye/line" is not the value of this test.' },
    ],
    [
      'a path that does not exist',
      { patch: [{ op: 'replace', path: '/steps/nobody', value: {} }] },
      { path: '/patch/0', message: '"/steps/nobody" does not exist.' },
    ],
    [
      'an inherited member',
      { patch: [{ op: 'add', path: '/steps/toString/x', value: 1 }] },
      { path: '/patch/0', message: '"/steps/toString" does not exist.' },
    ],
    [
      'an operation that makes the design invalid',
      {
        patch: [
          { op: 'remove', path: '/steps/hours/text' },
          { op: 'test', path: '/schemaVersion', value: 'cd/1' },
        ],
      },
      { path: '/patch/0', message: 'Makes /steps/hours/text invalid: Is required.' },
    ],
    [
      'the part of a merge patch that makes the design invalid',
      { merge: { steps: { hours: { text: 7 } } } },
      { path: '/merge/steps/hours/text', message: 'Expected string.' },
    ],
  ])('reports %s, and stores nothing', async (_, input, issue) => {
    const outcome = await edit(input);
    expect(issuesOf(outcome)).toEqual([{ in: 'body', ...issue }]);
    expect(await editing.versions(conversationId)).toEqual([1]);
  });

  test('refuses an edit that makes a design too large, even by many small copies', async () => {
    const text = 'x'.repeat(9000);
    const steps = Object.fromEntries(
      Array.from({ length: 27 }, (_, index) => [`s${index}`, { kind: 'end', line: text }]),
    );
    refusal(
      await edit({
        patch: [
          { op: 'add', path: '/steps/s', value: { kind: 'end', line: text } },
          ...Object.keys(steps).map((stepId) => ({ op: 'copy', from: '/steps/s', path: `/steps/${stepId}` })),
          ...Object.keys(steps).map((stepId) => ({
            op: 'add',
            path: `/steps/${stepId}/name`,
            value: 'y'.repeat(700),
          })),
        ],
      }),
      'payload_too_large',
    );
    const doubled = Array.from({ length: 40 }, () => ({ op: 'copy', from: '', path: '/steps/twice' }));
    expect(issuesOf(await edit({ patch: doubled }))[0]?.message).toBe(
      'The copies of a patch may add at most 262144 characters of JSON together.',
    );
    expect(await editing.versions(conversationId)).toEqual([1]);
  });

  test('refuses the edit that takes a large design over the limit', async () => {
    const conversationId = await editing.conversation();
    const end = { kind: 'end', line: '€'.repeat(9000) };
    const steps = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`s${index}`, end]));
    success(await edit({ conversationId, merge: { steps } }));
    const patch = [{ op: 'add', path: '/steps/last', value: end }];
    for (const more of [{ patch }, { merge: { steps: { last: end } } }])
      refusal(await edit({ conversationId, version: 2, ...more }), 'payload_too_large');
    expect(await editing.versions(conversationId)).toEqual([2, 1]);
  });

  test('refuses an edit that nests a design too deep', async () => {
    for (const times of [2, 330])
      expect(issuesOf(await edit({ patch: deepening(times) }))).toEqual([
        { in: 'body', path: '/patch', message: 'Is nested deeper than 64 levels.' },
      ]);
  });

  test('runs every check on the result', async () => {
    const wrong = refusal(await edit({ merge: { steps: { hours: null } } }), 'invalid_transition');
    expect(wrong.details).toMatchObject({
      issues: [
        { stepId: 'menu', path: '/steps/menu/options/0/target' },
        { stepId: 'menu', path: '/steps/menu/on/fallback' },
      ],
    });
    refusal(
      await edit({ merge: { steps: { hello: { introLine: 'Hi, Anna here.' } } } }),
      'ai_disclosure_required',
    );
    const layout = [{ op: 'add', path: '/layout/nobody', value: { x: 1, y: 1 } }];
    refusal(await edit({ patch: layout }), 'invalid_layout_ref');
    expect(await editing.versions(conversationId)).toEqual([1]);
  });

  test.each(['unusual-ids', 'limit'])(
    'edits every step of the real design %s by both kinds of patch',
    async (name) => {
      const id = await editing.conversation();
      // Stored directly, as by an import: the edit does not touch the lines, so their disclosure does not matter.
      await storeDesign(world, editing.tenant, id, await realDesign(world, editing.tenant, name));
      const before = await editing.designOf(id, 1);
      const stepIds = Object.keys(before.steps).filter((stepId) => before.steps[stepId]?.kind === 'message');
      const merge = { steps: Object.fromEntries(stepIds.map((stepId) => [stepId, { text: 'A.' }])) };
      success(await editing.call('edit_design', { conversationId: id, version: 1, merge }));
      const patch = stepIds.map((stepId) => ({
        op: 'replace',
        path: jsonPointer(['steps', stepId, 'text']),
        value: 'B.',
      }));
      success(await editing.call('edit_design', { conversationId: id, version: 2, patch }));
      const texts = async (n: number) => {
        const { steps } = await editing.designOf(id, n);
        return stepIds.map((stepId) => (steps[stepId] as { text: string }).text);
      };
      expect(stepIds.length).toBeGreaterThan(1);
      expect([...new Set(await texts(2)), ...new Set(await texts(3))]).toEqual(['A.', 'B.']);
      expect(Object.keys((await editing.designOf(id, 3)).steps)).toEqual(Object.keys(before.steps));
    },
  );

  test('returns an error for a version that is unknown or not exposed', async () => {
    refusal(await edit({ version: 2, merge: {} }), 'not_found');
    const { projectId } = editing.tenant;
    const simple = (await world.rest('POST', `/v1/projects/${projectId}/conversations`, {
      key: editing.tenant.key,
      body: { name: 'Simple', kind: 'simple' },
    })) as { body: { id: string } };
    refusal(await edit({ conversationId: simple.body.id, merge: {} }), 'not_yet_supported');
    const imported = await editing.conversation();
    await storeDesign(world, editing.tenant, imported, {
      ...clinic,
      steps: { ...clinic.steps, hello: { kind: 'dialpad' } },
    });
    refusal(await edit({ conversationId: imported, merge: {} }), 'unsupported_step');
  });
});
