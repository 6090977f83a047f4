import { ToolError } from '../../platform/errors.ts';
import type { CompleteChat } from './chat.ts';
import { completionUses, type Meter } from './chat-usage.ts';
import { UpstreamFailure } from './upstream-failure.ts';

/** What a model is asked, and how its answer is read. */
export interface ModelPrompt<Result> {
  readonly name: string;
  /** `auto` if undefined. */
  readonly model?: string | undefined;
  readonly instructions: string;
  readonly material: unknown;
  /** JSON Schema of the answer, in the strict form. */
  readonly schema: unknown;
  /** Undefined if the answer is not of the form. */
  readonly read: (answer: unknown) => Result | undefined;
}

/** On whose behalf a model is asked. */
export interface PromptCall {
  /** Aborts when the caller leaves. */
  readonly signal: AbortSignal;
  readonly requestId: string;
  readonly meter: Meter;
  readonly tier: 'realtime' | 'playground';
  /** The effort for `auto`. */
  readonly reasoning?: string | undefined;
  readonly seed?: number | undefined;
}

/** The result, or why there is none, with what it took. */
export type Prompted<Result> = { readonly calls: number; readonly tokens: number } & (
  | { readonly result: Result; readonly failure?: undefined }
  | { readonly result?: undefined; readonly failure: string }
);

/**
 * Asks the model of the prompt, or the one behind `auto`, with a strict response format. If it does not respond in time or not in the form, it is
 * asked once more.
 * @throws only if the signal aborts
 */
export type PromptModel = <Result>(
  prompt: ModelPrompt<Result>,
  call: PromptCall,
) => Promise<Prompted<Result>>;

/** Milliseconds for one attempt. */
const usualLimit = 10_000;
const attempts = 2;

/** Prompts on these chat completions. */
export function promptedModel(completeChat: CompleteChat, timeLimit = usualLimit): PromptModel {
  return async (prompt, call) => {
    let tokens = 0;
    let failure = '';
    for (let calls = 1; calls <= attempts; calls++) {
      const left = call.signal;
      const signal = AbortSignal.any([left, AbortSignal.timeout(timeLimit)]);
      try {
        const completion = await complete(completeChat, prompt, { ...call, signal });
        tokens += completion.tokens;
        const result = prompt.read(completion.answer);
        if (result !== undefined) return { result, calls, tokens };
        failure = 'the model responded in another form than it was asked for';
      } catch (error) {
        left.throwIfAborted();
        failure = reasonOf(error, signal, timeLimit);
      }
    }
    return { failure, calls: attempts, tokens };
  };
}

async function complete(
  completeChat: CompleteChat,
  { name, model = 'auto', instructions, material, schema }: ModelPrompt<unknown>,
  { signal, requestId, meter, tier, reasoning, seed }: PromptCall,
): Promise<{ answer: unknown; tokens: number }> {
  const messages = [
    { role: 'system', content: instructions },
    { role: 'user', content: JSON.stringify(material) },
  ];
  const input = {
    model,
    messages,
    response_format: { type: 'json_schema', json_schema: { name, strict: true, schema } },
    ...(seed !== undefined && { seed }),
    ...(reasoning !== undefined && { reasoning }),
    tier,
  };
  const text = Buffer.from(JSON.stringify(input));
  const { body } = await completeChat({ input, text, signal, trace: undefined, requestId, meter });
  if (!Buffer.isBuffer(body)) {
    body.destroy();
    throw new UpstreamFailure('the model responded with more than 1 MiB');
  }
  const tokens = completionUses(tier, messages, body)
    .filter(({ metric }) => metric !== 'requests')
    .reduce((sum, { quantity }) => sum + quantity, 0);
  return { answer: answerIn(body), tokens };
}

/** The JSON that a completion holds; undefined if it holds none. */
function answerIn(completion: Buffer): unknown {
  try {
    const { choices } = JSON.parse(completion.toString()) as {
      choices?: { message?: { content?: unknown } }[];
    };
    return JSON.parse(String(choices?.[0]?.message?.content)) as unknown;
  } catch {
    // The model is asked again, and the failure then says that its answer had another form.
    return undefined;
  }
}

/** Never quotes the upstream. */
function reasonOf(error: unknown, signal: AbortSignal, timeLimit: number): string {
  if (signal.aborted) return `the model did not respond within ${timeLimit / 1000} s`;
  if (error instanceof ToolError && error.status < 500) return 'the model refused the request';
  if (error instanceof ToolError || error instanceof UpstreamFailure) return 'the model did not respond';
  throw error;
}
