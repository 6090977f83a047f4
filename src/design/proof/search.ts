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

/**
 * The shortest path of a call that violates a property; undefined where none does, which is then proved: the places
 * and states are finite, and each pair is looked at once. Pairs are numbers in arrays of a fixed size, since one property
 * may ask for a search from each place of a design.
 * @param longest paths of more places are not looked for.
 */
export function shortestViolation(
  { starts, moves }: Pick<Calls, 'starts' | 'moves'>,
  watch: Watch,
  longest = Number.POSITIVE_INFINITY,
): PathPlace[] | undefined {
  const { states } = watch;
  const seen = new Uint8Array(moves.length * states);
  const visits = new Int32Array(seen.length);
  const previous = new Int32Array(seen.length);
  const lengths = new Int32Array(seen.length);
  const exits: string[] = [];
  let count = 0;
  /** True where coming to the place violates the property. */
  const come = (place: number, state: number, from: number, exit: string): boolean => {
    const verdict = watch.enter(state, place);
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
  for (const start of starts) if (come(start, 0, -1, '')) return pathTo(start, -1, '');
  for (let visit = 0; visit < count && (lengths[visit] ?? 0) < longest; visit++) {
    const [place, state] = [placeAt(visit), (visits[visit] ?? 0) % states];
    for (const move of moves[place] ?? []) {
      const next = watch.leave?.(state, place, move) ?? state;
      if (next === 'safe' || move.to === undefined) continue;
      if (come(move.to, next, visit, move.label)) return pathTo(move.to, visit, move.label);
    }
  }
  return undefined;
}

/** How many places the shortest path to each place has, itself counted; none for those that no call comes to. */
export function distances({ starts, moves }: Calls): ReadonlyMap<number, number> {
  const distance = new Map(starts.map((start) => [start, 1]));
  // A map that grows while it is walked is walked to its end.
  for (const [place, length] of distance)
    for (const { to } of moves[place] ?? [])
      if (to !== undefined && !distance.has(to)) distance.set(to, length + 1);
  return distance;
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
