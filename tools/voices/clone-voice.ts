import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { type FileText, fileText } from '../../src/operation/file-text.ts';
import { queueUpload } from '../../src/resources/uploads/upload-queue.ts';
import { UploadId, uploadedBytes, useUpload } from '../../src/resources/uploads/uploads.ts';
import { readReferenceAudio, sentReferenceAudio } from '../../src/resources/voices/reference-audio.ts';
import {
  customVoice,
  requireVoicesWithinPlan,
  Voice,
  VoiceGender,
} from '../../src/resources/voices/schema.ts';

/** The most characters of languages and tags together. The list of voices is not paged, so each voice is bounded. */
const maximumTags = 10_000;

const Tag = v.pipe(v.string(), v.maxCodePoints(maximumTags));

export const cloneVoice = defineTool({
  name: 'clone_voice',
  title: 'Clone a voice',
  description: 'Creates a custom voice from a recording and its transcript.',
  rest: { method: 'POST', path: '/v1/voices', status: 201 },
  input: v.strictObject({
    name: v.pipe(
      v.string(),
      v.minLength(1),
      v.maxCodePoints(120),
      v.description('Speech finds it by name; the newest wins.'),
    ),
    gender: v.pipe(VoiceGender, v.description('Of the voice.')),
    referenceAudioBase64: v.optional(
      v.pipe(fileText('base64'), v.minLength<FileText, 1>(1), v.description('A WAV file, in base64.')),
    ),
    uploadId: v.optional(UploadId),
    referenceTranscript: v.pipe(
      v.string(),
      v.minLength(1),
      v.maxCodePoints(2000),
      v.description('Exactly what is said in the recording.'),
    ),
    languages: v.optional(
      v.pipe(v.array(Tag), v.maxLength(1000), v.description('That it speaks, such as en.')),
      [],
    ),
    vibeTags: v.optional(v.pipe(v.array(Tag), v.maxLength(12), v.description('Such as warm.')), []),
  }),
  output: Voice,
  access: 'draft',
  // The handler decodes the audio before it takes a database connection.
  effect: { readOnly: false, destructive: false, idempotent: false, transaction: 'own' },
  errors: { 403: ['plan_limit_exceeded'] },
  envelope: 'detail',
  bodyLimit: 26_214_400,
  special: { uploadInto: 'referenceAudioBase64' },
  check: ({ languages, vibeTags }) =>
    !v.is(Tag, [...languages, ...vibeTags].join(''))
      ? [
          {
            path: ['languages'],
            message: `Expected at most ${maximumTags} characters in languages and vibeTags together.`,
          },
        ]
      : [],
  async handler(context, { referenceAudioBase64, uploadId, languages, ...voice }) {
    const { services, caller, write } = context;
    const { referenceTranscript: transcript, name, gender, vibeTags } = voice;
    const content = { name, gender, supportedLanguages: languages, vibeTags, transcript };
    return queueUpload(async (use) => {
      const audio = use(
        uploadId === undefined
          ? readReferenceAudio(referenceAudioBase64 ?? '')
          : sentReferenceAudio(await uploadedBytes(context, uploadId)),
      );
      return write(async (stores) => {
        await useUpload(stores, uploadId);
        const created = await stores.voices.create(content, async (id) =>
          use(await services.sealFile(caller, 'voices', id, audio)),
        );
        await requireVoicesWithinPlan(stores);
        return customVoice(created);
      });
    });
  },
});
