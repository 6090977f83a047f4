import { createHash } from 'node:crypto';

/**
 * A cache of recent answers, bounded by the total number of lines. The key is the whole question, not each of its lines:
 * the other lines may have influenced the model, and the next project that asks about a line must not inherit that.
 */
export class RecentAnswers<Answer> {
  readonly #answers = new Map<string, readonly Answer[]>();
  readonly #maximumLines: number;
  #lines = 0;

  constructor(maximumLines: number) {
    this.#maximumLines = maximumLines;
  }

  /** One answer for each line, from the cache or from `ask`. */
  async of(lines: readonly string[], ask: () => Promise<readonly Answer[]>): Promise<readonly Answer[]> {
    // A digest, because lines can be long.
    const question = createHash('sha256').update(JSON.stringify(lines)).digest('base64');
    const answers = this.#answers.get(question) ?? (await ask());
    // Inserting it again makes it the newest; the least recently used goes first.
    this.#forget(question);
    this.#answers.set(question, answers);
    this.#lines += answers.length;
    for (const oldest of this.#answers.keys()) {
      if (this.#lines <= this.#maximumLines) break;
      this.#forget(oldest);
    }
    return answers;
  }

  #forget(question: string): void {
    this.#lines -= this.#answers.get(question)?.length ?? 0;
    this.#answers.delete(question);
  }
}
