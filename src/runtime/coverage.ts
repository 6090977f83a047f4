import { exitNamesOf, nodesOf } from '../design/exits.ts';
import type { Design, HookNode, Step } from '../design/schema/design.ts';
import type { Position } from './call-state.ts';

/** How much of a kind of thing calls have seen. `missed` names the others. */
export interface Seen {
  readonly seen: number;
  readonly all: number;
  readonly missed: readonly string[];
}

/** What calls have seen of their design. A node is `before ID` or `after ID`; an exit is its place, then its label. */
export interface Coverage {
  readonly steps: Seen;
  readonly exits: Seen;
  readonly nodes: Seen;
}

/** A place of a call's path, and the exit by which the call left it. */
type Passed = Position & { readonly exit: string | null };

/** The name of a place: a step by its id, a node as `before ID` or `after ID`. */
export function placeName({ at, id }: Position): string {
  return at === 'step' ? id : `${at} ${id}`;
}

/** A step, node or exit of a design. */
export interface Part {
  readonly kind: 'steps' | 'exits' | 'nodes';
  readonly name: string;
  /** The name of the step or node; for an exit, of the one that it leaves. */
  readonly place: string;
  /** The label of an exit. */
  readonly exit: string | undefined;
  readonly of: Step | HookNode;
}

export function partsOf(design: Design): Part[] {
  const places = [
    ...Object.entries(design.steps).map(([id, of]) => ({ kind: 'steps' as const, name: id, of })),
    ...[...nodesOf(design)].map(({ phase, key, node }) => ({
      kind: 'nodes' as const,
      name: placeName({ at: phase, id: key }),
      of: node,
    })),
  ];
  return places.flatMap(({ kind, name, of }): Part[] => [
    { kind, name, place: name, exit: undefined, of },
    ...[...new Set(exitNamesOf(of))].map(
      (exit) => ({ kind: 'exits', name: `${name} ${exit}`, place: name, exit, of }) as const,
    ),
  ]);
}

/** What one call or several have seen of a design, by their paths. */
export function coverageOf(design: Design, ...paths: readonly (readonly Passed[])[]): Coverage {
  const seen = new Set<string>();
  for (const entry of paths.flat()) {
    seen.add(placeName(entry));
    if (entry.exit !== null) seen.add(`${placeName(entry)} ${entry.exit}`);
  }
  const parts = partsOf(design);
  const counted = (kind: Part['kind']): Seen => {
    const all = parts.filter((part) => part.kind === kind);
    const missed = all.filter(({ name }) => !seen.has(name)).map(({ name }) => name);
    return { seen: all.length - missed.length, all: all.length, missed };
  };
  return { steps: counted('steps'), exits: counted('exits'), nodes: counted('nodes') };
}
