import type OpenAI from 'openai';
import type { EmbeddingModel } from '../config/models.ts';
import { mostDimensions } from '../config/models.ts';
import { codeOf } from '../errors.ts';
import type { Log } from '../log.ts';
import {
  type Embed,
  EmbeddingFailure,
  type Embeddings,
  type QueryEmbedding,
  type Vector,
} from '../search/vectors.ts';
import { Breaker } from './breaker.ts';

/** Makes the vector of a question; undefined where the model makes none in time, which the log tells. */
export type EmbedQuestion = (question: string, signal: AbortSignal) => Promise<QueryEmbedding | undefined>;

/** A model that makes vectors. */
export interface Embedder {
  readonly embed: Embed;
  readonly embedQuestion: EmbedQuestion;
}

/** Milliseconds: nobody waits for the texts, but a caller on the telephone for the question. */
const batchTime = 60_000;
const questionTime = 2_000;

/** A text that any model takes. */
const plainText = 'Parley';

/** The model takes other texts, and not one of these. */
class Refusal extends Error {
  override readonly name = 'Refusal';
}

/** Opens the model; its client is loaded with the first text. */
export function openEmbedder(place: EmbeddingModel, log: Log): Embedder {
  let opening: Promise<OpenAI> | undefined;
  const breaker = new Breaker();
  const ask = async (texts: readonly string[], signal: AbortSignal): Promise<Embeddings> => {
    opening ??= openClient(place);
    const { embeddings } = await opening;
    const { model, dimensions } = place;
    // Not every server knows base64.
    const body = { model, input: [...texts], encoding_format: 'float' as const };
    const answer = await embeddings
      .create({ ...body, ...(dimensions !== undefined && { dimensions }) }, { signal })
      .catch((error: unknown) => {
        const { name } = place.provider;
        throw signal.aborted
          ? new EmbeddingFailure(`${name} did not answer in time`)
          : failureOf(error, name);
      });
    return embeddingsIn(answer, place, texts.length);
  };

  /** All texts but those that the model refuses: where it refuses some, each half is asked for by itself. */
  const askForMost = async (texts: readonly string[], signal: AbortSignal): Promise<Embeddings> => {
    try {
      return await ask(texts, signal);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
    if (texts.length === 1) {
      const { vectors: _, ...made } = await ask([plainText], signal);
      return { ...made, vectors: [undefined] };
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
    async embed(texts, left) {
      const signal = AbortSignal.any([left, AbortSignal.timeout(batchTime)]);
      return askForMost(texts, signal).catch((error: unknown) => {
        throw error instanceof Refusal ? new EmbeddingFailure(`${error.message}, whatever it says`) : error;
      });
    },

    async embedQuestion(question, left) {
      if (question.trim() === '') return undefined;
      const silent = (reason: string) => {
        log.warn({ reason }, 'a question is answered by its words alone');
      };
      if (!breaker.lets()) {
        silent(`${place.provider.name} is not asked: it failed too often`);
        return undefined;
      }
      const signal = AbortSignal.any([left, AbortSignal.timeout(questionTime)]);
      try {
        const { vectors, ...made } = await ask([question], signal);
        breaker.succeeded();
        return vectors[0] && { ...made, vector: vectors[0] };
      } catch (error) {
        if (left.aborted) breaker.abandoned();
        else if (error instanceof Refusal) breaker.succeeded();
        else breaker.failed();
        if (!left.aborted) silent(error instanceof Error ? error.message : 'no answer');
        return undefined;
      }
    },
  };
}

/** Loads the client for the first text: that takes a quarter of a second and 30 MiB. */
async function openClient({ provider: { baseUrl, key } }: EmbeddingModel): Promise<OpenAI> {
  const { default: Client } = await import('openai');
  return new Client({
    apiKey: key ?? 'none',
    baseURL: baseUrl,
    maxRetries: 0,
    // What is left out here it takes from the environment; and it would log to stdout.
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    logLevel: 'off',
    ...(key === undefined && { defaultHeaders: { authorization: null } }),
  });
}

/** Statuses that speak of a text, and not of the model or the key. */
const refused = [400, 413, 422];

function failureOf(error: unknown, provider: string): Error {
  const { status, headers } = { ...(error as { status?: unknown; headers?: unknown } | null) };
  if (typeof status !== 'number') {
    if (error instanceof SyntaxError) return new EmbeddingFailure(`${provider} answered what is no JSON`);
    return new EmbeddingFailure(`${provider} did not answer (${innermostCode(error) || 'no connection'})`);
  }
  if (refused.includes(status)) return new Refusal(`${provider} refused a text with ${status}`);
  const wait = headers instanceof Headers ? headers.get('retry-after') : null;
  const seconds = wait !== null && /^\d{1,5}$/.test(wait) ? Number(wait) : undefined;
  return new EmbeddingFailure(`${provider} answered ${status}`, seconds);
}

/** Node's code for what befell a connection; it stands in the innermost cause that has one. */
function innermostCode(error: unknown): string {
  const inner = error instanceof Error && error.cause !== undefined ? innermostCode(error.cause) : '';
  return inner || codeOf(error);
}

/** Any server may stand there: what it sends need not be what the client's types say. */
function embeddingsIn(
  answer: unknown,
  { provider: { name }, model }: EmbeddingModel,
  count: number,
): Embeddings {
  const { data }: { data?: unknown } = typeof answer === 'object' && answer !== null ? answer : {};
  const rows: readonly { index?: unknown; embedding?: unknown }[] = Array.isArray(data) ? data : [];
  const vectors = Array.from({ length: count }, (_, index) => {
    const embedding = (rows.find((row) => row?.index === index) ?? rows[index])?.embedding;
    if (rows.length !== count || !isVector(embedding))
      throw new EmbeddingFailure(`${name} answered in another form than was asked for`);
    return embedding;
  });
  const dimensions = vectors[0]?.length ?? 0;
  if (vectors.some(({ length }) => length !== dimensions))
    throw new EmbeddingFailure(`${name} answered with vectors of several lengths`);
  if (dimensions > mostDimensions)
    throw new EmbeddingFailure(
      `${name} answered with vectors of ${dimensions} numbers, and ${mostDimensions} is the most: set dimensions`,
    );
  return { model: `${model} ${dimensions}`, dimensions, vectors: vectors.map(normal) };
}

function isVector(value: unknown): value is number[] {
  return Array.isArray(value) && value.length > 0 && value.every((number) => Number.isFinite(number));
}

/**
 * Of the length 1, so that no number is beyond what half precision holds; undefined where all are 0, which are as near
 * to anything.
 */
function normal(numbers: readonly number[]): Vector | undefined {
  const largest = numbers.reduce((most, number) => Math.max(most, Math.abs(number)), 0);
  if (largest === 0) return undefined;
  const length = largest * Math.sqrt(numbers.reduce((sum, number) => sum + (number / largest) ** 2, 0));
  return Float32Array.from(numbers, (number) => number / length);
}
