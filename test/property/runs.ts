import fc from 'fast-check';

/** How many requests each operation is sent. */
export const runs = Number(process.env['PROPERTY_RUNS'] ?? 100);

/** The same for everyone who does not ask for more runs or for another seed: a red run is red again. */
export const seed = Number(
  process.env['PROPERTY_SEED'] ??
    (process.env['PROPERTY_RUNS'] === undefined ? 20_260_101 : Date.now() % 2 ** 31),
);

/** A sample of a property that does not hold, with the reasons. */
interface Failure<Sample> {
  readonly index: number;
  readonly sample: Sample;
  readonly problems: readonly string[];
}

/**
 * Judges samples of an arbitrary, some at a time; the first that fails is shrunk.
 * @throws with what is needed to see the failure again.
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

/** A small sample that fails as well; undefined where it fails no more, as what came before it is gone. */
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

/** Counts answers by what they came to, for the line at the end of a run. */
export class Tally {
  readonly #counts = new Map<string, number>();

  add(what: string): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1);
  }

  /** `24 operations, 7200 runs: 200 1234, 400 5678`. */
  line(title: string, operations: number): string {
    const counts = [...this.#counts].toSorted(([a], [b]) => a.localeCompare(b));
    const total = counts.reduce((sum, [, count]) => sum + count, 0);
    const shown = counts.map(([what, count]) => `${what} ${count}`).join(', ');
    return `${title}: ${operations} operations, ${total} runs, seed ${seed}: ${shown}`;
  }
}
