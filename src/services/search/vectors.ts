/** A vector of length 1. */
export type Vector = Float32Array;

/** Vectors of one model; vectors of different models cannot be compared. */
export interface Embeddings {
  /** The model and the number of dimensions, as one name. */
  readonly model: string;
  readonly dimensions: number;
  /** One for each text; undefined if the model refuses only that text. */
  readonly vectors: readonly (Vector | undefined)[];
}

/** The vector of a query. */
export interface QueryEmbedding {
  readonly model: string;
  readonly dimensions: number;
  readonly vector: Vector;
}

/**
 * Asks a model for the vectors of at most a few dozen texts.
 * @throws EmbeddingFailure
 */
export type Embed = (texts: readonly string[], signal: AbortSignal) => Promise<Embeddings>;

/** A model returned no vectors. The message is for the log and quotes nothing of the upstream's response. */
export class EmbeddingFailure extends Error {
  override readonly name = 'EmbeddingFailure';
  /** Seconds to wait, if the upstream asks for that. */
  readonly retryAfter: number | undefined;

  constructor(message: string, retryAfter?: number) {
    super(message);
    this.retryAfter = retryAfter;
  }
}

/** A vector in pgvector's text form. */
export function vectorText(vector: Vector): string {
  return `[${vector.join(',')}]`;
}
