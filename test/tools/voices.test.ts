import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../../src/platform/id.ts';
import { builtInVoices } from '../../src/resources/voices/catalogue.ts';
import type { VoiceReference } from '../../src/resources/voices/store.ts';
import { timestamp } from '../helpers/project.ts';
import { openVoiceProject, recording, type VoiceProject, validVoice } from '../helpers/voice-project.ts';
import { wav } from '../helpers/wav.ts';
import { openWorld, type World } from '../helpers/world.ts';

let world: World;
let project: VoiceProject;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  project = await openVoiceProject(world);
});
afterAll(() => world.close());

const voiceId = expect.stringMatching(/^cvo[0-9a-v]{26}$/);
const ada = {
  id: voiceId,
  name: 'Ada',
  provider: 'parley',
  gender: 'female',
  supportedLanguages: [],
  vibeTags: [],
  isCustom: true,
  isDefault: false,
};

/** Expects a 422, and returns the places that it names, sorted. */
const placesOf = ({ status, body }: { status: number; body: { detail: { loc: unknown[] }[] } }) => {
  expect(status, JSON.stringify(body)).toBe(422);
  expect(Object.keys(body)).toEqual(['detail']);
  return body.detail.map(({ loc }) => loc.join('.')).toSorted();
};

test('cloning returns the Voice record', async () => {
  const { status, body } = await project.clone();
  expect(status).toBe(201);
  expect(body).toStrictEqual(ada);
  const rich = await project.clone({ languages: ['en', 'pt-BR'], vibeTags: ['warm', ''], gender: 'neutral' });
  expect(rich.body).toStrictEqual({
    ...ada,
    gender: 'neutral',
    supportedLanguages: ['en', 'pt-BR'],
    vibeTags: ['warm', ''],
  });
});

test('the list has the custom voices, newest first, and then the catalogue, whose first voice is the default', async () => {
  const ids = [await project.newVoice(), await project.newVoice({ name: 'Bob' }), await project.newVoice()];
  const list = await project.list();
  expect(list.slice(0, 3).map(({ id }) => id)).toEqual(ids.toReversed());
  expect(list.slice(3).map(({ id }) => id)).toEqual(builtInVoices.map(({ id }) => id));
  expect(list.filter(({ isDefault }) => isDefault).map(({ id }) => id)).toEqual(['alloy']);
  expect(list[3]).toStrictEqual({
    id: 'alloy',
    name: 'Alloy',
    provider: 'openai',
    gender: 'neutral',
    supportedLanguages: expect.arrayContaining(['en', 'de']),
    vibeTags: ['balanced', 'clear'],
    isCustom: false,
    isDefault: true,
  });
  expect(list[0]).toStrictEqual(ada);
});

test('cloning enforces the specified limits to the character', async () => {
  for (const fits of [
    { name: 'x' },
    { name: 'x'.repeat(120) },
    { referenceTranscript: 'x' },
    { referenceTranscript: 'é'.repeat(2000) },
    { vibeTags: Array.from({ length: 12 }, () => 'warm') },
    { languages: ['x'.repeat(10_000)] },
  ])
    expect((await project.clone(fits)).status, JSON.stringify(fits)).toBe(201);
  const before = await project.list();
  for (const [wrong, places] of [
    [{ name: '' }, ['body.name']],
    [{ name: 'x'.repeat(121) }, ['body.name']],
    [{ name: null }, ['body.name']],
    [{ gender: 'Female' }, ['body.gender']],
    [{ gender: undefined }, ['body.gender']],
    [{ referenceTranscript: '' }, ['body.referenceTranscript']],
    [{ referenceTranscript: 'x'.repeat(2001) }, ['body.referenceTranscript']],
    [{ referenceTranscript: 'nul\0' }, ['body.referenceTranscript']],
    [{ referenceAudioBase64: '' }, ['body.referenceAudioBase64']],
    [{ referenceAudioBase64: 7 }, ['body.referenceAudioBase64']],
    [{ languages: 'en' }, ['body.languages']],
    [{ languages: [7] }, ['body.languages.0']],
    [{ languages: ['x'.repeat(9000)], vibeTags: ['x'.repeat(1001)] }, ['body.languages']],
    [{ vibeTags: Array.from({ length: 13 }, () => 'warm') }, ['body.vibeTags']],
    [{ isCustom: true, name: 7 }, ['body.isCustom', 'body.name']],
  ] as const)
    expect(placesOf(await project.clone(wrong))).toEqual(places);
  const empty = await project.call('POST', '/v1/voices', {});
  expect(placesOf(empty)).toHaveLength(4);
  expect(placesOf(await project.call('POST', '/v1/voices', '{"name":'))).toEqual(['body']);
  expect(await project.list()).toEqual(before);
});

test('cloning returns 403 for a read-only key and 401 without a key before it checks the audio', async () => {
  const body = { ...validVoice, referenceAudioBase64: 'no wave' };
  const { key } = await world.key(project.projectId, { scope: 'service_app' });
  const refused = await world.rest('POST', '/v1/voices', { key, body });
  expect([refused.status, refused.body.error.code]).toEqual([403, 'forbidden']);
  expect((await world.rest('POST', '/v1/voices', { body })).status).toBe(401);
});

test.each([320, 300_000])(
  'an idempotency key creates one voice from a recording of %i bytes',
  async (bytes) => {
    const headers = { 'idempotency-key': 'once' };
    const post = (audio: Buffer) => {
      const body = { ...validVoice, referenceAudioBase64: audio.toString('base64') };
      return world.rest('POST', '/v1/voices', { key: project.key, body, headers });
    };
    const audio = wav(bytes);
    const [first, again] = [await post(audio), await post(audio)];
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body).toEqual(first.body);
    audio.writeUInt8(255, audio.length - 1);
    expect(placesOf(await post(audio))).toEqual(['body']);
    expect((await project.list()).filter(({ isCustom }) => isCustom)).toHaveLength(1);
  },
);

test('a recording is stored encrypted, and decrypts to the same bytes', async () => {
  const id = await project.newVoice();
  const rows = await world.rows(
    `select voices::text as voice, to_jsonb(voice_references)::text as reference
     from voices join voice_references on voice_id = id where id = $1`,
    [id],
  );
  expect(JSON.stringify(rows)).not.toContain(recording.subarray(44, 60).toString('hex'));
  const { voices } = world.stores(project.projectId);
  const reference = async () => (await voices.reference(id)) as VoiceReference;
  expect((await reference()).transcript).toBe('Good morning.');
  const caller = await world.core.authenticate(project.key);
  const { openFile } = world.core.runtime.services;
  expect(await openFile(caller, 'voices', id, (await reference()).sealedAudio)).toEqual(recording);
  await expect(openFile(caller, 'voices', newId('voice'), (await reference()).sealedAudio)).rejects.toThrow(
    /authenticate/,
  );
});

test('a name resolves to its newest voice, an id to its own, and neither to a voice of another project', async () => {
  const other = await openVoiceProject(world);
  await project.newVoice();
  const second = await project.newVoice();
  const named = await project.newVoice({ name: second });
  const foreign = await other.newVoice({ name: 'Eve' });
  const { voices } = world.stores(project.projectId);
  expect((await voices.resolve('Ada'))?.id).toBe(second);
  expect((await voices.resolve(second))?.id).toBe(second);
  expect((await voices.resolve(named))?.name).toBe(second);
  for (const nothing of ['Eve', foreign, 'ada', 'alloy', ''])
    expect(await voices.resolve(nothing)).toBe(undefined);
  expect(await voices.reference(foreign)).toBe(undefined);
});

test('deleting moves a voice and its recording to the trash, and restoring brings both back unchanged', async () => {
  const id = await project.newVoice({ languages: ['en'], vibeTags: ['calm', 'low'] });
  await project.newVoice({ name: 'Bob' });
  const before = await project.list();
  const stored = () =>
    world.rows(
      `select * from voices join voice_references using (project_id)
       where project_id = $1 and voices.id = $2 and voice_id = voices.id`,
      [project.projectId, id],
    );
  const rows = await stored();
  expect(rows).toHaveLength(1);
  const { status, body } = await project.remove(id);
  expect({ status, body }).toStrictEqual({
    status: 200,
    body: { id, deleted: true, trashId: expect.any(String) },
  });
  expect((await project.list()).map((voice) => voice.id)).not.toContain(id);
  expect((await project.remove(id)).status).toBe(404);
  expect(await world.rows('select from voice_references where voice_id = $1', [id])).toEqual([]);
  const [entry] = await project.trash();
  expect(entry).toStrictEqual({
    id: expect.stringMatching(/^ctr/),
    kind: 'voice',
    resourceId: id,
    name: 'Ada',
    deletedAt: timestamp,
    deletedBy: 'Key',
    expiresAt: timestamp,
  });
  const kept = await world.rows('select rows::text from trash where project_id = $1', [project.projectId]);
  expect(JSON.stringify(kept), 'the JSON has no bytes').not.toMatch(/[0-9a-f]{100}/);

  const restored = await project.restore(entry?.id);
  expect([restored.status, restored.body]).toStrictEqual([200, { id, kind: 'voice', restored: true }]);
  expect(await project.list()).toEqual(before);
  expect(await stored()).toEqual(rows);
  expect(await project.trash()).toEqual([]);
});

test('deleting returns 404 for a built-in, missing or foreign voice and for a malformed id', async () => {
  const other = await openVoiceProject(world);
  const foreign = await other.newVoice();
  for (const id of [
    'alloy',
    foreign,
    newId('voice'),
    newId('flow'),
    project.projectId,
    'cvo',
    'Ada',
    ' ',
    'ä/ö',
  ])
    expect((await project.remove(id)).body, id).toMatchObject({ error: { code: 'not_found' } });
  expect((await other.list())[0]?.id).toBe(foreign);
});

test('a project has at most 1,000 voices, even if clones and restores arrive at once', async () => {
  const { projectId } = project;
  for (let made = 0; made < 8; made++) await project.remove(await project.newVoice());
  await world.rows(
    `insert into voices (project_id, id, name, gender, supported_languages, vibe_tags)
     select $1, 'cvo' || lpad(number::text, 26, '0'), 'Voice ' || number, 'male', '{en}', '{}'
     from generate_series(1, 997) as number`,
    [projectId],
  );
  const deleted = await project.trash();
  expect(deleted).toHaveLength(8);
  // Clones are admitted one after the other, restores all at once.
  const answers = await Promise.all([
    ...deleted.map(({ id }) => project.restore(id)),
    ...Array.from({ length: 3 }, () => project.clone()),
  ]);
  const codes = answers.map(({ status, body }) =>
    status < 300 ? 'created' : `${status} ${body.error.code}`,
  );
  expect(codes.toSorted()).toEqual([
    ...Array.from({ length: 8 }, () => '403 plan_limit_exceeded'),
    ...Array.from({ length: 3 }, () => 'created'),
  ]);
  expect(answers.find(({ status }) => status === 403)?.body.error.details).toStrictEqual({
    resource: 'voices',
    limit: 1000,
    current: 1000,
    plan: 'enterprise',
  });
  expect((await project.clone()).body).toMatchObject({ error: { code: 'plan_limit_exceeded' } });
  expect(await project.list()).toHaveLength(1000 + builtInVoices.length);
  expect(
    await world.rows('select count(*)::int from voice_references where project_id = $1', [projectId]),
  ).toEqual([{ count: 3 }]);

  const client = await world.mcp('modern http', project.key);
  const { structuredContent, content } = await client.callTool({ name: 'list_voices' });
  const { items, hint } = structuredContent as { items: { id: string }[]; hint: string };
  expect(content[0]?.text?.length).toBeLessThan(40_000);
  expect(items.slice(-builtInVoices.length).map(({ id }) => id)).toEqual(builtInVoices.map(({ id }) => id));
  expect(hint).toContain(`${1000 + builtInVoices.length - items.length} older`);
});
