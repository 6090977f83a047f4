import { areas } from './state.ts';
import type { RecordedCall, Solution, Task } from './task.ts';

/** A task as somebody wrote it who knew the README and the list of tools, and nothing else. */
interface BlindTask {
  readonly name: string;
  readonly words: string;
  readonly setUp: readonly unknown[];
  readonly touches: readonly string[];
}

/**
 * Blind tasks with what solves each of them.
 * @throws Error if a task has no solution, or may change what is not an area
 */
export function solved(
  written: readonly BlindTask[],
  solutions: Readonly<Record<string, Solution>>,
): readonly Task[] {
  return written.map(({ name, words, setUp, touches }) => {
    const solution = solutions[name];
    if (!solution) throw new Error(`The task "${name}" has no solution.`);
    const touched = touches.map((area) => {
      const known = areas.find((one) => one === area);
      if (!known) throw new Error(`The task "${name}" may change "${area}", which is not an area.`);
      return known;
    });
    // TypeScript does not know which lists in JSON are tuples.
    const calls = setUp as readonly RecordedCall[];
    return { name, words, setUp: calls, touches: touched, ...solution };
  });
}
