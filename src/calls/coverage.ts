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

/** Remembered, because every run of a large design would else list them again. */
const partsOfDesign = new WeakMap<Design, readonly Part[]>();

export function partsOf(design: Design): readonly Part[] {
  const known = partsOfDesign.get(design);
  if (known) return known;
  const places = [
    ...Object.entries(design.steps).map(([id, of]) => ({ kind: 'steps' as const, name: id, of })),
    ...[...nodesOf(design)].map(({ phase, key, node }) => ({
      kind: 'nodes' as const,
      name: placeName({ at: phase, id: key }),
      of: node,
    })),
  ];
  const parts = places.flatMap(({ kind, name, of }): Part[] => [
    { kind, name, place: name, exit: undefined, of },
    ...[...new Set(exitNamesOf(of))].map(
      (exit) => ({ kind: 'exits', name: `${name} ${exit}`, place: name, exit, of }) as const,
    ),
  ]);
  partsOfDesign.set(design, parts);
  return parts;
}

/** Adds the places and exits of a call to those that other calls have seen. */
export function addSeen(seen: Set<string>, path: readonly Passed[]): void {
  for (const entry of path) {
    seen.add(placeName(entry));
    if (entry.exit !== null) seen.add(`${placeName(entry)} ${entry.exit}`);
  }
}

/** What a call has seen of a design, by its path. */
export function coverageOf(design: Design, path: readonly Passed[]): Coverage {
  const seen = new Set<string>();
  addSeen(seen, path);
  return coverageBy(design, seen);
}

/** How much of a design is in what {@link addSeen} has gathered. */
export function coverageBy(design: Design, seen: ReadonlySet<string>): Coverage {
  const parts = partsOf(design);
  const counted = (kind: Part['kind']): Seen => {
    const all = parts.filter((part) => part.kind === kind);
    const missed = all.filter(({ name }) => !seen.has(name)).map(({ name }) => name);
    return { seen: all.length - missed.length, all: all.length, missed };
  };
  return { steps: counted('steps'), exits: counted('exits'), nodes: counted('nodes') };
}
