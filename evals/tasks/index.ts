import type { Kind, Task } from '../task.ts';
import { blindTasks } from './blind.ts';
import { change } from './change.ts';
import { compare } from './compare.ts';
import { explain } from './explain.ts';
import { find } from './find.ts';
import { make } from './make.ts';
import { prove } from './prove.ts';
import { restrict } from './restrict.ts';
import { secondBlindTasks } from './second-blind.ts';
import { share } from './share.ts';
import { undo } from './undo.ts';

/** Every task, by what it asks for; those that were written blind stand apart. */
export const tasks: Readonly<Record<Kind | 'blind' | 'second-blind', readonly Task[]>> = {
  find,
  make,
  change,
  compare,
  prove,
  undo,
  share,
  restrict,
  explain,
  blind: blindTasks,
  'second-blind': secondBlindTasks,
};
