import { solved } from '../blind-task.ts';
import written from '../blind-tasks.json' with { type: 'json' };
import { changes } from './blind-changes.ts';
import { looks } from './blind-looks.ts';

/** The tasks that were written blind, in the order, with the words and with the set-up of `blind-tasks.json`. */
export const blindTasks = solved(written, { ...looks, ...changes });
