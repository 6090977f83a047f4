import { solved } from '../blind-task.ts';
import written from '../second-blind-tasks.json' with { type: 'json' };
import { changes } from './second-blind-changes.ts';
import { looks } from './second-blind-looks.ts';

/** The blind tasks of a second author, in the order, with the words and with the set-up of `second-blind-tasks.json`. */
export const secondBlindTasks = solved(written, { ...looks, ...changes });
