import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Design } from '../../src/design/schema/design.ts';
import { refusal, success } from '../contract/doors.ts';
import { rawDesign } from '../designs/real-designs.ts';
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

interface Diff {
  version: number;
  against: number;
  activeVersion: number;
  summary: string[];
  texts: string[];
  patch?: unknown[];
}

describe.each(editingDoors)('diff_designs over %s', (doorName) => {
  let editing: Editing;
  const diff = async (conversationId: string, n: number, against?: number) =>
    success(
      await editing.call('diff_designs', {
        conversationId,
        version: n,
        ...(against && { against }),
        ...(doorName !== 'REST' && { details: true }),
      }),
    ) as Diff;

  beforeAll(async () => {
    editing = await openEditing(world, doorName);
  });

  test('counts a hook that leads to a new step among what points to it', async () => {
    const id = await editing.conversation();
    await editing.edited(id, 1, {
      steps: { holiday: { kind: 'end' } },
      hooks: {
        before: {
          rootNodeId: 'lookup',
          nodes: {
            mark: { next: { step: 'holiday' } },
            lookup: { id: 'lookup', next: { hookNode: 'mark' } },
          },
        },
      },
    });
    expect((await diff(id, 2)).summary).toContain('step `holiday` (end) added; 1 exit points to it');
  });

  test('summarises the changes in readable lines', async () => {
    const id = await editing.conversation();
    const first = {
      id: 'hours',
      title: 'Opening hours',
      description: 'Asks when we are open.',
      target: 'night',
    };
    await editing.edited(id, 1, {
      entry: { alternates: ['hours'] },
      steps: {
        hello: { on: { next: 'hours' }, name: 'Welcome' },
        menu: { options: [first, { id: 'billing', $remove: true }, { id: 'toys', target: 'hours' }] },
        hours: { text: 'Closed.', mode: 'exact' },
        billing: null,
        bye: { kind: 'message', line: null, text: 'Bye.', on: { next: 'night' } },
        night: { kind: 'end' },
        lost: { kind: 'end' },
      },
      hooks: {
        before: {
          rootNodeId: 'lookup',
          nodes: {
            mark: { next: { step: null, end: true } },
            lookup: { id: 'lookup', next: { hookNode: 'mark' } },
          },
        },
      },
      variables: [{ id: 'day', type: 'text' }],
      layout: null,
    });
    const { summary, texts, version, against } = await diff(id, 2);
    expect(texts).toContain('/steps/hours/text: "We are open from 8 to 6." → "Closed."');
    expect(texts).toContain('/steps/menu/options/hours/title: "Hours" → "Opening hours"');
    expect(texts).toContain('/steps/menu/options/billing/description: removed "Asks about a bill."');
    expect(texts.filter((line) => /\/(?:on|compliance|layout|kind)\b/.test(line))).toEqual([]);
    expect({ version, against }).toEqual({ version: 2, against: 1 });
    expect(summary).toEqual([
      'entry: alternates added',
      'step `billing` removed; 1 exit pointed to it',
      'step `night` (end) added; 2 exits point to it',
      'step `lost` (end) added; no exits point to it',
      'step `hello`: name added',
      'exit next of `hello` now leads to `hours` instead of `menu`',
      'step `menu`: options.hours.title changed, options.billing removed, options.toys added',
      'exit billing of `menu` removed',
      'exit hours of `menu` now leads to `night` instead of `hours`',
      'exit toys of `menu` now leads to `hours`',
      'step `hours`: text changed, mode added',
      'step `bye`: end became message',
      'step `bye`: line removed, text added',
      'exit next of `bye` now leads to `night`',
      'hook node `lookup` added to hooks.before',
      'exit next of hook node `mark` now leads to the end instead of step `hello`',
      'hooks.before: rootNodeId changed',
      'variable `day` added',
    ]);
  });

  test('distinguishes exits of the same name, and counts only the exits of other steps', async () => {
    const id = await editing.conversation();
    const { options } = clinic.steps['menu'] as { options: object[] };
    const fallback = { id: 'fallback', title: 'Other', description: 'Anything else.', target: 'bye' };
    await editing.edited(id, 1, {
      steps: {
        menu: { options: [...options, fallback] },
        loop: { kind: 'collect', prompt: 'Name?', collect: [], on: { next: 'bye', failed: 'loop' } },
      },
    });
    await editing.edited(id, 2, {
      steps: { menu: { options: [...options, { ...fallback, target: 'hours' }] }, loop: null },
    });
    expect((await diff(id, 3, 2)).summary).toEqual([
      'step `loop` removed',
      'exit fallback of `menu` now leads to `hours` instead of `bye`',
    ]);
  });

  test('returns a patch that edit_design accepts', async () => {
    const id = await editing.conversation();
    await editing.edited(id, 1, {
      steps: {
        menu: { options: [{ id: 'x', target: 'bye' }, ...removed('hours', 'billing')] },
        billing: null,
        hours: { text: 'Closed.' },
      },
    });
    await editing.edited(id, 2, { hooks: null, steps: { hours: { name: 'Hours' } } });
    const { patch } = await diff(id, 3, 1);
    const again = await editing.conversation();
    success(await editing.call('edit_design', { conversationId: again, version: 1, patch }));
    expect(await editing.designOf(again, 2)).toEqual(await editing.designOf(id, 3));

    const back = await diff(id, 1, 3);
    expect(back).toMatchObject({ version: 1, against: 3 });
    success(await editing.call('edit_design', { conversationId: id, version: 3, patch: back.patch }));
    expect(await editing.designOf(id, 4)).toEqual(await editing.designOf(id, 1));
  });

  test('finds no difference between a version and itself', async () => {
    const id = await editing.conversation();
    expect(await diff(id, 1, 1)).toEqual({
      version: 1,
      against: 1,
      activeVersion: 1,
      summary: [],
      texts: [],
      patch: [],
    });
  });

  test('compares with the active version if that is older, else with the version before', async () => {
    const id = await editing.conversation();
    for (const n of [1, 2, 3])
      await editing.edited(id, n, { steps: { hours: { text: `We are open from 8 to ${n + 6}.` } } });
    const compared = async (n: number) => {
      const { version, against, activeVersion } = await diff(id, n);
      return { version, against, activeVersion };
    };
    expect(await compared(4)).toEqual({ version: 4, against: 1, activeVersion: 1 });
    expect((await diff(id, 4)).texts).toEqual([
      '/steps/hours/text: "We are open from 8 to 6." → "We are open from 8 to 9."',
    ]);
    success(await editing.call('activate_conversation_version', { conversationId: id, version: 3 }));
    expect(await compared(4)).toEqual({ version: 4, against: 3, activeVersion: 3 });
    expect(await compared(3)).toEqual({ version: 3, against: 2, activeVersion: 3 });
    expect(await compared(2)).toEqual({ version: 2, against: 1, activeVersion: 3 });
    expect((await diff(id, 4, 2)).against).toBe(2);
  });

  test('requires against for version 1', async () => {
    const id = await editing.conversation();
    const [issue] = issuesOf(await editing.call('diff_designs', { conversationId: id, version: 1 }));
    expect(issue).toEqual({
      in: 'querystring',
      path: '/against',
      message: 'Is required for version 1, because no version comes before it.',
    });
  });

  test('returns an error for a version that is unknown or not exposed', async () => {
    const id = await editing.conversation();
    const call = (n: number, against: number) =>
      editing.call('diff_designs', { conversationId: id, version: n, against });
    refusal(await call(2, 1), 'not_found');
    refusal(await call(1, 2), 'not_found');
    await storeDesign(world, editing.tenant, id, { steps: { a: { kind: 'dialpad' } } });
    refusal(await call(1, 1), 'unsupported_step');
  });

  test('returns only the summary if the patch is too long for an MCP host', async () => {
    const id = await editing.conversation(rawDesign('minimal'));
    const steps: Design['steps'] = Object.fromEntries(
      Array.from({ length: 150 }, (_, index) => [`step ${index}`, { kind: 'end', line: 'x'.repeat(400) }]),
    );
    await editing.edited(id, 1, { steps });
    const answer = await diff(id, 2);
    expect(answer.summary).toHaveLength(150);
    expect(JSON.stringify(answer.texts).length).toBeLessThan(10_000);
    expect('patch' in answer).toBe(doorName === 'REST');
  });
});

/** Removes items of a list in a merge patch. */
function removed(...ids: string[]) {
  return ids.map((id) => ({ id, $remove: true }));
}
