import { jsonPointer } from '../errors.ts';
import type { Design } from './schema/design.ts';
import { isSame } from './value.ts';

export interface DesignChange {
  /** JSON pointer to the step, hook node or other member. */
  readonly path: string;
  readonly change: 'added' | 'removed' | 'changed';
}

const maximumChanges = 100;

/** Compares two versions by step, hook node and top-level member. */
export function changesBetween(from: Design, to: Design, maximum = maximumChanges): DesignChange[] {
  const [before, after] = [partsOf(from), partsOf(to)];
  const paths = new Set([...before.keys(), ...after.keys()]);
  const changes: DesignChange[] = [];
  for (const path of paths) {
    const [old, now] = [before.get(path), after.get(path)];
    if (isSame(old, now)) continue;
    changes.push({ path, change: old === undefined ? 'added' : now === undefined ? 'removed' : 'changed' });
  }
  return changes.slice(0, maximum);
}

function partsOf({ steps, hooks, ...frame }: Design): Map<string, unknown> {
  const parts = new Map<string, unknown>();
  const add = (place: readonly string[], value: unknown) => parts.set(jsonPointer(place), value);
  for (const [name, value] of Object.entries(frame)) add([name], value);
  for (const [stepId, step] of Object.entries(steps)) add(['steps', stepId], step);
  for (const [phase, hook] of Object.entries(hooks ?? {})) {
    const { nodes, ...rest } = hook;
    add(['hooks', phase], rest);
    for (const [id, node] of Object.entries(nodes)) add(['hooks', phase, 'nodes', id], node);
  }
  return parts;
}
