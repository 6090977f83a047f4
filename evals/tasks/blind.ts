import written from '../blind-tasks.json' with { type: 'json' };
import type { Area, RecordedCall, Solution, Task } from '../task.ts';
import { changes } from './blind-changes.ts';
import { looks } from './blind-looks.ts';

const solutions: Readonly<Record<string, Solution>> = { ...looks, ...changes };

/** The tasks that were written blind, in the order, with the words and with the set-up of `blind-tasks.json`. */
export const blindTasks: readonly Task[] = written.map(({ name, words, setUp, touches }) => {
  const solution = solutions[name];
  if (!solution) throw new Error(`The task "${name}" has no solution.`);
  // TypeScript does not know which lists in JSON are tuples.
  const calls = setUp as unknown as readonly RecordedCall[];
  return { name, words, setUp: calls, touches: touches as readonly Area[], ...solution };
});
