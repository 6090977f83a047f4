import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { oneProvider, type Provider } from '../../../src/platform/config/models.ts';
import { newId } from '../../../src/platform/id.ts';
import { speaks } from '../../helpers/openai-wire.ts';
import { openUpstream, says } from '../../helpers/upstream.ts';
import { openVoiceProject, recording, type VoiceProject, validVoice } from '../../helpers/voice-project.ts';
import { wav } from '../../helpers/wav.ts';
import { openWorld, type World } from '../../helpers/world.ts';

let world: World;
let project: VoiceProject;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  project = await openVoiceProject(world);
  world.upstream.received.length = 0;
  world.upstream.reacts(speaks());
});

const speak = (voice: unknown, more: Record<string, unknown> = {}) =>
  project.call('POST', '/v1/audio/speech', { input: 'Hello', voice, ...more });

/** Requests speech with a voice, and returns the body that the upstream received. */
async function sentFor(voice: unknown, more?: Record<string, unknown>) {
  const { status, body } = await speak(voice, more);
  expect(status, JSON.stringify(body)).toBe(200);
  return world.upstream.received.at(-1)?.body ?? expect.fail('nothing was received');
}

/** The body for a custom voice: its recording and transcript, and no `voice`. */
const withRecording = (audio = recording, transcript = validVoice.referenceTranscript) => ({
  input: 'Hello',
  model: 'speech',
  ref_audio: audio.toString('base64'),
  ref_text: transcript,
});

describe('a custom voice', () => {
  test.each(['id', 'name', 'object'])('by %s sends its recording and its transcript', async (by) => {
    const transcript = 'Grüß Gott, "guten\n\tMorgen" \\ \u{1f600}';
    const id = await project.newVoice({ referenceTranscript: transcript });
    const sent = await sentFor({ id, name: 'Ada', object: { id } }[by]);
    expect(sent).toStrictEqual(withRecording(recording, transcript));
  });

  test.each([1, 2, 3, 196_606, 196_607, 196_608, 196_609, 3_000_000])(
    'whose recording has %i bytes more than the smallest is sent whole',
    async (bytes) => {
      const audio = Buffer.concat([wav(2), Buffer.alloc(bytes, 'sound')]);
      const id = await project.newVoice({ referenceAudioBase64: audio.toString('base64') });
      expect((await sentFor(id)).ref_audio === audio.toString('base64')).toBe(true);
      const { headers, bytes: text } = world.upstream.received.at(-1) ?? expect.fail();
      expect(headers['content-length']).toBe(String(text.length));
    },
  );

  test('works with OpenAI’s client', async () => {
    await project.newVoice({ name: 'Ada Lovelace' });
    const client = new OpenAI({ apiKey: project.key, baseURL: `${world.base}/v1`, maxRetries: 0 });
    const reply = await client.audio.speech.create({ model: 'auto', input: 'Hello', voice: 'Ada Lovelace' });
    expect((await reply.arrayBuffer()).byteLength).toBe(4_000);
    expect(world.upstream.received[0]?.body).toStrictEqual(withRecording());
  });

  test('takes precedence over a built-in one, the newest over older ones, and an id over a name', async () => {
    await project.newVoice({ name: 'alloy', referenceTranscript: 'older' });
    await project.newVoice({ name: 'alloy', referenceTranscript: 'newer' });
    expect((await sentFor('alloy')).ref_text).toBe('newer');
    expect((await sentFor('Alloy')).voice).toBe('alloy');
    expect((await sentFor(undefined)).voice).toBe('alloy');
    const id = await project.newVoice();
    await project.newVoice({ name: id, referenceTranscript: 'not this one' });
    expect((await sentFor(id)).ref_text).toBe(validVoice.referenceTranscript);
  });

  test('and a built-in one are found by their names, in which the case of letters counts', async () => {
    await project.newVoice({ name: 'Ada' });
    expect(await sentFor('Ada')).toStrictEqual(withRecording());
    for (const name of ['ada', 'ADA', 'ALLOY', 'aLLOY']) expect((await sentFor(name)).voice).toBe(name);
    for (const name of ['alloy', 'Alloy']) expect((await sentFor(name)).voice).toBe('alloy');
  });

  test('replaces the reference members of the client', async () => {
    const id = await project.newVoice();
    expect(await sentFor(id, { ref_audio: 'other', ref_text: 'other', seed: 1 })).toStrictEqual({
      ...withRecording(),
      seed: 1,
    });
    expect(await sentFor('ash', { ref_audio: 'other' })).toMatchObject({ voice: 'ash', ref_audio: 'other' });
  });

  test('that is deleted returns 404 by its id, and its name passes to the upstream', async () => {
    const id = await project.newVoice();
    await project.remove(id);
    expect((await speak(id)).status).toBe(404);
    expect(await sentFor('Ada')).toMatchObject({ voice: 'Ada' });
  });

  test('of another project returns the same 404 as a missing one', async () => {
    const other = await openVoiceProject(world);
    const foreign = await other.newVoice({ name: 'Eve' });
    const missing = newId('voice');
    const [ofOther, ofNone] = [await speak(foreign), await speak(missing)];
    expect(ofOther.status).toBe(404);
    const errorOf = (answer: typeof ofOther, id: string) => ({
      ...answer.body.error,
      message: answer.body.error.message.replace(id, 'ID'),
      requestId: '',
    });
    expect(errorOf(ofOther, foreign)).toStrictEqual(errorOf(ofNone, missing));
    expect((await speak({ id: foreign })).status).toBe(404);
    expect((await speak(newId('flow'))).status).toBe(404);
    expect(world.upstream.received).toStrictEqual([]);
    expect(await sentFor('Eve')).toMatchObject({ voice: 'Eve' });
  });
});

test.each<[name: string, voice: unknown, sent: unknown]>([
  ['a built-in voice', 'coral', 'coral'],
  ['a built-in voice by its name', 'Coral', 'coral'],
  ['an omitted voice', undefined, 'alloy'],
  ['a voice of null', null, 'alloy'],
  ['a voice that only the upstream has', 'cindy-the-narrator', 'cindy-the-narrator'],
  ['a voice of the upstream that begins like an id of Parley', 'captain2', 'captain2'],
  ['a voice created at the upstream', { id: 'voice_1234' }, { id: 'voice_1234' }],
  ['an empty voice', '', ''],
])('%s passes to the upstream', async (_, voice, sent) => {
  expect(await sentFor(voice)).toStrictEqual({ input: 'Hello', model: 'speech', voice: sent });
});

describe('the voiceReference of a provider', () => {
  test('names the members, separately for each fallback', async () => {
    const [first, second] = [await openUpstream(), await openUpstream()];
    first.reacts(says('{}', 500));
    second.reacts(speaks());
    const form = { audio: 'prompt_wav', transcript: 'prompt_text', dataUrl: true };
    const one: Provider = { name: 'one', baseUrl: first.baseUrl, key: undefined };
    const other = { ...one, name: 'other', baseUrl: second.baseUrl, voiceReference: form };
    const names = { chat: 'x', speech: 'both', transcription: 'x' };
    const speech = {
      ...oneProvider(one, names).speech,
      models: new Map([
        [
          'both',
          [
            { provider: one, model: 'a' },
            { provider: other, model: 'b' },
          ],
        ],
      ] as const),
    };
    const models = { ...oneProvider(one, names), speech };
    const otherWorld = await openWorld({ models });
    const otherProject = await openVoiceProject(otherWorld);
    const voice = await otherProject.newVoice();
    const { status } = await otherProject.call('POST', '/v1/audio/speech', { input: 'Hello', voice });
    await otherWorld.close();
    first.close();
    second.close();
    expect(status).toBe(200);
    expect(first.received[0]?.body).toStrictEqual({ ...withRecording(), model: 'a' });
    expect(second.received[0]?.body).toStrictEqual({
      input: 'Hello',
      model: 'b',
      prompt_text: validVoice.referenceTranscript,
      prompt_wav: `data:audio/wav;base64,${validVoice.referenceAudioBase64}`,
    });
  });
});
