import * as v from 'valibot';
import { Model, Tier } from '../../src/resources/models/schema.ts';
import { defaultVoiceId, isBuiltInVoice } from '../../src/resources/voices/catalogue.ts';
import { defineTool } from '../../src/tool/define.ts';
import { found } from '../../src/tool/found.ts';
import { isOwnForm, looseRef } from '../../src/tool/reference.ts';
import { Bytes } from '../../src/tool/result.ts';

/** Anything but an id of Parley may be a name, or a voice of the upstream. */
const VoiceName = looseRef('voice', (text) => !isOwnForm(text));

/** The members that Parley reads. It passes all others on to the model. */
export const SpeechInput = v.objectWithRest(
  {
    input: v.pipe(v.string(), v.minLength(1), v.description('The text to speak.')),
    model: v.optional(Model, 'auto'),
    voice: v.exactOptional(v.nullable(v.union([VoiceName, v.objectWithRest({}, v.unknown())]))),
    response_format: v.exactOptional(
      v.pipe(v.nullable(v.string()), v.description('mp3, opus, aac, flac, wav or pcm.')),
    ),
    speed: v.exactOptional(v.pipe(v.nullable(v.number()), v.description('1 is normal.'))),
    stream: v.exactOptional(v.pipe(v.nullable(v.boolean()), v.description('Respond in pieces.'))),
    tier: v.exactOptional(Tier),
  },
  v.unknown(),
);

type Voice = v.InferOutput<typeof SpeechInput>['voice'];

export const createSpeech = defineTool({
  name: 'create_speech',
  title: 'Create speech',
  description:
    "Turns a text into speech, in the format of OpenAI's speech. Other members go to the model unchanged. Returns audio. list_voices lists the voices.",
  rest: { method: 'POST', path: '/v1/audio/speech' },
  input: SpeechInput,
  output: v.never(),
  access: 'run',
  effect: { readOnly: false, destructive: false, idempotent: false, transaction: 'none' },
  results: ['bytes'],
  envelope: 'detail',
  mcp: {
    openWorld: true,
    inputs: {
      voice: { type: 'string', description: 'Id or name of a voice. Custom voices win over built-in ones.' },
      stream: { type: 'boolean', description: 'Has no effect here.' },
    },
  },
  check: ({ voice }) =>
    voice !== null && typeof voice === 'object' && typeof voice['id'] !== 'string'
      ? [{ path: ['voice', 'id'], message: 'Expected string.' }]
      : [],
  special: {
    lookup: async (stores, { voice }) => {
      const name = nameOf(voice);
      return name === undefined ? undefined : stores.voices.resolve(name);
    },
  },
  async handler({ services, caller, stores, found: custom, bytes, signal, trace }, input) {
    // On MCP the audio is one block.
    const asked = bytes ? input : { ...input, stream: undefined, stream_format: undefined };
    const { contentType, body, length } = await services.speak({
      input: asked,
      text: bytes ?? Buffer.from(JSON.stringify(asked)),
      speaker: custom ? { recording: await recordingOf(custom.id) } : { known: knownUpstream(input.voice) },
      signal,
      trace,
      meter: (uses) => services.meter(caller, uses),
    });
    return new Bytes(contentType, body, length);

    async function recordingOf(id: string) {
      const { transcript, sealedAudio } = found(await stores.voices.reference(id), 'voice', id);
      return { audio: services.open(caller, 'voices', id, sealedAudio), transcript };
    }
  },
});

function nameOf(voice: Voice): string | undefined {
  return typeof voice === 'string' ? voice : (voice?.['id'] as string | undefined);
}

/**
 * The value that tells an upstream which of its own voices to use.
 * @throws ToolError `not_found` for an id of Parley, which no upstream knows
 */
function knownUpstream(voice: Voice): unknown {
  const name = nameOf(voice);
  if (name === undefined) return defaultVoiceId;
  // The names of the catalogue are the ids with a capital letter.
  const id = name.toLowerCase();
  if (isBuiltInVoice(id)) return id;
  return isOwnForm(name) ? found(undefined, 'voice', name) : voice;
}
