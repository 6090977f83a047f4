import fc from 'fast-check';

/** The number of requests for each operation. */
export const runs = Number(process.env['PROPERTY_RUNS'] ?? 100);

/** Fixed by default, so that a failure is repeatable. PROPERTY_RUNS without PROPERTY_SEED makes it vary. */
export const seed = Number(
  process.env['PROPERTY_SEED'] ??
    (process.env['PROPERTY_RUNS'] === undefined ? 20_260_101 : Date.now() % 2 ** 31),
);

/** A sample that violates a property, with the reasons. */
interface Failure<Sample> {
  readonly index: number;
  readonly sample: Sample;
  readonly problems: readonly string[];
}

/**
 * Judges `count` samples of an arbitrary, `atOnce` at a time, and shrinks the first that fails.
 * @throws if a sample fails, with the seed, the run and the sample
 */
export async function holdsForAll<Sample>(
  name: string,
  arbitrary: fc.Arbitrary<Sample>,
  { count, atOnce }: { readonly count: number; readonly atOnce: number },
  judge: (sample: Sample) => Promise<readonly string[]>,
): Promise<void> {
  const samples = fc.sample(arbitrary, { numRuns: count, seed }).entries();
  const failures: Failure<Sample>[] = [];
  const work = async () => {
    for (const [index, sample] of samples) {
      const problems = await judge(sample).catch((error: unknown) => [String(error)]);
      if (problems.length > 0) failures.push({ index, sample, problems });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  const [first] = failures.toSorted((a, b) => a.index - b.index);
  if (!first) return;
  const shrunk = await smallest(arbitrary, first.index, judge);
  const { sample, problems } = shrunk ?? first;
  throw new Error(
    [
      `${name}: ${failures.length} of ${count} fail; PROPERTY_SEED=${seed} PROPERTY_RUNS=${runs}, run ${first.index}`,
      ...problems,
      `${shrunk ? 'shrunk' : 'as it was sent'}: ${shortened(JSON.stringify(sample))}`,
    ].join('\n'),
  );
}

/** Shrinks a failing sample. Returns undefined if it no longer fails, because it needed the samples before it. */
async function smallest<Sample>(
  arbitrary: fc.Arbitrary<Sample>,
  index: number,
  judge: (sample: Sample) => Promise<readonly string[]>,
): Promise<{ sample: Sample; problems: readonly string[] } | undefined> {
  let problems: readonly string[] = [];
  const property = fc.asyncProperty(arbitrary, async (sample) => {
    const found = await judge(sample).catch((error: unknown) => [String(error)]);
    if (found.length > 0) problems = found;
    return found.length === 0;
  });
  const path = String(index);
  const { counterexample } = await fc.check(property, {
    seed,
    path,
    numRuns: 1,
    interruptAfterTimeLimit: 5_000,
  });
  return counterexample ? { sample: counterexample[0], problems } : undefined;
}

function shortened(text: string): string {
  return text.length > 4_000 ? `${text.slice(0, 4_000)}…` : text;
}

/** Counts responses by outcome, for the line at the end of a run. */
export class Tally {
  readonly #counts = new Map<string, number>();

  add(what: string): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1);
  }

  /** Returns, for example, `over REST: 24 operations, 7200 runs, seed 7: 200 1234, 400 5678, …`. */
  line(title: string, operations: number): string {
    const counts = [...this.#counts].toSorted(([a], [b]) => a.localeCompare(b));
    const total = counts.reduce((sum, [, count]) => sum + count, 0);
    const shown = counts.map(([what, count]) => `${what} ${count}`).join(', ');
    return `${title}: ${operations} operations, ${total} runs, seed ${seed}: ${shown}`;
  }
}
