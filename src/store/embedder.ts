/** Of the length 1. */
export type Vector = Float32Array;

/** Vectors of one model: those of another one cannot be compared with them. */
export interface Embeddings {
  /** The model and how long its vectors are. */
  readonly model: string;
  readonly dimensions: number;
  /** One for each text; undefined where the model takes the others, and not this one. */
  readonly vectors: readonly (Vector | undefined)[];
}

/** The vector of a question. */
export interface QuestionEmbedding {
  readonly model: string;
  readonly dimensions: number;
  readonly vector: Vector;
}

/**
 * Has a model make vectors of texts: a few dozen at most.
 * @throws EmbeddingFailure where it does not
 */
export type Embed = (texts: readonly string[], signal: AbortSignal) => Promise<Embeddings>;

/** A model made no vectors. The message is for the log: it has no word of the upstream's. */
export class EmbeddingFailure extends Error {
  override readonly name = 'EmbeddingFailure';
  /** Seconds to wait, where the upstream asks for that. */
  readonly retryAfter: number | undefined;

  constructor(message: string, retryAfter?: number) {
    super(message);
    this.retryAfter = retryAfter;
  }
}

/** As pgvector reads it. */
export function vectorText(vector: Vector): string {
  return `[${vector.join(',')}]`;
}
