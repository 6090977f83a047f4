/**
 * Checks that Parley's schemas accept every request that OpenAI's types allow. The file is only type-checked: the check
 * fails if either side adds or changes a member.
 */

import type { SpeechCreateParams } from 'openai/resources/audio/speech';
import type { TranscriptionCreateParams } from 'openai/resources/audio/transcriptions';
import type { ChatCompletionCreateParams } from 'openai/resources/chat/completions';
import type * as v from 'valibot';
import type { Upload } from '../../../src/operation/upload.ts';
import type { ChatCompletionInput } from '../../../tools/models/create-chat-completion.ts';
import type { SpeechInput } from '../../../tools/models/create-speech.ts';
import type { TranscriptionInput } from '../../../tools/models/create-transcription.ts';

type Accepted = v.InferInput<typeof ChatCompletionInput>;

/**
 * A request body as plain JSON. Interfaces have no index signature, so this maps each to its members. A member that may
 * be undefined becomes optional.
 */
type Sent<T> = T extends string | number | boolean | null
  ? T
  : T extends readonly (infer Item)[]
    ? Sent<Item>[]
    : { [Name in keyof T]: Sent<Exclude<T[Name], undefined>> };

declare const params: Sent<ChatCompletionCreateParams>;
declare function accepts(request: Accepted): void;
accepts(params);
// @ts-expect-error a message without a role
accepts({ model: 'x', messages: [{ content: 'x' }] });

declare const speech: Sent<SpeechCreateParams>;
declare function speaks(request: v.InferInput<typeof SpeechInput>): void;
speaks(speech);
// @ts-expect-error the input is missing
speaks({ model: 'x', voice: 'alloy' });

/** A form: the file becomes an upload, and texts stay texts. Clients choose the names of all other members. */
type Texts<T> = { [Name in keyof T]: Name extends 'file' ? Upload : Exclude<T[Name], undefined> };
declare const recording: Texts<TranscriptionCreateParams>;
declare function transcribes(request: v.InferInput<typeof TranscriptionInput>): void;
transcribes(recording);
// @ts-expect-error the file is a text
transcribes({ file: 'x', model: 'x' });
