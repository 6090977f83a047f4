import { jsonPointer } from '../platform/errors.ts';
import type { Design } from './schema/design.ts';
import { isSame, type Members } from './value.ts';

export interface DesignChange {
  /** JSON pointer to the step, hook node or other member. */
  readonly path: string;
  readonly change: 'added' | 'removed' | 'changed';
}

const maximumChanges = 100;

/** Compares two versions by step, hook node and top-level member. */
export function changesBetween(from: Design, to: Design, maximum = maximumChanges): DesignChange[] {
  const changes: DesignChange[] = [];
  for (const [place, old, now] of partsOf(from, to)) {
    if (changes.length >= maximum) break;
    if (isSame(old, now)) continue;
    const change = old === undefined ? 'added' : now === undefined ? 'removed' : 'changed';
    changes.push({ path: jsonPointer(place), change });
  }
  return changes;
}

/** A part of two versions, with its place; undefined in the version that does not have it. */
type Part = readonly [place: readonly string[], from: unknown, to: unknown];

function* partsOf(from: Design, to: Design): Generator<Part> {
  const { steps: oldSteps, hooks: oldHooks = {}, ...oldFrame } = from;
  const { steps: newSteps, hooks: newHooks = {}, ...newFrame } = to;
  yield* membersOf([], oldFrame, newFrame);
  yield* membersOf(['steps'], oldSteps, newSteps);
  const { commands: oldCommands = {}, ...oldPhases } = oldHooks;
  const { commands: newCommands = {}, ...newPhases } = newHooks;
  yield* membersOf(['hooks', 'commands'], oldCommands, newCommands);
  for (const [place, oldHook, newHook] of membersOf(['hooks'], oldPhases, newPhases)) {
    const { nodes: oldNodes = {}, ...oldRest } = (oldHook ?? {}) as { nodes?: Members };
    const { nodes: newNodes = {}, ...newRest } = (newHook ?? {}) as { nodes?: Members };
    yield [place, oldHook && oldRest, newHook && newRest];
    yield* membersOf([...place, 'nodes'], oldNodes, newNodes);
  }
}

function* membersOf(place: readonly string[], from: Members, to: Members): Generator<Part> {
  for (const name of new Set([...Object.keys(from), ...Object.keys(to)]))
    yield [[...place, name], memberOf(from, name), memberOf(to, name)];
}

function memberOf(members: Members, name: string): unknown {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}
