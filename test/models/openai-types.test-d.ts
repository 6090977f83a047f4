/**
 * What OpenAI's types say of a request, our schema accepts. It is only type-checked: a member that one of them gains
 * or changes fails the check.
 */

import type { SpeechCreateParams } from 'openai/resources/audio/speech';
import type { TranscriptionCreateParams } from 'openai/resources/audio/transcriptions';
import type { ChatCompletionCreateParams } from 'openai/resources/chat/completions';
import type * as v from 'valibot';
import type { Upload } from '../../src/tool/upload.ts';
import type { ChatCompletionInput } from '../../tools/models/create-chat-completion.ts';
import type { SpeechInput } from '../../tools/models/create-speech.ts';
import type { TranscriptionInput } from '../../tools/models/create-transcription.ts';

type Accepted = v.InferInput<typeof ChatCompletionInput>;

/**
 * Request bodies as plain JSON: interfaces have no index signature, so each is taken as what it is made of, and a
 * member that may be undefined may be left out.
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
// @ts-expect-error nothing is said
speaks({ model: 'x', voice: 'alloy' });

/** A form has its file as bytes, its texts as texts, and members of any other kind under names of the client's making. */
type Texts<T> = { [Name in keyof T]: Name extends 'file' ? Upload : Exclude<T[Name], undefined> };
declare const recording: Texts<TranscriptionCreateParams>;
declare function transcribes(request: v.InferInput<typeof TranscriptionInput>): void;
transcribes(recording);
// @ts-expect-error a recording that is a text
transcribes({ file: 'x', model: 'x' });
