import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { eventOf, speaks, streams } from '../../helpers/openai-wire.ts';
import { begins, type Reaction } from '../../helpers/upstream.ts';
import { openVoiceProject, recording, type VoiceProject, validVoice } from '../../helpers/voice-project.ts';
import { type McpClient, mcpTransports, openWorld, upstreamKey, type World } from '../../helpers/world.ts';

/** The most bytes in one audio block. */
const limit = 7_340_032;

let world: World;
let project: VoiceProject;
beforeAll(async () => {
  world = await openWorld();
  project = await openVoiceProject(world);
});
afterAll(() => world.close());

describe.each(mcpTransports)('create_speech over %s', (transport) => {
  let client: McpClient;
  beforeAll(async () => {
    client = await world.mcp(transport, project.key);
    await client.listTools();
  });

  const speak = (input: Record<string, unknown> = {}) =>
    client.callTool({ name: 'create_speech', arguments: { input: 'Hello', ...input } });

  test('returns one audio block and nothing else', async () => {
    const sound = randomBytes(100_000);
    world.upstream.reacts(speaks(sound, 'audio/wav; rate=24000'));
    expect(await speak({ response_format: 'wav' })).toMatchObject({
      content: [{ type: 'audio', data: sound.toString('base64'), mimeType: 'audio/wav' }],
    });
    expect(await speak()).not.toHaveProperty('structuredContent');
  });

  test('sends the recording of a custom voice to the upstream', async () => {
    world.upstream.reacts(speaks());
    const voice = await project.newVoice({ name: `Ada over ${transport}` });
    for (const idOrName of [voice, `Ada over ${transport}`]) {
      expect((await speak({ voice: idOrName })).isError).toBeUndefined();
      expect(world.upstream.received.at(-1)?.body).toStrictEqual({
        input: 'Hello',
        model: expect.any(String),
        ref_audio: recording.toString('base64'),
        ref_text: validVoice.referenceTranscript,
      });
    }
  });

  test('returns up to 7 MiB, and payload_too_large for more', async () => {
    const sound = Buffer.alloc(limit, 'sound');
    world.upstream.reacts(speaks(sound));
    const { content } = await speak();
    expect(content[0]?.data === sound.toString('base64')).toBe(true);
    const closed = vi.fn<() => void>();
    const endless: Reaction = async (_, response) => {
      response.on('close', closed);
      response.writeHead(200, { 'content-type': 'audio/mpeg' });
      while (!response.destroyed) if (!response.write(sound)) await once(response, 'drain');
    };
    world.upstream.reacts(endless);
    const { isError, content: failure } = await speak();
    expect(isError).toBe(true);
    expect(JSON.parse(failure[0]?.text ?? '')).toMatchObject({
      error: { code: 'payload_too_large', message: expect.stringContaining(String(limit)) },
      hint: expect.stringContaining('REST'),
    });
    await vi.waitFor(() => expect(closed).toHaveBeenCalledTimes(1));
  });

  test('returns an error without audio if the upstream breaks off', async () => {
    world.upstream.reacts(begins('sound', 'audio/mpeg', 'resets'));
    const { isError, content } = await speak();
    expect([isError, content.length]).toStrictEqual([true, 1]);
    expect(content[0]?.text).toContain('internal_error');
    expect(content[0]?.text).not.toMatch(upstreamKey);
  });
});

test('create_speech does not request a stream of events, because MCP clients cannot read one', async () => {
  world.upstream.reacts(streams(eventOf({ type: 'speech.audio.done' })));
  const client = await world.mcp('modern http', project.key);
  const input = { input: 'Hello', stream: true, stream_format: 'sse', seed: 1 };
  const { isError } = await client.callTool({ name: 'create_speech', arguments: input });
  expect(isError).toBe(true);
  const { body } = world.upstream.received.at(-1) ?? expect.fail();
  expect(body).toStrictEqual({ input: 'Hello', model: 'speech', seed: 1, voice: 'alloy' });
});
