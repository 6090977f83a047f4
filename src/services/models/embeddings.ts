import type OpenAI from 'openai';
import type { EmbeddingModel } from '../../platform/config/models.ts';
import { mostDimensions } from '../../platform/config/models.ts';
import type { Log } from '../../platform/log.ts';
import {
  type Embed,
  EmbeddingFailure,
  type Embeddings,
  type QueryEmbedding,
  type Vector,
} from '../search/vectors.ts';
import { Breaker } from './breaker.ts';
import { connectionCode, openClient } from './openai-client.ts';

/** Makes the vector of a question. Undefined if the model does not return one in time; the log has the reason. */
export type EmbedQuestion = (question: string, signal: AbortSignal) => Promise<QueryEmbedding | undefined>;

/** An embedding model. */
export interface Embedder {
  readonly embed: Embed;
  readonly embedQuestion: EmbedQuestion;
}

/** Milliseconds. Nobody waits for the indexed texts, but a caller on the phone waits for the question. */
const batchTime = 60_000;
const questionTime = 2_000;

/** A text that every model accepts. */
const plainText = 'Parley';

/** The model rejected one of these texts, but works. */
class Refusal extends Error {
  override readonly name = 'Refusal';
}

/** Opens the model. Its client is loaded on the first text. */
export function openEmbedder(place: EmbeddingModel, log: Log): Embedder {
  let opening: Promise<OpenAI> | undefined;
  const breaker = new Breaker();
  const ask = async (texts: readonly string[], signal: AbortSignal): Promise<Embeddings> => {
    opening ??= openClient(place.provider.key, place.provider.baseUrl);
    const { embeddings } = await opening;
    const { model, dimensions } = place;
    // Not every server supports base64.
    const body = { model, input: [...texts], encoding_format: 'float' as const };
    const response = await embeddings
      .create({ ...body, ...(dimensions !== undefined && { dimensions }) }, { signal })
      .catch((error: unknown) => {
        const { name } = place.provider;
        throw signal.aborted
          ? new EmbeddingFailure(`${name} did not respond in time`)
          : failureOf(error, name);
      });
    return embeddingsIn(response, place, texts.length);
  };

  /** Embeds all texts that the model accepts: if it rejects a list, each half is tried by itself. */
  const askForMost = async (texts: readonly string[], signal: AbortSignal): Promise<Embeddings> => {
    try {
      return await ask(texts, signal);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
    if (texts.length === 1) {
      // An accepted text shows that the model works, and tells its dimensions.
      const { vectors: _, ...model } = await ask([plainText], signal);
      return { ...model, vectors: [undefined] };
    }
    const middle = Math.ceil(texts.length / 2);
    const [one, other] = [
      await askForMost(texts.slice(0, middle), signal),
      await askForMost(texts.slice(middle), signal),
    ];
    if (one.model !== other.model) throw new EmbeddingFailure(`${place.provider.name} changed its vectors`);
    return { ...one, vectors: [...one.vectors, ...other.vectors] };
  };

  return {
    async embed(texts, callerSignal) {
      const signal = AbortSignal.any([callerSignal, AbortSignal.timeout(batchTime)]);
      return askForMost(texts, signal).catch((error: unknown) => {
        throw error instanceof Refusal ? new EmbeddingFailure(`${error.message}, whatever the text`) : error;
      });
    },

    async embedQuestion(question, callerSignal) {
      if (question.trim() === '') return undefined;
      const logFallback = (reason: string) => {
        log.warn({ reason }, 'a question is searched by its words alone');
      };
      if (!breaker.allows()) {
        logFallback(`${place.provider.name} was not called because it failed too often`);
        return undefined;
      }
      const signal = AbortSignal.any([callerSignal, AbortSignal.timeout(questionTime)]);
      try {
        const { vectors, ...model } = await ask([question], signal);
        breaker.succeeded();
        return vectors[0] && { ...model, vector: vectors[0] };
      } catch (error) {
        if (callerSignal.aborted) breaker.abandoned();
        else if (error instanceof Refusal) breaker.succeeded();
        else breaker.failed();
        if (!callerSignal.aborted) logFallback(error instanceof Error ? error.message : 'no response');
        return undefined;
      }
    },
  };
}

/** Statuses that concern a text, not the model or the key. */
const refused = [400, 413, 422];

function failureOf(error: unknown, provider: string): Error {
  const { status, headers } = { ...(error as { status?: unknown; headers?: unknown } | null) };
  if (typeof status !== 'number') {
    if (error instanceof SyntaxError)
      return new EmbeddingFailure(`${provider} returned something other than JSON`);
    return new EmbeddingFailure(`${provider} did not respond (${connectionCode(error)})`);
  }
  if (refused.includes(status)) return new Refusal(`${provider} rejected a text with ${status}`);
  const wait = headers instanceof Headers ? headers.get('retry-after') : null;
  const seconds = wait !== null && /^\d{1,5}$/.test(wait) ? Number(wait) : undefined;
  return new EmbeddingFailure(`${provider} returned ${status}`, seconds);
}

/** The server may be any, so the response may differ from the client's types. */
function embeddingsIn(
  response: unknown,
  { provider: { name }, model }: EmbeddingModel,
  count: number,
): Embeddings {
  const { data }: { data?: unknown } = typeof response === 'object' && response !== null ? response : {};
  const rows: readonly { index?: unknown; embedding?: unknown }[] = Array.isArray(data) ? data : [];
  const vectors = Array.from({ length: count }, (_, index) => {
    const embedding = (rows.find((row) => row?.index === index) ?? rows[index])?.embedding;
    if (rows.length !== count || !isVector(embedding))
      throw new EmbeddingFailure(`${name} returned another format than was requested`);
    return embedding;
  });
  const dimensions = vectors[0]?.length ?? 0;
  if (vectors.some(({ length }) => length !== dimensions))
    throw new EmbeddingFailure(`${name} returned vectors of different lengths`);
  if (dimensions > mostDimensions)
    throw new EmbeddingFailure(
      `${name} returned vectors of ${dimensions} numbers; at most ${mostDimensions} fit: set dimensions`,
    );
  return { model: `${model} ${dimensions}`, dimensions, vectors: vectors.map(normal) };
}

function isVector(value: unknown): value is number[] {
  return Array.isArray(value) && value.length > 0 && value.every((number) => Number.isFinite(number));
}

/**
 * Scales a vector to length 1, so that half precision can hold each number. Undefined if all numbers are 0: such a vector
 * is equally near to everything.
 */
function normal(numbers: readonly number[]): Vector | undefined {
  const largest = numbers.reduce((most, number) => Math.max(most, Math.abs(number)), 0);
  if (largest === 0) return undefined;
  const length = largest * Math.sqrt(numbers.reduce((sum, number) => sum + (number / largest) ** 2, 0));
  return Float32Array.from(numbers, (number) => number / length);
}
