import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { eventOf, speaks, streams } from '../helpers/openai-wire.ts';
import { begins, type Reaction } from '../helpers/upstream.ts';
import { type McpClient, mcpTransports, openWorld, upstreamKey, type World } from '../helpers/world.ts';
import { openVoiceProject, recording, type VoiceProject, wanted } from '../tools/voice-project.ts';

/** Bytes that one block holds. */
const limit = 7_340_032;

let world: World;
let project: VoiceProject;
beforeAll(async () => {
  world = await openWorld();
  project = await openVoiceProject(world);
});
afterAll(() => world.close());

describe.each(mcpTransports)('over %s', (transport) => {
  let client: McpClient;
  beforeAll(async () => {
    client = await world.mcp(transport, project.key);
    await client.listTools();
  });

  const say = (input: Record<string, unknown> = {}) =>
    client.callTool({ name: 'create_speech', arguments: { input: 'Hello', ...input } });

  test('sound is one audio block, and nothing else', async () => {
    const sound = randomBytes(100_000);
    world.upstream.reacts(speaks(sound, 'audio/wav; rate=24000'));
    expect(await say({ response_format: 'wav' })).toMatchObject({
      content: [{ type: 'audio', data: sound.toString('base64'), mimeType: 'audio/wav' }],
    });
    expect(await say()).not.toHaveProperty('structuredContent');
  });

  test('a custom voice is imitated', async () => {
    world.upstream.reacts(speaks());
    const voice = await project.newVoice({ name: `Ada over ${transport}` });
    for (const named of [voice, `Ada over ${transport}`]) {
      expect((await say({ voice: named })).isError).toBeUndefined();
      expect(world.upstream.received.at(-1)?.body).toStrictEqual({
        input: 'Hello',
        model: expect.any(String),
        ref_audio: recording.toString('base64'),
        ref_text: wanted.referenceTranscript,
      });
    }
  });

  test('it is at most 7 MiB, and more is told, not cut', async () => {
    const sound = Buffer.alloc(limit, 'sound');
    world.upstream.reacts(speaks(sound));
    const { content } = await say();
    expect(content[0]?.data === sound.toString('base64')).toBe(true);
    const left = vi.fn<() => void>();
    const endless: Reaction = async (_, response) => {
      response.on('close', left);
      response.writeHead(200, { 'content-type': 'audio/mpeg' });
      while (!response.destroyed) if (!response.write(sound)) await once(response, 'drain');
    };
    world.upstream.reacts(endless);
    const { isError, content: told } = await say();
    expect(isError).toBe(true);
    expect(JSON.parse(told[0]?.text ?? '')).toMatchObject({
      error: { code: 'payload_too_large', message: expect.stringContaining(String(limit)) },
      hint: expect.stringContaining('REST'),
    });
    await vi.waitFor(() => expect(left).toHaveBeenCalledTimes(1));
  });

  test('what breaks off is an error, and not half of it', async () => {
    world.upstream.reacts(begins('sound', 'audio/mpeg', 'resets'));
    const { isError, content } = await say();
    expect([isError, content.length]).toStrictEqual([true, 1]);
    expect(content[0]?.text).toContain('internal_error');
    expect(content[0]?.text).not.toMatch(upstreamKey);
  });
});

test('events are not asked for, since nobody would read them', async () => {
  world.upstream.reacts(streams(eventOf({ type: 'speech.audio.done' })));
  const client = await world.mcp('modern http', project.key);
  const input = { input: 'Hello', stream: true, stream_format: 'sse', seed: 1 };
  const { isError } = await client.callTool({ name: 'create_speech', arguments: input });
  expect(isError).toBe(true);
  const { body } = world.upstream.received.at(-1) ?? expect.fail();
  expect(body).toStrictEqual({ input: 'Hello', model: 'speech', seed: 1, voice: 'alloy' });
});
