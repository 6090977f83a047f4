import type { Calls, Move } from './call.ts';

/** What a watch says of a call that comes to a place: its next state, or that nothing more has to be looked at. */
type Verdict = number | 'violated' | 'safe';

/** Follows a call and says when it has violated a property, or can no longer do so. */
export interface Watch {
  /** How many states there are; a call starts in state 0. */
  readonly states: number;
  /** The call comes to a place. */
  readonly enter: (state: number, place: number) => Verdict;
  /** The call leaves a place. */
  readonly leave?: (state: number, place: number, move: Move) => number | 'safe';
}

/** A place on a path, and the move that leads on from there; none at the end. */
export interface PathPlace {
  readonly place: number;
  readonly exit: string | undefined;
}

interface Visit {
  readonly place: number;
  readonly state: number;
  readonly from: Visit | undefined;
  readonly exit: string | undefined;
}

/**
 * The shortest path of a call that violates a property; undefined where none does, which is then proved: the places
 * and states are finite, and each pair is looked at once.
 */
export function shortestViolation({ starts, moves }: Calls, watch: Watch): PathPlace[] | undefined {
  const seen = new Set<number>();
  const queue: Visit[] = [];
  const come = (place: number, state: number, from?: Visit, exit?: string): Visit | undefined => {
    const verdict = watch.enter(state, place);
    const visit = { place, state: typeof verdict === 'number' ? verdict : state, from, exit };
    if (verdict === 'violated') return visit;
    const pair = place * watch.states + visit.state;
    if (verdict === 'safe' || seen.has(pair)) return undefined;
    seen.add(pair);
    queue.push(visit);
    return undefined;
  };
  for (const start of starts) {
    const violation = come(start, 0);
    if (violation) return pathTo(violation);
  }
  // An array that grows while it is walked is walked to its end.
  for (const visit of queue)
    for (const move of moves[visit.place] ?? []) {
      const verdict = watch.leave?.(visit.state, visit.place, move) ?? visit.state;
      if (verdict === 'safe') continue;
      const violation = move.to === undefined ? undefined : come(move.to, verdict, visit, move.label);
      if (violation) return pathTo(violation);
    }
  return undefined;
}

function pathTo(visit: Visit): PathPlace[] {
  const path: PathPlace[] = [];
  let exit: string | undefined;
  for (let at: Visit | undefined = visit; at; at = at.from) {
    path.push({ place: at.place, exit });
    exit = at.exit;
  }
  return path.toReversed();
}

/** The places that a call can come to. */
export function reachablePlaces({ starts, moves }: Calls): ReadonlySet<number> {
  const reached = new Set(starts);
  for (const place of reached) for (const { to } of moves[place] ?? []) if (to !== undefined) reached.add(to);
  return reached;
}

/** The places from which the call can come to its end without the caller hanging up. */
export function endingPlaces({ moves }: Calls): ReadonlySet<number> {
  const leadsHere = new Map<number, number[]>();
  const ending = new Set<number>();
  for (const [place, ways] of moves.entries())
    for (const { to, hangUp } of ways) {
      if (hangUp) continue;
      if (to === undefined) ending.add(place);
      else if (!leadsHere.get(to)?.push(place)) leadsHere.set(to, [place]);
    }
  for (const place of ending) for (const from of leadsHere.get(place) ?? []) ending.add(from);
  return ending;
}
