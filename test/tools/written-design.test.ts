import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Design } from '../../src/design/schema/design.ts';
import { success } from '../contract/doors.ts';
import { disclosedDesign } from '../designs/disclosed.ts';
import { openWorld, type World } from '../helpers/world.ts';
import {
  clinic,
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

interface Warning {
  path: string;
  message: string;
  hint: string;
}

interface Written {
  version: number;
  summary: string[];
  warnings: Warning[];
}

describe.each(editingDoors)('a write over %s', (doorName) => {
  let editing: Editing;
  const call = async (name: string, input: Record<string, unknown>) =>
    success(await editing.call(name, input)) as Written;
  const edit = (conversationId: string, n: number, merge: unknown) =>
    call('edit_design', { conversationId, version: n, merge });
  const optionsOf = async (id: string, n: number) =>
    ((await editing.designOf(id, n)).steps['menu'] as { options: unknown[] }).options;

  beforeAll(async () => {
    editing = await openEditing(world, doorName);
  });

  test('returns the summary of diff_designs and the warnings of validate_design', async () => {
    const conversationId = await editing.conversation();
    const design: Design = structuredClone(clinic);
    Object.assign(design.steps, {
      menu: { kind: 'route', options: [{ id: 'hours', title: 'Hours', description: 'Asks.' }] },
      hello: { kind: 'greeting', on: { next: 'menu' } },
    });
    const { problems } = success(await editing.call('validate_design', { conversationId, design })) as {
      problems: Warning[];
    };
    const { summary, warnings } = await call('write_design', { conversationId, design, version: 1 });
    const diff = success(await editing.call('diff_designs', { conversationId, version: 2 })) as Written;
    expect(summary).toEqual(diff.summary);
    expect(summary).toContain(
      'step `menu`: prompt removed, options.hours.description changed, options.billing removed',
    );
    expect(warnings).toEqual(problems.map(({ path, message, hint }) => ({ path, message, hint })));
    expect(warnings.map(({ path, message }) => `${path} ${message}`)).toEqual([
      '/steps/menu The exit "hours" to "hours" is gone.',
      '/steps/menu The exit "billing" to "billing" is gone.',
      '/steps/menu The exit "fallback" to "hours" is gone.',
      '/steps/hours No call can reach this step any more.',
      '/steps/billing No call can reach this step any more.',
      '/steps/bye No call can reach this step any more.',
      '/steps/menu/options/0 This option has no target and the route has no fallback, so choosing it ends the call.',
      '/steps/hello This greeting has no introLine, so it may not say that an AI speaks.',
    ]);
  });

  test('has hints that restore a lost exit as they stand', async () => {
    const conversationId = await editing.conversation();
    const { warnings } = await edit(conversationId, 1, {
      steps: {
        menu: { on: null, options: [{ id: 'billing', $remove: true }] },
        billing: { on: { failed: null } },
      },
    });
    const merges = warnings.flatMap(({ message, hint }) =>
      message.endsWith('is gone.') ? [JSON.parse(hint.slice(hint.indexOf('{'), -1)) as object] : [],
    );
    expect(merges).toHaveLength(3);
    for (const [index, merge] of merges.entries()) await edit(conversationId, 2 + index, merge);
    expect((await editing.designOf(conversationId, 5)).steps).toEqual(clinic.steps);
  });

  test('warns about a lost exit once, in the write that loses it', async () => {
    const conversationId = await editing.conversation();
    const lost = await edit(conversationId, 1, { steps: { menu: { on: null } } });
    expect(lost.warnings).toMatchObject([{ message: 'The exit "fallback" to "hours" is gone.' }]);
    const next = await edit(conversationId, 2, { steps: { bye: { line: 'Bye.' } } });
    expect(next).toMatchObject({ summary: ['step `bye`: line changed'], warnings: [] });
    expect(await edit(conversationId, 3, {})).toMatchObject({ summary: ['nothing changed'], warnings: [] });
  });

  test('warns about what the change concerns, and counts the warnings that the version before had', async () => {
    const conversationId = await editing.conversation();
    const far = { kind: 'message', text: 'Far.', on: { next: 'bye' } };
    const made = await edit(conversationId, 1, { steps: { far, near: far } });
    expect(made.warnings.map(({ path }) => path)).toEqual(['/steps/far', '/steps/near']);
    expect(made).not.toHaveProperty('earlierWarnings');
    const elsewhere = await edit(conversationId, 2, { steps: { bye: { line: 'Bye.' } } });
    expect(elsewhere).toMatchObject({ warnings: [], earlierWarnings: 2 });
    // The step that is edited still has its warning.
    const there = await edit(conversationId, 3, { steps: { far: { text: 'Farther.' } } });
    expect(there).toMatchObject({ warnings: [{ path: '/steps/far' }], earlierWarnings: 1 });
    // An edit elsewhere that makes a new warning at an old step.
    const lost = await edit(conversationId, 4, { steps: { menu: { on: null } } });
    expect(lost.warnings).toMatchObject([{ message: 'The exit "fallback" to "hours" is gone.' }]);
    const both = await edit(conversationId, 5, {
      steps: { menu: { options: [{ id: 'billing', $remove: true }] } },
    });
    expect(both.warnings.map(({ path }) => path)).toContain('/steps/billing');
    expect(both).toMatchObject({ earlierWarnings: 2 });
  });

  test('returns the warnings about a new conversation', async () => {
    const { projectId } = editing.tenant;
    const { steps } = clinic;
    const { hooks: _, layout: __, ...design } = { ...clinic, steps: { ...steps, far: { kind: 'end' } } };
    const made = await call('create_conversation', { projectId, name: 'Far', design });
    expect(made.warnings).toMatchObject([{ path: '/steps/far', message: 'No call can reach this step.' }]);
    expect(await call('create_conversation', { projectId, name: 'Near' })).not.toHaveProperty('warnings');
  });

  test('summarises what replaced an imported step of another kind', async () => {
    const conversationId = await editing.conversation();
    const dialpad = { kind: 'dialpad', on: { keys: { 1: 'bye' } } };
    await storeDesign(world, editing.tenant, conversationId, {
      ...clinic,
      steps: { ...clinic.steps, hours: dialpad },
    });
    const { summary } = await call('write_design', { conversationId, design: clinic, version: 1 });
    expect(summary).toContain('/steps/hours changed');
  });

  test('returns at most 20,000 characters of them, and says how many lines are missing', async () => {
    const conversationId = await editing.conversation();
    const design = await disclosedDesign(world, editing.tenant, 'large-insurance');
    const { summary, warnings } = await call('write_design', { conversationId, design, version: 1 });
    expect(JSON.stringify({ summary, warnings }).length).toBeLessThan(21_000);
    expect(summary.at(-1)).toMatch(/^and \d+ more$/);
  });

  describe('with a merge patch', () => {
    test('changes the item with the same id, adds new ones at the end, and keeps the others', async () => {
      const id = await editing.conversation();
      const toys = { id: 'toys', title: 'Toys', description: 'Asks about toys.', target: 'bye' };
      const { summary, warnings } = await edit(id, 1, {
        steps: { menu: { options: [{ id: 'billing', title: 'Bills' }, toys] } },
        variables: [{ id: 'day', type: 'text' }],
      });
      const [hours, billing] = (clinic.steps['menu'] as { options: object[] }).options;
      expect(await optionsOf(id, 2)).toEqual([hours, { ...billing, title: 'Bills' }, toys]);
      expect(summary).toEqual([
        'step `menu`: options.billing.title changed, options.toys added',
        'exit toys of `menu` now leads to `bye`',
        'variable `day` added',
      ]);
      expect(warnings).toEqual([]);
      await edit(id, 2, { variables: [{ id: 'name', type: 'text' }] });
      expect((await editing.designOf(id, 3)).variables).toEqual([
        { id: 'day', type: 'text' },
        { id: 'name', type: 'text' },
      ]);
    });

    test('merges lists in hooks, and items in items', async () => {
      const payload = [
        { id: 'a', key: 'a', source: 'custom', value: '1' },
        { id: 'b', key: 'b', source: 'custom', value: '2' },
      ];
      const notify = { id: 'notify', next: { end: true }, webhook: { url: 'https://example.com', payload } };
      const id = await editing.conversation();
      await edit(id, 1, { hooks: { after: { nodes: { notify } } } });
      await edit(id, 2, {
        hooks: {
          after: {
            nodes: {
              notify: { webhook: { payload: [{ id: 'b', source: 'ai', value: null, aiPrompt: 'Sum.' }] } },
            },
          },
        },
      });
      const { hooks } = await editing.designOf(id, 3);
      expect(hooks?.after?.nodes['notify']?.webhook?.payload).toEqual([
        payload[0],
        { id: 'b', key: 'b', source: 'ai', aiPrompt: 'Sum.' },
      ]);
    });

    test('removes an item marked with $remove, and reports it', async () => {
      const id = await editing.conversation();
      const { summary } = await edit(id, 1, {
        steps: { menu: { options: [{ id: 'hours', $remove: true }] } },
      });
      expect(summary).toEqual(['step `menu`: options.hours removed', 'exit hours of `menu` removed']);
      expect(await optionsOf(id, 2)).toEqual([(clinic.steps['menu'] as { options: object[] }).options[1]]);
    });

    test('takes the order of a patch that names all items, and empties a list', async () => {
      const id = await editing.conversation();
      const { summary } = await edit(id, 1, {
        steps: { menu: { options: [{ id: 'billing' }, { id: 'hours' }] } },
        variables: [{ id: 'day', type: 'text' }],
      });
      expect(summary).toEqual(['step `menu`: order of options changed', 'variable `day` added']);
      expect((await edit(id, 2, { variables: [] })).summary).toEqual(['variable `day` removed']);
      expect((await editing.designOf(id, 3)).variables).toEqual([]);
    });

    test('reports problems at the place in the patch', async () => {
      const conversationId = await editing.conversation();
      const options = [
        { id: 'toys', target: 'bye', color: 'red' },
        { id: 'billing', title: 7 },
        { id: 'parking', $remove: true },
      ];
      const merge = { steps: { menu: { options } } };
      const outcome = await editing.call('edit_design', { conversationId, version: 1, merge });
      const at = '/merge/steps/menu/options';
      expect(issuesOf(outcome).map(({ path, message }) => [path, message])).toEqual(
        expect.arrayContaining([
          [`${at}/0/color`, 'Is not known here; known are id, title, description, target.'],
          [`${at}/1/title`, 'Expected string.'],
          [`${at}/2/$remove`, 'The list has no item with this id to remove.'],
        ]),
      );
      expect(issuesOf(outcome)).toHaveLength(3);
    });

    test('refuses a list with the same new id twice', async () => {
      const conversationId = await editing.conversation();
      const toys = { id: 'toys', target: 'bye' };
      const merge = { steps: { menu: { options: [toys, toys] } } };
      const { error } = await editing.call('edit_design', { conversationId, version: 1, merge });
      expect(error).toMatchObject({ code: 'design_invalid' });
    });

    test('leaves replacing a whole list to a JSON Patch, and reports what it removed', async () => {
      const conversationId = await editing.conversation();
      const value = [{ id: 'toys', target: 'bye' }];
      const patch = [{ op: 'replace', path: '/steps/menu/options', value }];
      const { summary } = await call('edit_design', { conversationId, version: 1, patch });
      expect(await optionsOf(conversationId, 2)).toEqual(value);
      expect(summary).toContain(
        'step `menu`: options.hours removed, options.billing removed, options.toys added',
      );
    });
  });
});
