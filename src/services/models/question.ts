import { toJsonSchema } from '@valibot/to-json-schema';
import type OpenAI from 'openai';
import * as v from 'valibot';
import { connectionCode, openClient } from './openai-client.ts';

/** A model and the OpenAI-compatible API that serves it. */
export interface ModelPlace {
  readonly apiKey: string;
  /** Such as `https://api.openai.com/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  /** Milliseconds for one question; 10,000 by default. */
  readonly timeLimit?: number | undefined;
}

/** Something for a model to judge. */
export interface Question<Answer> {
  /** What the model has to do. Only our own words. */
  readonly instructions: string;
  /** What to judge. It is untrusted, so it goes as JSON into a message of its own. */
  readonly material: unknown;
  readonly answer: v.GenericSchema<unknown, Answer>;
  readonly signal: AbortSignal;
}

/** The message is for the log. It never quotes the upstream, which may repeat the key, its address or the material. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
}

const defaultTimeLimit = 10_000;

/**
 * Returns a function that asks the model one question, without retries. It throws NoAnswerError unless the model returns
 * an answer that matches the schema in time.
 */
export function openQuestions({ apiKey, baseUrl, model, timeLimit = defaultTimeLimit }: ModelPlace) {
  let opening: Promise<OpenAI> | undefined;
  // The same question should get the same answer. Some models reject the parameter.
  let sampling: { temperature?: 0 } = { temperature: 0 };
  return async <Answer>({ instructions, material, answer, signal: left }: Question<Answer>) => {
    opening ??= openClient(apiKey, baseUrl);
    const { chat } = await opening;
    const signal = AbortSignal.any([left, AbortSignal.timeout(timeLimit)]);
    const schema = { ...toJsonSchema(answer) };
    const request = () =>
      chat.completions.create(
        {
          model,
          messages: [
            { role: 'system', content: instructions },
            { role: 'user', content: JSON.stringify(material) },
          ],
          response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema } },
          ...sampling,
        },
        { signal },
      );
    const completion = await request()
      .catch((error: unknown) => {
        if (!refusesTemperature(error)) throw error;
        sampling = {};
        return request();
      })
      .catch((error: unknown) => {
        if (left.aborted) throw new NoAnswerError('the caller left before the model responded');
        if (signal.aborted) throw new NoAnswerError(`the model did not respond within ${timeLimit} ms`);
        throw new NoAnswerError(whatHappened(error));
      });
    return answerIn(completion, answer);
  };
}

/** The server may be any, so the completion may differ from the client's types. */
function answerIn<Answer>(completion: unknown, answer: v.GenericSchema<unknown, Answer>): Answer {
  const content = v.pipe(v.string(), v.parseJson(), answer);
  const Completion = v.object({ choices: v.tuple([v.object({ message: v.object({ content }) })]) });
  const { success, output } = v.safeParse(Completion, completion);
  if (!success) throw new NoAnswerError('the model returned another format than was requested');
  return output.choices[0].message.content;
}

function refusesTemperature(error: unknown): boolean {
  return statusOf(error) === 400 && /temperature/i.test(String(error));
}

function whatHappened(error: unknown): string {
  const status = statusOf(error);
  if (status !== undefined) return `the model's server returned ${status}`;
  if (error instanceof SyntaxError) return "the model's server returned something other than JSON";
  return `the model's server could not be reached (${connectionCode(error)})`;
}

function statusOf(error: unknown): number | undefined {
  const known = error instanceof Error && 'status' in error && typeof error.status === 'number';
  return known ? (error.status as number) : undefined;
}
