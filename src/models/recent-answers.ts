import { createHash } from 'node:crypto';

/**
 * The answers to the questions that were asked last, up to a number of lines in all. An answer is remembered for the
 * whole question and not for each of its lines: what stands beside a line may have swayed the model, and the next one
 * who asks about that line may be another project.
 */
export class RecentAnswers<Answer> {
  readonly #answers = new Map<string, readonly Answer[]>();
  readonly #maximumLines: number;
  #lines = 0;

  constructor(maximumLines: number) {
    this.#maximumLines = maximumLines;
  }

  /** One answer for each line: those that are remembered, or those that `ask` gets. */
  async of(lines: readonly string[], ask: () => Promise<readonly Answer[]>): Promise<readonly Answer[]> {
    // A digest, so that long lines are not kept.
    const question = createHash('sha256').update(JSON.stringify(lines)).digest('base64');
    const answers = this.#answers.get(question) ?? (await ask());
    // Set anew, it stands last: what is forgotten first is what was not asked for longest.
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
