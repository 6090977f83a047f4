import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Design } from '../../src/design/schema/design.ts';
import { templates } from '../../src/resources/catalogue/templates/index.ts';
import { germanBooking } from '../calls/german-booking.ts';
import { openDoor, refusal, success } from '../contract/doors.ts';
import { toolNamed } from '../contract/registry.ts';
import { disclosedDesign } from '../designs/disclosed.ts';
import { openWorld, type World } from '../helpers/world.ts';
import { clinic, type Editing, editingDoors, issuesOf, openEditing } from './edited-conversation.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

interface Copy {
  readonly id: string;
  readonly version: number;
  readonly missing?: { readonly count: number; readonly texts: Record<string, string> };
  readonly warnings?: readonly { readonly message: string }[];
}

describe.each(editingDoors)('copy_conversation over %s', (doorName) => {
  let editing: Editing;
  beforeAll(async () => {
    editing = await openEditing(world, doorName);
  });

  const copied = async (input: Record<string, unknown>) =>
    success(await editing.call('copy_conversation', { name: 'Copy', ...input })) as Copy;

  /** A conversation from a template with the samples of its fields as values. */
  async function fromTemplate(key: string): Promise<string> {
    const fields = templates.find((template) => template.key === key)?.fields ?? [];
    const templateFields = Object.fromEntries(
      fields.filter(({ required }) => required).map((field) => [field.key, field.sample]),
    );
    const door = await openDoor(world, 'REST', editing.tenant.key);
    const made = await door.call(toolNamed('create_conversation'), {
      projectId: editing.tenant.projectId,
      name: key,
      description: `About ${key}`,
      templateKey: key,
      templateFields,
    });
    return (success(made) as { id: string }).id;
  }

  test.each(templates.map(({ key }) => key))('makes an identical %s that proves the same', async (key) => {
    const conversationId = await fromTemplate(key);
    const copy = await copied({ conversationId, name: `Copy of ${key}` });
    expect(copy.missing).toBeUndefined();
    expect(copy.version).toBe(1);
    expect(copy).toMatchObject({ description: `About ${key}`, activeVersion: 1, kind: 'advanced' });
    expect(JSON.stringify(await editing.designOf(copy.id, 1))).toBe(
      JSON.stringify(await editing.designOf(conversationId, 1)),
    );
    const proof = async (id: string) =>
      success(await editing.call('prove_design', { conversationId: id, version: 1 }));
    expect(await proof(copy.id)).toEqual(await proof(conversationId));
  });

  test('copies the active version, or the one that is named', async () => {
    const conversationId = await editing.conversation();
    await editing.edited(conversationId, 1, { steps: { bye: { line: 'See you.' } } });
    const byeOf = async (input: Record<string, unknown>) => {
      const { id } = await copied({ conversationId, ...input });
      return (await editing.designOf(id, 1)).steps['bye'];
    };
    expect(await byeOf({})).toMatchObject({ line: 'Goodbye.' });
    expect(await byeOf({ version: 2 })).toMatchObject({ line: 'See you.' });
    refusal(
      await editing.call('copy_conversation', { conversationId, name: 'Copy', version: 9 }),
      'not_found',
    );
  });

  test('keeps samples of a template as a draft', async () => {
    const door = await openDoor(world, 'REST', editing.tenant.key);
    const made = await door.call(toolNamed('create_conversation'), {
      projectId: editing.tenant.projectId,
      name: 'Trial',
      templateKey: 'receptionist',
      templateSamples: true,
    });
    const { id: conversationId } = success(made) as { id: string };
    const copy = await copied({ conversationId, version: 2 });
    expect(copy).toMatchObject({ version: 2, activeVersion: 1 });
    expect(await editing.designOf(copy.id, 2)).toEqual(await editing.designOf(conversationId, 2));
    refusal(
      await editing.call('activate_conversation_version', { conversationId: copy.id, version: 2 }),
      'design_invalid',
    );
  });

  test('copies into German with the table of texts', async () => {
    const conversationId = await fromTemplate('appointment-booking');
    const { texts } = success(
      await editing.call('read_design', { conversationId, version: 1, texts: true }),
    ) as { texts: Record<string, string> };
    expect(Object.keys(germanBooking)).toEqual(Object.keys(texts));
    const copy = await copied({ conversationId, language: 'de', texts: germanBooking });
    expect(copy.missing).toBeUndefined();
    expect(copy.warnings ?? []).toEqual([]);
    const german = success(
      await editing.call('read_design', { conversationId: copy.id, version: 1, texts: true }),
    );
    expect(german).toEqual({ version: 1, count: Object.keys(texts).length, texts: germanBooking });
    const { compliance } = await editing.designOf(copy.id, 1);
    expect(compliance?.aiDisclosure?.['welcome']).toMatchObject({
      status: 'approved',
      checkedText: germanBooking['/steps/welcome/introLine'],
    });
    const before = await editing.designOf(conversationId, 1);
    expect(before.compliance?.aiDisclosure?.['welcome']?.checkedText).toContain('Sunny Dental');
  });

  test('lists what a half-translated copy lacks, so that one more call completes it', async () => {
    const conversationId = await fromTemplate('appointment-booking');
    const entries = Object.entries(germanBooking);
    const half = Object.fromEntries(entries.filter((_, index) => index % 2 === 0));
    const copy = await copied({ conversationId, language: 'de-AT', texts: half });
    const rest = entries.filter((_, index) => index % 2 === 1).map(([pointer]) => pointer);
    expect(copy.missing?.count).toBe(rest.length);
    expect(Object.keys(copy.missing?.texts ?? {})).toEqual(rest);
    const texts = Object.fromEntries(rest.map((pointer) => [pointer, germanBooking[pointer]]));
    const input = { conversationId: copy.id, version: copy.version, texts, activate: true };
    expect(success(await editing.call('edit_design', input))).toMatchObject({ version: 2, isActive: true });
    expect(
      success(await editing.call('read_design', { conversationId: copy.id, version: 2, texts: true })),
    ).toMatchObject({ texts: germanBooking });
  });

  test('misses nothing in the language that the conversation speaks', async () => {
    const conversationId = await fromTemplate('appointment-booking');
    expect((await copied({ conversationId, language: 'en-GB' })).missing).toBeUndefined();
  });

  test('refuses a translation that no longer discloses the AI', async () => {
    const conversationId = await editing.conversation();
    const texts = { '/steps/hello/introLine': 'Guten Tag, hier ist die Klinik.' };
    refusal(
      await editing.call('copy_conversation', { conversationId, name: 'Copy', language: 'de', texts }),
      'ai_disclosure_required',
    );
  });

  test('names a wrong pointer, a wrong placeholder and a wrong language', async () => {
    const conversationId = await fromTemplate('appointment-booking');
    const copy = (input: Record<string, unknown>) =>
      editing.call('copy_conversation', { conversationId, name: 'Copy', ...input });
    const texts = {
      '/steps/requested/line': 'Danke, {{name}}.',
      '/steps/requested/lines': 'Danke.',
    };
    const [placeholder, pointer] = issuesOf(await copy({ language: 'de', texts }));
    expect(placeholder).toMatchObject({
      path: '/texts/~1steps~1requested~1line',
      message: expect.stringContaining('lacks {{callerName}} and adds {{name}}'),
    });
    expect(pointer).toMatchObject({
      path: '/texts/~1steps~1requested~1lines',
      message: expect.stringContaining('The nearest: /steps/requested/line'),
    });
    expect(issuesOf(await copy({ language: 'German' }))[0]).toMatchObject({ path: '/language' });
  });

  test('takes pointers of ids with ~ and /', async () => {
    const design: Design = {
      ...clinic,
      steps: { ...clinic.steps, 'a/b~c': { kind: 'end', line: 'Good night.' } },
    };
    const conversationId = await editing.conversation(design);
    const { id } = await copied({ conversationId, texts: { '/steps/a~1b~0c/line': 'Gute Nacht.' } });
    expect((await editing.designOf(id, 1)).steps['a/b~c']).toEqual({ kind: 'end', line: 'Gute Nacht.' });
  });

  test('warns of a language that the engine has no words for, and of a profile that does not hear it', async () => {
    const door = await openDoor(world, 'REST', editing.tenant.key);
    const profile = success(
      await door.call(toolNamed('create_agent_profile'), {
        projectId: editing.tenant.projectId,
        name: 'English ears',
        supportedInputLanguages: ['en-US'],
      }),
    ) as { id: string };
    const conversationId = await editing.conversation();
    success(await door.call(toolNamed('update_conversation'), { conversationId, agentId: profile.id }));
    const { warnings = [], ...copy } = await copied({ conversationId, language: 'sv' });
    expect(copy).toMatchObject({ agentId: profile.id });
    expect(warnings.map(({ message }) => message)).toEqual(
      expect.arrayContaining([
        expect.stringContaining('has no sv yet'),
        expect.stringContaining('listens to en-US, and not to sv'),
      ]),
    );
  });

  test('costs few tokens unless texts are asked for', async () => {
    const conversationId = await fromTemplate('appointment-booking');
    const { warnings: _, ...copy } = await copied({ conversationId });
    expect(countTokens(JSON.stringify(copy))).toBeLessThan(150);
  });
});

describe('a copy', () => {
  let editing: Editing;
  let conversationId: string;
  beforeAll(async () => {
    editing = await openEditing(world, 'REST');
    conversationId = await editing.conversation();
  });

  test('is made once for a repeated Idempotency-Key', async () => {
    const route = `/v1/conversations/${conversationId}/copies`;
    const copy = (name: string) =>
      world.rest('POST', route, {
        key: editing.tenant.key,
        body: { name },
        headers: { 'idempotency-key': 'once' },
      });
    const [first, again, other] = [await copy('Copy'), await copy('Copy'), await copy('Other')];
    expect(first.status).toBe(201);
    expect(again.body).toEqual(first.body);
    expect(other.body.error.message).toContain('idempotency key');
  });

  test('of a key that may not publish stays a draft for calls, like any conversation that it makes', async () => {
    const { key } = await world.key(editing.tenant.projectId, { access: ['read', 'draft'] });
    const route = `/v1/conversations/${conversationId}/copies`;
    const { status, body } = await world.rest('POST', route, { key, body: { name: 'Draft' } });
    expect(status).toBe(201);
    const rows = await world.rows('select is_approved from conversations where id = $1', [body.id]);
    expect(rows).toEqual([{ is_approved: false }]);
    const { key: reader } = await world.key(editing.tenant.projectId, { access: ['read'] });
    expect((await world.rest('POST', route, { key: reader, body: { name: 'Read' } })).status).toBe(403);
  });

  test('of a conversation of another project, or without a design, is refused', async () => {
    const other = await openEditing(world, 'REST');
    refusal(await other.call('copy_conversation', { conversationId, name: 'Copy' }), 'not_found');
    const door = await openDoor(world, 'REST', editing.tenant.key);
    const simple = success(
      await door.call(toolNamed('create_conversation'), {
        projectId: editing.tenant.projectId,
        name: 'Simple',
        kind: 'simple',
      }),
    ) as { id: string };
    refusal(
      await editing.call('copy_conversation', { conversationId: simple.id, name: 'Copy' }),
      'not_yet_supported',
    );
  });
});

describe('edit_design with texts', () => {
  let editing: Editing;
  beforeAll(async () => {
    editing = await openEditing(world, 'modern http');
  });

  test('refuses a table of an older version, and merges it on request', async () => {
    const conversationId = await editing.conversation();
    await editing.edited(conversationId, 1, { steps: { bye: { line: 'See you.' } } });
    const edit = (texts: Record<string, string>, more: Record<string, unknown> = {}) =>
      editing.call('edit_design', { conversationId, version: 1, texts, ...more });
    const texts = { '/steps/hours/text': 'Open from 8 to 8.' };
    refusal(await edit(texts), 'version_conflict');
    expect(success(await edit(texts, { onConflict: 'merge' }))).toMatchObject({ version: 3 });
    const { steps } = await editing.designOf(conversationId, 3);
    expect(steps).toMatchObject({ bye: { line: 'See you.' }, hours: { text: 'Open from 8 to 8.' } });
    const outcome = await edit({ '/steps/bye/line': 'So long.' }, { onConflict: 'merge' });
    expect(refusal(outcome, 'version_conflict').details).toMatchObject({
      conflicts: [{ path: '/steps/bye/line', base: 'Goodbye.', theirs: 'See you.', yours: 'So long.' }],
    });
  });

  test('takes one kind of edit at a time, and the texts that are listed', async () => {
    const conversationId = await editing.conversation();
    const edit = (input: Record<string, unknown>) =>
      editing.call('edit_design', { conversationId, version: 'newest', ...input });
    const texts = { '/steps/bye/line': 'So long.' };
    expect(issuesOf(await edit({ texts, merge: {} }))[0]?.message).toContain('Cannot be combined');
    expect(issuesOf(await edit({}))[0]?.message).toContain('patch, merge, texts');
    expect(issuesOf(await edit({ texts: { '/steps/bye/kind': 'message' } }))[0]?.message).toContain(
      'no text that callers hear',
    );
    expect(issuesOf(await edit({ texts: { __proto__x: 'x', ['/steps/__proto__/line']: 'x' } }))).toHaveLength(
      2,
    );
  });
});

test('read_design lists the texts of some steps', async () => {
  const editing = await openEditing(world, 'REST');
  const conversationId = await editing.conversation();
  const read = (input: Record<string, unknown>) =>
    editing.call('read_design', { conversationId, version: 1, texts: true, ...input });
  expect(success(await read({ steps: ['bye', 'hours'] }))).toEqual({
    version: 1,
    count: 2,
    texts: { '/steps/hours/text': 'We are open from 8 to 6.', '/steps/bye/line': 'Goodbye.' },
  });
  refusal(await read({ steps: ['none'] }), 'not_found');
  expect(issuesOf(await read({ outline: true }))[0]?.message).toContain('Cannot be combined');
});

test('a table that is too long for MCP is cut, and says how to go on', async () => {
  const editing = await openEditing(world, 'modern http');
  const conversationId = await editing.conversation(await disclosedDesign(world, editing.tenant, 'limit'));
  const read = success(await editing.call('read_design', { conversationId, version: 1, texts: true })) as {
    count: number;
    texts: object;
    truncated: boolean;
    hint: string;
  };
  expect(read.truncated).toBe(true);
  expect(Object.keys(read.texts).length).toBeLessThan(read.count);
  expect(read.hint).toContain('read_design');
  const copy = success(
    await editing.call('copy_conversation', { conversationId, name: 'Limite', language: 'fr' }),
  ) as Copy & { hint: string };
  expect(copy.missing?.count).toBe(read.count);
  expect(Object.keys(copy.missing?.texts ?? {}).length).toBeLessThan(read.count);
  expect(copy.hint).toContain(copy.id);
});
