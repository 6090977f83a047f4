import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import type { FormField } from '../../src/operation/context.ts';
import { Relay } from '../../src/operation/result.ts';
import { UploadedFile } from '../../src/operation/upload.ts';
import { Model, modelErrors, proxyBodyLimit, Tier } from '../../src/resources/models/schema.ts';
import { UploadId, uploadedFile } from '../../src/resources/uploads/uploads.ts';

const Text = v.pipe(v.string(), v.maxCodePoints(10_000));

/** The members that Parley reads. It passes all others on to the model. */
export const TranscriptionInput = v.objectWithRest(
  {
    file: v.exactOptional(v.pipe(UploadedFile, v.description('The recording to transcribe.'))),
    uploadId: v.exactOptional(UploadId),
    fileName: v.exactOptional(v.pipe(Text, v.description('With its extension, such as call.mp3.'))),
    model: v.optional(Model, 'auto'),
    language: v.exactOptional(v.pipe(Text, v.description('ISO 639-1, such as en.'))),
    response_format: v.exactOptional(
      v.pipe(Text, v.description('json (default), verbose_json, text, srt or vtt.')),
    ),
    tier: v.exactOptional(Tier),
  },
  v.unknown(),
);

/** Members that only Parley reads. */
const ours: readonly string[] = ['file', 'uploadId', 'fileName', 'model', 'tier'];

export const createTranscription = defineTool({
  name: 'create_transcription',
  title: 'Transcribe a recording',
  description: "Transcribes a recording of at most 25 MiB, in OpenAI's format.",
  rest: { method: 'POST', path: '/v1/audio/transcriptions' },
  input: TranscriptionInput,
  output: v.objectWithRest({ text: v.string() }, v.unknown()),
  access: 'run',
  effect: { readOnly: false, destructive: false, idempotent: false, transaction: 'none' },
  errors: modelErrors,
  results: ['relay'],
  envelope: 'detail',
  bodyLimit: proxyBodyLimit,
  mcp: { openWorld: true },
  special: { uploadInto: 'file' },
  async handler(context, input) {
    const { services, caller, fields, signal, trace } = context;
    const { file, uploadId, fileName, model, tier, response_format: responseFormat } = input;
    const texts = fields ?? Object.entries(input).flatMap(([name, value]) => fieldsOf(name, value));
    const recording = file ?? (await uploadedFile(context, uploadId ?? ''));
    const { contentType, body, interpret } = await services.transcribe({
      model,
      tier,
      responseFormat,
      recording,
      fileName: fileName ?? recording.name ?? 'recording.wav',
      texts: texts.filter(([name]) => !ours.includes(name)),
      signal,
      trace,
      meter: (uses) => services.meter(caller, uses),
    });
    if (uploadId !== undefined) await services.useUpload(caller, uploadId);
    return new Relay(contentType, body, interpret);
  },
});

/** The form fields that OpenAI's clients send for a member. */
function fieldsOf(name: string, value: unknown): FormField[] {
  if (ours.includes(name) || value === null || value === undefined) return [];
  if (Array.isArray(value))
    return value.flatMap((item) => fieldsOf(name.endsWith('[]') ? name : `${name}[]`, item));
  if (typeof value === 'object')
    return Object.entries(value).flatMap(([key, member]) => fieldsOf(`${name}[${key}]`, member));
  return [[name, typeof value === 'string' ? value : JSON.stringify(value)]];
}
