import { callsOf } from '../design/proof/call.ts';
import { distances } from '../design/proof/search.ts';
import type { Design, HookNode, Step } from '../design/schema/design.ts';
import type { Understood } from './call-state.ts';
import type { Choice, Start } from './choices.ts';
import { addSeen, type Coverage, coverageBy, partsOf, placeName } from './coverage.ts';
import { isOver } from './engine.ts';
import {
  type Exploration,
  explore,
  type Found,
  isPossible,
  mostWork,
  played,
  started,
  type Way,
} from './explore.ts';
import type { Json } from './json-value.ts';
import { type Mock, type ScriptedTurn, type Simulation, type SimulationRun, simulating } from './simulate.ts';
import type { CalendarMock } from './simulated-calendar.ts';
import { inOnePiece, type Steps } from './steps.ts';

/** A scripted call and what it does in words. */
export interface ProposedScenario {
  readonly name: string;
  readonly simulation: Simulation;
  /** How the call ends. */
  readonly ended: SimulationRun['ended'];
}

/** A step, node or exit that no proposed call sees, and why. */
export interface MissedPart {
  readonly part: string;
  readonly reason: string;
}

export interface Proposal {
  readonly scenarios: readonly ProposedScenario[];
  /** What they cover together. */
  readonly coverage: Coverage;
  readonly missed: readonly MissedPart[];
}

/** After so many turns of the caller, a call goes on to its end: longer scripts would be hard to read. */
const longestDetour = 12;
/** Choices in one call; a call that goes round without the caller ends at the engine's own limit. */
const mostChoices = 400;
const longestName = 100;
/** Spots in which a call looks for what no call has seen yet. */
const mostNearby = 300;

/**
 * Proposes few scripted calls that together take every exit that a call can take. They are fixed in all that they say and
 * meet, so they need no model. Few, not the fewest: the choice is greedy, the call to the most remote part first.
 * @param most scenarios; what they leave out is in `missed`.
 */
export function proposeScenarios(design: Design, most?: number): Proposal {
  return inOnePiece(proposing(design, most));
}

/** {@link proposeScenarios} in small steps. */
export function* proposing(design: Design, most = Number.POSITIVE_INFINITY): Steps<Proposal> {
  const exploration = yield* explore(design);
  const parts = partsOf(design).map(({ name }) => name);
  const wanted = new Set(parts.filter((part) => exploration.first.has(part)));
  const remotest = [...wanted].toSorted(
    (one, other) => depthOf(exploration, other) - depthOf(exploration, one),
  );
  const calls: Recording[] = [];
  const toEnd = distancesToEnd(exploration);
  let work = 0;
  for (const part of remotest) {
    if (calls.length >= most || work >= mostWork) break;
    if (!wanted.has(part)) continue;
    const target = exploration.first.get(part);
    if (!target) continue;
    const call = yield* recordCall(design, exploration, target, wanted, toEnd);
    calls.push(call);
    work += call.size;
  }
  const names = new Set<string>();
  const seen = new Set<string>();
  const scenarios: ProposedScenario[] = [];
  for (const call of calls) {
    const simulation = simulationOf(call);
    const { path, ended } = yield* simulating(design, simulation);
    addSeen(seen, path);
    scenarios.push({ name: newName(call, names), simulation, ended });
  }
  yield;
  const coverage = coverageBy(design, seen);
  const limit = calls.length < most ? undefined : most;
  return { scenarios, coverage, missed: reasonsFor(design, coverage, exploration, limit) };
}

/** What was chosen in one call. */
interface Recording {
  readonly start: Start;
  readonly choices: readonly Choice[];
  /** Characters of what its events have brought and set. */
  readonly size: number;
}

function depthOf({ first }: Exploration, part: string): number {
  const way = first.get(part);
  return way && 'choice' in way ? way.from.depth : 0;
}

/** Plays the way to a target, then on to what no call has seen yet, then to the end. Takes what it sees off `wanted`. */
function* recordCall(
  design: Design,
  exploration: Exploration,
  target: Way | Start,
  wanted: Set<string>,
  toEnd: ReadonlyMap<Found, number>,
): Steps<Recording> {
  const start = 'choice' in target ? target.from.start : target;
  const choices: Choice[] = [];
  let { spot, sees, size } = started(design, start);
  let total = size;
  const take = (choice: Choice) => {
    ({ spot, sees, size } = played(design, spot, choice));
    total += size;
    choices.push(choice);
    for (const name of sees) wanted.delete(name);
  };
  for (const name of sees) wanted.delete(name);
  if ('choice' in target) {
    // The search has played the way there already.
    for (const way of waysTo(target.from)) {
      choices.push(way.choice);
      for (const name of way.sees) wanted.delete(name);
    }
    ({ spot } = target.from);
    take(target.choice);
  }

  while (!isOver(spot.state) && spot.state.turns < longestDetour) {
    const detour = wayTo(exploration.at(spot), (way) => way.sees.some((name) => wanted.has(name)));
    let taken = 0;
    for (const way of detour) {
      yield;
      if (exploration.at(spot) !== way.from || !isPossible(spot, way.choice)) break;
      take(way.choice);
      taken += 1;
    }
    if (detour.length === 0 || taken < detour.length) break;
  }
  while (!isOver(spot.state) && choices.length < mostChoices) {
    yield;
    const way = exploration.at(spot)?.ways.reduce((best, one) => (far(one) < far(best) ? one : best));
    const leads = way && far(way) < Number.POSITIVE_INFINITY && isPossible(spot, way.choice);
    // What the call waits for always comes to something; the caller need not go on.
    const choice = leads ? way.choice : spot.effect && exploration.choicesAt(spot)[0];
    if (!choice) break;
    take(choice);
  }
  if (!isOver(spot.state) && !spot.state.ended) take({ does: 'hangUp', says: 'hangs up' });
  // What runs after the call is mocked too.
  while (spot.effect && choices.length < mostChoices) {
    yield;
    const [choice] = exploration.choicesAt(spot);
    if (!choice) break;
    take(choice);
  }
  return { start, choices, size: total };

  function far({ isLast, to }: Way): number {
    if (isLast) return 0;
    return (to && toEnd.get(to)) ?? Number.POSITIVE_INFINITY;
  }
}

/** The ways from a spot to the nearest one that is a goal; none if it is not nearby. */
function wayTo(from: Found | undefined, isGoal: (way: Way) => boolean): Way[] {
  const before = new Map<Found, Way | undefined>();
  if (from) before.set(from, undefined);
  // Iterating a map also visits what is added during the iteration.
  for (const one of before.keys())
    for (const way of one.ways) {
      if (isGoal(way)) {
        const ways: Way[] = [];
        for (let last: Way | undefined = way; last; last = before.get(last.from)) ways.push(last);
        return ways.toReversed();
      }
      if (way.to && !before.has(way.to) && before.size < mostNearby) before.set(way.to, way);
    }
  return [];
}

/** What the search has played to find a spot. */
function waysTo({ from }: Found): Way[] {
  const ways: Way[] = [];
  for (let way = from; way; way = way.from.from) ways.push(way);
  return ways.toReversed();
}

/** From each spot, the number of choices to the end of the call. */
function distancesToEnd({ ways }: Exploration): ReadonlyMap<Found, number> {
  const into = new Map<Found, Found[]>();
  const distance = new Map<Found, number>();
  for (const { from, to, isLast } of ways) {
    if (isLast) distance.set(from, 1);
    if (to && !into.get(to)?.push(from)) into.set(to, [from]);
  }
  for (const [one, far] of distance)
    for (const from of into.get(one) ?? []) if (!distance.has(from)) distance.set(from, far + 1);
  return distance;
}

function simulationOf({ start: { channel, system, variables }, choices }: Recording): Simulation {
  const opening: Understood[] = [];
  const turns: { text: string[]; understood: Understood[]; hangsUp: boolean }[] = [];
  const requests: Record<string, Mock> = {};
  const contacts: Record<string, Readonly<Record<string, Json>> | null> = {};
  const calendars: Record<string, CalendarMock> = {};
  const transfers: Record<string, boolean> = {};
  for (const choice of choices) {
    const turn = turns.at(-1);
    if (choice.does === 'speak' || choice.does === 'hangUp')
      turns.push({ text: [], understood: [], hangsUp: choice.does === 'hangUp' });
    else if (choice.does === 'read') {
      (turn?.understood ?? opening).push(choice.understood);
      if (choice.text !== '') turn?.text.push(choice.text);
    } else if (choice.does === 'respond') requests[choice.node] = choice.mock;
    else if (choice.does === 'find') contacts[choice.node] = choice.contact;
    else if (choice.does === 'schedule') calendars[choice.node] = choice.mock;
    else if (choice.does === 'transfer') transfers[choice.step] = choice.succeeds;
  }
  const script = turns.map(({ text, understood, hangsUp }): ScriptedTurn => {
    if (hangsUp) return { hangUp: true };
    return { text: text.join(' '), understood: understood.length === 1 ? understood[0] : understood };
  });
  const succeeds = new Set(Object.values(transfers));
  return {
    script,
    channel,
    system,
    ...(Object.keys(variables).length > 0 && { variables }),
    ...(opening.length > 0 && { opening }),
    ...(Object.keys(requests).length > 0 && { requests }),
    ...(Object.keys(contacts).length > 0 && { contacts }),
    ...(Object.keys(calendars).length > 0 && { calendars }),
    ...(succeeds.size > 0 && { transfers: succeeds.size === 1 ? succeeds.has(true) : transfers }),
  };
}

/** What a call does in words, unlike every other name. */
function newName({ start, choices }: Recording, names: Set<string>): string {
  const parts = [start.says, ...choices.map(({ says }) => says)].filter((part) => part !== undefined);
  const distinct = parts.filter((part, index) => part !== parts[index - 1]);
  // The end of a call tells it apart better than its middle does.
  while (distinct.length > 2 && distinct.join(', ').length > longestName) distinct.splice(1, 1);
  const text = distinct.join(', ') || 'goes straight through';
  const whole = `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
  const short = whole.length <= longestName ? whole : `${whole.slice(0, longestName - 1).trimEnd()}…`;
  let name = short;
  for (let count = 2; names.has(name); count++) name = `${short} (${count})`;
  names.add(name);
  return name;
}

/** Why no call sees the parts that are left. */
function reasonsFor(
  design: Design,
  coverage: Coverage,
  { first, isComplete }: Exploration,
  most: number | undefined,
): MissedPart[] {
  const names = new Set([...coverage.steps.missed, ...coverage.nodes.missed, ...coverage.exits.missed]);
  if (names.size === 0) return [];
  const calls = callsOf({ ...design, entry: { stepId: design.entry.stepId } });
  const reachable = new Set([...distances(calls).keys()].map((index) => calls.places[index]));
  const placesReached = new Set([...reachable].flatMap((place) => (place ? [placeName(place)] : [])));
  return partsOf(design).flatMap(({ name, place, exit, of }) => {
    if (!names.has(name)) return [];
    if (!placesReached.has(place))
      return [{ part: name, reason: 'no way leads there from the start of a call' }];
    if (first.has(place) && exit !== undefined) {
      const reason = reasonOfExit(of, exit);
      if (reason !== undefined) return [{ part: name, reason }];
    }
    const what = exit === undefined ? 'gets there' : 'takes it';
    if (first.has(name) && most !== undefined)
      return [{ part: name, reason: `it takes more than ${most} scenarios` }];
    const isNone = isComplete && !first.has(name);
    const reason = isNone ? `no call ${what}` : `the search ended before it found a call that ${what}`;
    return [{ part: name, reason }];
  });
}

/** Why the exit of a place that calls reach cannot be taken, if the place itself shows it. */
function reasonOfExit(place: Step | HookNode, exit: string): string | undefined {
  if (!('kind' in place))
    return exit === 'next' && place.condition ? 'the condition of the node decides where it goes' : undefined;
  if (
    place.kind === 'collect' &&
    exit === 'failed' &&
    place.collect.every(({ required }) => required !== true)
  )
    return 'the step requires nothing, so only a number above the most that it takes leads there';
  return undefined;
}
