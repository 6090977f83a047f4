import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { oneProvider, type Provider } from '../../src/config/models.ts';
import { newId } from '../../src/id.ts';
import { speaks } from '../helpers/openai-wire.ts';
import { openUpstream, says } from '../helpers/upstream.ts';
import { wav } from '../helpers/wav.ts';
import { openWorld, type World } from '../helpers/world.ts';
import { openVoiceProject, recording, type VoiceProject, wanted } from '../tools/voice-project.ts';

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

const say = (voice: unknown, more: Record<string, unknown> = {}) =>
  project.call('POST', '/v1/audio/speech', { input: 'Hello', voice, ...more });

/** What the upstream was sent for a voice. */
async function sentFor(voice: unknown, more?: Record<string, unknown>) {
  const { status, body } = await say(voice, more);
  expect(status, JSON.stringify(body)).toBe(200);
  return world.upstream.received.at(-1)?.body ?? expect.fail('nothing was received');
}

/** With a custom voice, and without a word of ours for it. */
const withRecording = (audio = recording, transcript = wanted.referenceTranscript) => ({
  input: 'Hello',
  model: 'speech',
  ref_audio: audio.toString('base64'),
  ref_text: transcript,
});

describe('a custom voice', () => {
  test.each(['id', 'name', 'object'])('by %s sends its recording and what is said in it', async (by) => {
    const transcript = 'Grüß Gott, "guten\n\tMorgen" \\ \u{1f600}';
    const id = await project.newVoice({ referenceTranscript: transcript });
    const sent = await sentFor({ id, name: 'Ada', object: { id } }[by]);
    expect(sent).toStrictEqual(withRecording(recording, transcript));
  });

  test.each([1, 2, 3, 196_606, 196_607, 196_608, 196_609, 3_000_000])(
    'of %i bytes more than the smallest comes whole',
    async (bytes) => {
      const audio = Buffer.concat([wav(2), Buffer.alloc(bytes, 'sound')]);
      const id = await project.newVoice({ referenceAudioBase64: audio.toString('base64') });
      expect((await sentFor(id)).ref_audio === audio.toString('base64')).toBe(true);
      const { headers, bytes: text } = world.upstream.received.at(-1) ?? expect.fail();
      expect(headers['content-length']).toBe(String(text.length));
    },
  );

  test('is found by OpenAI’s own client', async () => {
    await project.newVoice({ name: 'Ada Lovelace' });
    const client = new OpenAI({ apiKey: project.key, baseURL: `${world.base}/v1`, maxRetries: 0 });
    const reply = await client.audio.speech.create({ model: 'auto', input: 'Hello', voice: 'Ada Lovelace' });
    expect((await reply.arrayBuffer()).byteLength).toBe(4_000);
    expect(world.upstream.received[0]?.body).toStrictEqual(withRecording());
  });

  test('comes before a built-in one, the newest first, and an id before a name', async () => {
    await project.newVoice({ name: 'alloy', referenceTranscript: 'older' });
    await project.newVoice({ name: 'alloy', referenceTranscript: 'newer' });
    expect((await sentFor('alloy')).ref_text).toBe('newer');
    expect((await sentFor('ALLOY')).voice).toBe('alloy');
    expect((await sentFor(undefined)).voice).toBe('alloy');
    const id = await project.newVoice();
    await project.newVoice({ name: id, referenceTranscript: 'not this one' });
    expect((await sentFor(id)).ref_text).toBe(wanted.referenceTranscript);
  });

  test('takes the place of what the client says of a reference', async () => {
    const id = await project.newVoice();
    expect(await sentFor(id, { ref_audio: 'other', ref_text: 'other', seed: 1 })).toStrictEqual({
      ...withRecording(),
      seed: 1,
    });
    expect(await sentFor('ash', { ref_audio: 'other' })).toMatchObject({ voice: 'ash', ref_audio: 'other' });
  });

  test('that is deleted is 404 by its id, and its name is left to the upstream', async () => {
    const id = await project.newVoice();
    await project.remove(id);
    expect((await say(id)).status).toBe(404);
    expect(await sentFor('Ada')).toMatchObject({ voice: 'Ada' });
  });

  test('of another project is as one that there is not', async () => {
    const other = await openVoiceProject(world);
    const foreign = await other.newVoice({ name: 'Eve' });
    const missing = newId('voice');
    const [theirs, nobodys] = [await say(foreign), await say(missing)];
    expect(theirs.status).toBe(404);
    const told = (answer: typeof theirs, id: string) => ({
      ...answer.body.error,
      message: answer.body.error.message.replace(id, 'ID'),
      requestId: '',
    });
    expect(told(theirs, foreign)).toStrictEqual(told(nobodys, missing));
    expect((await say({ id: foreign })).status).toBe(404);
    expect((await say(newId('flow'))).status).toBe(404);
    expect(world.upstream.received).toStrictEqual([]);
    expect(await sentFor('Eve')).toMatchObject({ voice: 'Eve' });
  });
});

test.each<[name: string, voice: unknown, sent: unknown]>([
  ['a built-in voice', 'coral', 'coral'],
  ['a built-in voice by its name', 'Coral', 'coral'],
  ['nothing', undefined, 'alloy'],
  ['null', null, 'alloy'],
  ['what only the upstream knows', 'cindy-the-narrator', 'cindy-the-narrator'],
  ['a voice of the upstream that begins as our ids do', 'captain2', 'captain2'],
  ['a voice made at the upstream', { id: 'voice_1234' }, { id: 'voice_1234' }],
  ['an empty text', '', ''],
])('%s goes on as the upstream knows it', async (_, voice, sent) => {
  expect(await sentFor(voice)).toStrictEqual({ input: 'Hello', model: 'speech', voice: sent });
});

describe('the form of a provider', () => {
  test('names the members, of each fallback its own', async () => {
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
    const there = await openWorld({ models });
    const inThere = await openVoiceProject(there);
    const voice = await inThere.newVoice();
    const { status } = await inThere.call('POST', '/v1/audio/speech', { input: 'Hello', voice });
    await there.close();
    first.close();
    second.close();
    expect(status).toBe(200);
    expect(first.received[0]?.body).toStrictEqual({ ...withRecording(), model: 'a' });
    expect(second.received[0]?.body).toStrictEqual({
      input: 'Hello',
      model: 'b',
      prompt_text: wanted.referenceTranscript,
      prompt_wav: `data:audio/wav;base64,${wanted.referenceAudioBase64}`,
    });
  });
});
