import type { TaskStore } from './tasks.ts';

/**
 * The stores of one project: their holder can neither read nor write another project. `project-stores.ts` adds those of each
 * resource, so that the rules of one resource can use the stores of another, and no folder imports another in a circle.
 */
export interface Stores {
  readonly tasks: TaskStore;
}
