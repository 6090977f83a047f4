import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import type { InputProblem } from '../../src/operation/define.ts';
import { jsonProblems } from '../../src/operation/json.ts';
import { isOwnForm, looseRef } from '../../src/operation/reference.ts';
import { Bytes } from '../../src/operation/result.ts';
import { Model, modelErrors, Tier } from '../../src/resources/models/schema.ts';
import { builtInVoice, recordingOf } from '../../src/resources/voices/speaker.ts';

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
    "Turns a text into speech, in OpenAI's format. Other members go to the model unchanged. Returns audio.",
  rest: { method: 'POST', path: '/v1/audio/speech' },
  input: SpeechInput,
  output: v.never(),
  access: 'run',
  effect: { readOnly: false, destructive: false, idempotent: false, transaction: 'none' },
  errors: modelErrors,
  results: ['bytes'],
  envelope: 'detail',
  mcp: {
    openWorld: true,
    // The audio is one block.
    implied: { stream: false },
    inputs: {
      voice: {
        type: 'string',
        description: 'Id or name from list_voices. Custom voices win over built-in ones.',
      },
    },
  },
  check({ voice }) {
    const path: InputProblem['path'] = typeof voice === 'string' ? ['voice'] : ['voice', 'id'];
    const name = nameOf(voice);
    if (voice && typeof name !== 'string') return [{ path, message: 'Expected string.' }];
    // The name is looked up in the database. The other members of the voice go to the model.
    return jsonProblems(name).map(({ message }) => ({ path, message }));
  },
  special: {
    passedOn: ['input', 'voice'],
    lookup: async (stores, { voice }) => {
      const name = nameOf(voice);
      return name === undefined ? undefined : stores.voices.resolve(name);
    },
  },
  async handler(context, input) {
    const { services, caller, found: custom, bytes, signal, trace } = context;
    // On MCP the audio is one block.
    const asked = bytes ? input : { ...input, stream: undefined, stream_format: undefined };
    const { contentType, body, length } = await services.speak({
      input: asked,
      text: bytes ?? Buffer.from(JSON.stringify(asked)),
      speaker: custom
        ? { recording: await recordingOf(context, custom.id) }
        : { builtIn: builtInVoice(nameOf(input.voice)) },
      signal,
      trace,
      meter: (uses) => services.meter(caller, uses),
    });
    return new Bytes(contentType, body, length);
  },
});

function nameOf(voice: Voice): string | undefined {
  return typeof voice === 'string' ? voice : (voice?.['id'] as string | undefined);
}
