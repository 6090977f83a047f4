import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Design } from '../../src/design/schema/design.ts';
import { disclosing, undisclosing } from '../designs/disclosed.ts';
import { created, type DesignProject, openDesignProject, refused } from '../helpers/design-project.ts';
import { openWorld, type World } from '../helpers/world.ts';

let world: World;
let project: DesignProject;
beforeAll(async () => {
  world = await openWorld();
  project = await openDesignProject(world);
});
afterAll(() => world.close());

type Layout = NonNullable<Design['layout']>;

/** A greeting and a recording consent with the given lines. */
const lines = (hello: string, consent: string, more: object = {}) => ({
  schemaVersion: 'cd/1',
  entry: { stepId: 'hello' },
  steps: {
    hello: { kind: 'greeting', introLine: hello, on: { next: 'consent' } },
    consent: { kind: 'recordingConsent', line: consent, on: { next: 'bye' } },
    bye: { kind: 'end', line: undisclosing },
  },
  ...more,
});

const written = async (id: string, design: unknown) => created(await project.write(id, design)).design;

describe('a layout', () => {
  const design = lines(disclosing, disclosing);
  const layout: Layout = { hello: { x: -1, y: 2.5 }, bye: { x: 0, y: 1e6 } };

  test('is copied from the version before if it is left out, for the steps that remain', async () => {
    const id = await project.newConversation({ design: { ...design, layout } });
    expect((await written(id, design)).layout).toStrictEqual(layout);
    const { bye: _, ...steps } = design.steps;
    const shorter = {
      ...design,
      steps: { ...steps, consent: { ...steps.consent, on: { next: 'hello' } }, new: { kind: 'end' } },
      entry: { stepId: 'hello', alternates: ['new'] },
    };
    expect((await written(id, shorter)).layout).toStrictEqual({ hello: layout['hello'] });
    // Entries that the version before had lost do not return.
    expect((await written(id, design)).layout).toStrictEqual({ hello: layout['hello'] });
    expect((await project.read(id, 1)).body.layout).toStrictEqual(layout);
  });

  test('comes last, after the members that were sent, if it was left out', async () => {
    const id = await project.newConversation({ design: { layout, ...design } });
    expect(Object.keys(await written(id, design)).at(-1)).toBe('layout');
  });

  test('is copied from the newest version, not from the active one', async () => {
    const id = await project.newConversation({ design: { ...design, layout } });
    const moved = { hello: { x: 7, y: 7 } };
    await written(id, { ...design, layout: moved });
    expect((await written(id, design)).layout).toStrictEqual(moved);
  });

  test('is stored as it is sent, even if it is empty', async () => {
    const id = await project.newConversation({ design: { ...design, layout } });
    const moved = { consent: { x: 7, y: 7 } };
    expect((await written(id, { ...design, layout: moved })).layout).toStrictEqual(moved);
    expect((await written(id, { ...design, layout: {} })).layout).toStrictEqual({});
    expect(await written(id, design)).not.toHaveProperty('layout');
  });

  test('is absent if none of its steps remains, and in version 1', async () => {
    const id = await project.newConversation({ design: { ...design, layout: { bye: { x: 1, y: 1 } } } });
    const end = {
      schemaVersion: 'cd/1',
      entry: { stepId: 'constructor' },
      steps: { constructor: { kind: 'end' } },
    };
    expect(await written(id, end)).not.toHaveProperty('layout');
    await written(id, { ...end, layout: { constructor: { x: 1, y: 1 } } });
    expect(await written(id, design)).not.toHaveProperty('layout');
    const first = await project.newConversation({ design });
    expect((await project.read(first, 1)).body).not.toHaveProperty('layout');
  });
});

describe('the verdict on a line', () => {
  const approved = (checkedText: string) => ({ status: 'approved', checkedText, reason: expect.any(String) });
  const other = `${disclosing} How can I help you?`;
  const verdicts = async (id: string, design: unknown) => (await written(id, design)).compliance.aiDisclosure;

  test('is computed for each greeting and consent, and for no other step', async () => {
    const id = await project.newConversation({ design: lines(disclosing, other) });
    const { body } = await project.read(id, 1);
    expect(body.compliance).toStrictEqual({
      aiDisclosure: { hello: approved(disclosing), consent: approved(other) },
    });
  });

  test('is never taken from the client', async () => {
    const forged = { status: 'rejected', checkedText: 'Forged.', reason: 'forged' };
    const bare = { schemaVersion: 'cd/1', entry: { stepId: 'bye' }, steps: { bye: { kind: 'end' } } };
    for (const compliance of [
      { aiDisclosure: { hello: forged, consent: forged, bye: forged, nobody: forged } },
      { aiDisclosure: {} },
      {},
    ]) {
      const id = await project.newConversation({ design: lines(disclosing, disclosing, { compliance }) });
      const expected = { hello: approved(disclosing), consent: approved(disclosing) };
      expect((await project.read(id, 1)).body.compliance.aiDisclosure).toStrictEqual(expected);
      expect(await verdicts(id, lines(other, disclosing, { compliance }))).toStrictEqual({
        hello: approved(other),
        consent: approved(disclosing),
      });
      expect(await written(id, { ...bare, compliance })).not.toHaveProperty('compliance');
      const forgedLine = lines(undisclosing, disclosing, {
        compliance: { aiDisclosure: { hello: { status: 'approved', checkedText: undisclosing } } },
      });
      refused(await project.write(id, forgedLine), 422, 'ai_disclosure_required');
    }
  });

  test('stays while the line stays, and is computed again if the line changes', async () => {
    const id = await project.newConversation({ design: lines(disclosing, disclosing) });
    const judged = { status: 'approved', checkedText: disclosing, reason: 'judged by hand' };
    const aiDisclosure = { hello: judged, consent: judged };
    await project.store(id, 1, lines(disclosing, disclosing, { compliance: { aiDisclosure } }));
    expect(await verdicts(id, lines(disclosing, disclosing))).toStrictEqual(aiDisclosure);
    expect(await verdicts(id, lines(other, disclosing))).toStrictEqual({
      hello: approved(other),
      consent: judged,
    });
    expect((await verdicts(id, lines(disclosing, disclosing))).hello.reason).not.toBe(judged.reason);
  });

  test('is not required again for an unchanged line, whatever it says', async () => {
    const id = await project.newConversation({ design: lines(disclosing, disclosing) });
    const rejected = { status: 'rejected', checkedText: undisclosing, reason: 'was stored so' };
    const aiDisclosure = { hello: rejected };
    await project.store(id, 1, lines(undisclosing, undisclosing, { compliance: { aiDisclosure } }));
    expect(await verdicts(id, lines(undisclosing, undisclosing))).toStrictEqual({
      hello: rejected,
      // The line had no verdict and gets one.
      consent: { ...approved(undisclosing), status: 'rejected' },
    });
    for (const changed of [lines(undisclosing, `${undisclosing} `), lines('Hi.', undisclosing)])
      refused(await project.write(id, changed), 422, 'ai_disclosure_required');
    const moved = lines(undisclosing, undisclosing);
    const { hello, ...steps } = moved.steps;
    const renamed = { ...moved, entry: { stepId: 'hello2' }, steps: { ...steps, hello2: hello } };
    refused(await project.write(id, renamed), 422, 'ai_disclosure_required');
  });

  test('is copied from the newest version, even without version and if another version is active', async () => {
    const id = await project.newConversation({ design: lines(disclosing, disclosing) });
    await written(id, lines(other, disclosing));
    await project.store(id, 1, lines(undisclosing, disclosing));
    refused(await project.write(id, lines(undisclosing, disclosing)), 422, 'ai_disclosure_required');
  });

  test('is returned by validation as a write would store it', async () => {
    const id = await project.newConversation({ design: lines(disclosing, disclosing) });
    const design = lines(other, disclosing, { compliance: { aiDisclosure: {} } });
    const { body } = await project.validate(id, design);
    expect(JSON.stringify(body.design)).toBe(JSON.stringify(await written(id, design)));
  });
});
