import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Outcome, refusal, success } from '../contract/doors.ts';
import { openWorld, type World } from '../helpers/world.ts';
import { clinic, type Editing, editingDoors, openEditing } from './edited-conversation.ts';

let world: World;

beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

interface Details {
  version: number;
  newestVersion: number;
  changes: unknown[];
  conflicts?: unknown[];
}

function detailsOf(outcome: Outcome): Details {
  return refusal(outcome, 'version_conflict').details as unknown as Details;
}

describe.each(editingDoors)('an edit of an older version over %s', (doorName) => {
  let editing: Editing;
  let conversationId: string;
  const edit = (input: Record<string, unknown>) =>
    editing.call('edit_design', {
      conversationId,
      version: 1,
      ...(doorName !== 'REST' && { details: true }),
      ...input,
    });

  beforeAll(async () => {
    editing = await openEditing(world, doorName);
  });

  /** A conversation whose version 2 is somebody else's edit. */
  async function afterTheirs(theirs: unknown): Promise<void> {
    conversationId = await editing.conversation();
    await editing.edited(conversationId, 1, theirs);
  }

  test('is refused with the changes since', async () => {
    await afterTheirs({ steps: { hours: { text: 'Closed.' }, extra: { kind: 'end' } } });
    const outcome = await edit({ merge: { steps: { bye: { line: 'Bye.' } } } });
    expect(detailsOf(outcome)).toEqual({
      version: 1,
      newestVersion: 2,
      changes: [
        { path: '/steps/hours', change: 'changed' },
        { path: '/steps/extra', change: 'added' },
      ],
    });
    if (doorName !== 'REST') expect(outcome.hint).toContain('Call again with version 2');
    expect(await editing.versions(conversationId)).toEqual([2, 1]);
  });

  test('is refused for its other errors first', async () => {
    await afterTheirs({ steps: { hours: { text: 'Closed.' } } });
    refusal(await edit({ merge: { steps: { bye: null } } }), 'invalid_transition');
  });

  test('is merged field by field with onConflict merge', async () => {
    await afterTheirs({
      steps: {
        hours: { text: 'Closed.' },
        menu: { options: [...optionsWith({ title: 'Bills' }), option('parking')] },
      },
      variables: [{ id: 'name', type: 'text' }],
      layout: { hello: { x: 9, y: 9 } },
    });
    const merge = {
      steps: {
        hours: { name: 'Opening hours' },
        menu: { options: [...optionsWith({ description: 'Pays.' }), option('toys')] },
      },
      variables: [{ id: 'day', type: 'text' }],
      layout: { bye: null },
    };
    const answer = success(await edit({ merge, onConflict: 'merge' })) as {
      version: number;
      changes: unknown;
    };
    expect(answer.version).toBe(3);
    const { steps, variables, layout } = await editing.designOf(conversationId, 3);
    expect(steps['hours']).toEqual({ ...clinic.steps['hours'], text: 'Closed.', name: 'Opening hours' });
    expect(steps['menu']).toMatchObject({
      options: [
        optionsWith({})[0],
        { id: 'billing', title: 'Bills', description: 'Pays.' },
        option('parking'),
        option('toys'),
      ],
    });
    expect(variables).toEqual([
      { id: 'name', type: 'text' },
      { id: 'day', type: 'text' },
    ]);
    expect(layout).toEqual({ hello: { x: 9, y: 9 } });
    // The response lists the changes against the newest version.
    expect(answer.changes).toContainEqual({ path: '/steps/hours', change: 'changed' });
  });

  test('is refused if both sides changed a field, with all three values', async () => {
    await afterTheirs({
      steps: {
        hours: { text: 'Closed.' },
        bye: { line: 'So long.' },
        menu: { options: optionsWith({ title: 'Bills' }) },
        billing: { destination: { value: '+15550111' } },
      },
    });
    const merge = {
      steps: {
        hours: { text: 'Open all night.' },
        bye: { line: 'So long.' },
        menu: { options: optionsWith({ title: 'Money' }) },
        billing: { destination: { kind: 'sip', value: 'sip:bills@example.com' } },
      },
    };
    const { conflicts, ...rest } = detailsOf(await edit({ merge, onConflict: 'merge' }));
    expect(rest).toMatchObject({ version: 1, newestVersion: 2 });
    expect(rest.changes).toHaveLength(4);
    expect(conflicts).toEqual([
      {
        path: '/steps/menu/options/1/title',
        base: 'Billing',
        theirs: 'Bills',
        yours: 'Money',
      },
      {
        path: '/steps/hours/text',
        base: 'We are open from 8 to 6.',
        theirs: 'Closed.',
        yours: 'Open all night.',
      },
      {
        path: '/steps/billing/destination',
        base: { kind: 'phoneNumber', value: '+15550100' },
        theirs: { kind: 'phoneNumber', value: '+15550111' },
        yours: { kind: 'sip', value: 'sip:bills@example.com' },
      },
    ]);
    expect(await editing.versions(conversationId)).toEqual([2, 1]);
  });

  test.each<readonly [name: string, theirs: unknown, yours: unknown, conflict: unknown]>([
    [
      'one side removed a step that the other changed',
      { steps: { billing: null, menu: { options: [without('billing')] } } },
      { steps: { billing: { line: 'One moment.' } } },
      {
        path: '/steps/billing',
        base: clinic.steps['billing'],
        theirs: null,
        yours: { ...clinic.steps['billing'], line: 'One moment.' },
      },
    ],
    [
      'both sides added a step with the same id',
      { steps: { night: { kind: 'end', line: 'Call tomorrow.' } } },
      { steps: { night: { kind: 'end', line: 'We are asleep.' } } },
      {
        path: '/steps/night',
        base: null,
        theirs: { kind: 'end', line: 'Call tomorrow.' },
        yours: { kind: 'end', line: 'We are asleep.' },
      },
    ],
    [
      'one side changed the kind of a step that the other changed',
      { steps: { hours: { kind: 'answer', text: null, instruction: 'Tell the hours.' } } },
      { steps: { hours: { mode: 'generated' } } },
      {
        path: '/steps/hours',
        base: clinic.steps['hours'],
        theirs: { kind: 'answer', instruction: 'Tell the hours.', on: { next: 'bye' } },
        yours: { ...clinic.steps['hours'], mode: 'generated' },
      },
    ],
    [
      'both sides changed a target of a hook',
      { hooks: { before: { nodes: { mark: { next: { step: null, end: true } } } } } },
      {
        hooks: {
          before: {
            nodes: {
              mark: { next: { step: null, hookNode: 'more' } },
              more: { id: 'more', next: { end: true } },
            },
          },
        },
      },
      {
        path: '/hooks/before/nodes/mark/next',
        base: { step: 'hello' },
        theirs: { end: true },
        yours: { hookNode: 'more' },
      },
    ],
    [
      'each side removed one of two options, of which one must remain',
      { steps: { menu: { options: [without('billing')] }, extra: { kind: 'end' } } },
      { steps: { menu: { options: [without('hours')] } } },
      {
        path: '/steps/menu/options',
        base: optionsWith({}),
        theirs: [optionsWith({})[0]],
        yours: [optionsWith({})[1]],
      },
    ],
  ])('is refused if %s', async (_, theirs, yours, conflict) => {
    await afterTheirs(theirs);
    expect(detailsOf(await edit({ merge: yours, onConflict: 'merge' })).conflicts).toEqual([conflict]);
    expect(await editing.versions(conversationId)).toEqual([2, 1]);
  });

  test.each(['theirs', 'yours'])(
    'keeps the order of a list that %s moved and both added to',
    async (mover) => {
      const [hours, billing] = optionsWith({});
      const [, bills] = optionsWith({ title: 'Bills' });
      const moved = { steps: { menu: { options: [billing, hours, option('a')] } } };
      const changed = { steps: { menu: { options: [option('b'), hours, bills] } } };
      await afterTheirs(mover === 'theirs' ? moved : changed);
      success(await edit({ merge: mover === 'theirs' ? changed : moved, onConflict: 'merge' }));
      const { steps } = await editing.designOf(conversationId, 3);
      expect(steps['menu']).toMatchObject({ options: [option('b'), bills, hours, option('a')] });
    },
  );

  test('is refused if the merged design is invalid although both edits are valid', async () => {
    await afterTheirs({ steps: { billing: null, menu: { options: [without('billing')] } } });
    const error = refusal(
      await edit({ merge: { steps: { hours: { on: { next: 'billing' } } } }, onConflict: 'merge' }),
      'invalid_transition',
    );
    expect(error.details).toMatchObject({ issues: [{ path: '/steps/hours/on/next' }] });
  });

  test('ignores newer versions with onConflict branch', async () => {
    await afterTheirs({ steps: { hours: { text: 'Closed.' } } });
    const answer = success(await edit({ merge: { steps: { bye: { line: 'Bye.' } } }, onConflict: 'branch' }));
    expect(answer).toMatchObject({ version: 3, changes: [{ path: '/steps/bye', change: 'changed' }] });
    const { steps } = await editing.designOf(conversationId, 3);
    expect([steps['hours'], steps['bye']]).toMatchObject([
      { text: 'We are open from 8 to 6.' },
      { line: 'Bye.' },
    ]);
  });

  test('is an ordinary edit if the version is the newest', async () => {
    await afterTheirs({ steps: { hours: { text: 'Closed.' } } });
    for (const [index, onConflict] of ['refuse', 'merge', 'branch'].entries())
      expect(
        success(
          await edit({ version: 2 + index, merge: { steps: { bye: { line: onConflict } } }, onConflict }),
        ),
      ).toMatchObject({ version: 3 + index });
  });
});

function option(id: string) {
  return { id, title: id, description: id, target: 'hours' };
}

/** Removes an option in a merge patch. */
function without(id: string) {
  return { id, $remove: true };
}

/** The two options, the second one with other members. */
function optionsWith(more: object) {
  const { options } = clinic.steps['menu'] as { options: object[] };
  return [options[0] as object, { ...options[1], ...more }];
}
