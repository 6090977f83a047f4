import type { Calls, Move } from './call.ts';

/** The next state of a monitor, or that the call has violated the property, or that it no longer can. */
type Verdict = number | 'violated' | 'safe';

/** A state machine that follows a call and reports a violation of one property. */
export interface Monitor {
  /** The number of states. A call starts in state 0. */
  readonly states: number;
  readonly enter: (state: number, place: number) => Verdict;
  readonly leave?: (state: number, place: number, move: Move) => number | 'safe';
}

/** A place on a path. `exit` is the label of the move that leaves it; undefined at the end. */
export interface PathPlace {
  readonly place: number;
  readonly exit: string | undefined;
}

/**
 * Finds the shortest path that violates a property, breadth first over pairs of place and state. Returns undefined if no
 * call violates it: the pairs are finite and each is visited once, so this is a proof. Pairs are numbers in typed arrays,
 * because `asksOnce` runs one search for each place of a design.
 * @param longest the search ignores paths of more places.
 */
export function shortestViolation(
  { starts, moves, closings }: Pick<Calls, 'starts' | 'moves' | 'closings'>,
  monitor: Monitor,
  longest = Number.POSITIVE_INFINITY,
): PathPlace[] | undefined {
  const { states } = monitor;
  const seen = new Uint8Array(moves.length * states);
  const visits = new Int32Array(seen.length);
  const previous = new Int32Array(seen.length);
  const lengths = new Int32Array(seen.length);
  const exits: string[] = [];
  const closed = new Set<number>();
  let count = 0;
  /** Visits a place. True if that violates the property. */
  const visitPlace = (place: number, state: number, from: number, exit: string): boolean => {
    const verdict = monitor.enter(state, place);
    if (verdict === 'violated') return true;
    const pair = place * states + (verdict === 'safe' ? 0 : verdict);
    if (verdict === 'safe' || seen[pair] === 1) return false;
    seen[pair] = 1;
    visits[count] = pair;
    previous[count] = from;
    lengths[count] = (lengths[from] ?? 0) + 1;
    exits.push(exit);
    count += 1;
    return false;
  };
  const placeAt = (visit: number) => Math.floor((visits[visit] ?? 0) / states);
  const pathTo = (last: number, from: number, lastExit: string): PathPlace[] => {
    const path: PathPlace[] = [{ place: last, exit: undefined }];
    let exit = lastExit;
    for (let visit = from; visit >= 0; visit = previous[visit] ?? -1) {
      path.push({ place: placeAt(visit), exit });
      exit = exits[visit] ?? '';
    }
    return path.toReversed();
  };
  if (longest < 1) return undefined;
  for (const start of starts) if (visitPlace(start, 0, -1, '')) return pathTo(start, -1, '');
  for (let visit = 0; visit < count && (lengths[visit] ?? 0) < longest; visit++) {
    const [place, state] = [placeAt(visit), (visits[visit] ?? 0) % states];
    for (const move of moves[place] ?? []) {
      const next = monitor.leave?.(state, place, move) ?? state;
      if (next === 'safe' || move.to === undefined) continue;
      // The closings that were visited in a state once need no second visit.
      const targets = move.to !== 'closings' ? [move.to] : closed.has(next) ? [] : closings;
      if (move.to === 'closings') closed.add(next);
      for (const to of targets)
        if (visitPlace(to, next, visit, move.label)) return pathTo(to, visit, move.label);
    }
  }
  return undefined;
}

/** Those of some places that a call can come to before any other of them, the nearest first. */
export function firstPlaces({ moves, ...calls }: Calls, wanted: ReadonlySet<number>): number[] {
  const leading = moves.map((ways, place) => (wanted.has(place) ? [] : ways));
  const reached = distances({ ...calls, moves: leading });
  return [...reached.keys()].filter((place) => wanted.has(place));
}

/** The number of places on the shortest path to each place, the place itself included. Unreachable places are missing. */
export function distances({ starts, moves, closings }: Calls): ReadonlyMap<number, number> {
  const distance = new Map(starts.map((start) => [start, 1]));
  let isClosed = false;
  // Iterating a map also visits what is added during the iteration.
  for (const [place, length] of distance)
    for (const { to } of moves[place] ?? []) {
      const targets = to === undefined ? [] : to !== 'closings' ? [to] : isClosed ? [] : closings;
      isClosed ||= to === 'closings';
      for (const target of targets) if (!distance.has(target)) distance.set(target, length + 1);
    }
  return distance;
}

/** The places from which a call can reach its end without the caller hanging up. */
export function endingPlaces({ moves, closings }: Calls): ReadonlySet<number> {
  const predecessors = new Map<Move['to'], number[]>();
  const isClosing = new Set(closings);
  const ending = new Set<number>();
  for (const [place, ways] of moves.entries())
    for (const { to, hangUp } of ways) {
      if (hangUp) continue;
      if (to === undefined) ending.add(place);
      else if (!predecessors.get(to)?.push(place)) predecessors.set(to, [place]);
    }
  for (const place of ending) {
    for (const from of predecessors.get(place) ?? []) ending.add(from);
    if (!isClosing.has(place)) continue;
    for (const from of predecessors.get('closings') ?? []) ending.add(from);
    predecessors.delete('closings');
  }
  return ending;
}
