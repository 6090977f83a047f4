import { calendarUsesOf, canBeTaken } from '../design/calendars.ts';
import type { Design } from '../design/schema/design.ts';
import { plainName } from '../design/system-variables.ts';
import { isList, isObject, isSame } from '../design/value.ts';
import type { CallState, Effect, Outcome } from './call-state.ts';
import { type Choice, type Domains, domainsOf, resultsOf, type Start, startsOf, turnsOf } from './choices.ts';
import { partsOf, placeName } from './coverage.ts';
import { begin, isOver, proceed } from './engine.ts';
import type { Json } from './json-value.ts';
import { looksAtMoment, momentVariables } from './moments.ts';
import { type CalendarEffect, SimulatedCalendar } from './simulated-calendar.ts';
import type { Steps } from './steps.ts';

/** A call where it waits, or where it is over. */
export interface Spot {
  readonly state: CallState;
  /** What the call waits for; undefined if it listens or is over. */
  readonly effect: Extract<Effect, { id: string }> | undefined;
  /** What a mock has returned earlier in the call, by its node or step: it returns the same again. */
  readonly fixed: ReadonlyMap<string, Choice>;
}

/** A spot that the search has found, and how. */
export interface Found {
  readonly spot: Spot;
  readonly from: Way | undefined;
  readonly start: Start;
  readonly depth: number;
  readonly ways: Way[];
}

/** What happens after a choice at a spot. */
export interface Way {
  readonly from: Found;
  readonly choice: Choice;
  /** Names of the places entered and of the exits taken. */
  readonly sees: readonly string[];
  /** undefined: over, or a spot that the search left out. */
  to: Found | undefined;
  readonly isLast: boolean;
}

export interface Exploration {
  readonly ways: readonly Way[];
  /** What the starts see before the first choice, and how far each is from there: the first way that sees each name. */
  readonly first: ReadonlyMap<string, Way | Start>;
  /** True if the search has looked at everything that it can tell apart. */
  readonly isComplete: boolean;
  /** What the search knows of a spot; if it has left it out, what it knows of another one at the same place. */
  at(spot: Spot): Found | undefined;
  choicesAt(spot: Spot): readonly Choice[];
}

/** Events that a search plays: 200 steps need 1,400. */
const mostEvents = 5_000;
/** Characters of all that is chosen, that events bring and set, and that spots are told apart by: a search is held in memory. */
export const mostWork = 20_000_000;
/** Spots of one step or node that differ only by what the call knows. */
const mostOfPlace = 16;

/**
 * Plays every call that the engine can tell apart, breadth first: it is the engine that decides where a choice leads. Places
 * that were seen least often come first, so that a design with many variables is still seen as a whole.
 */
export function* explore(design: Design): Steps<Exploration> {
  const domains = domainsOf(design);
  const { starts, isComplete: hasAllStarts } = startsOf(design, domains);
  const textOf = textFor(design, domains);
  const keyOf = (spot: Spot) => {
    const text = textOf(spot);
    work += text.length;
    return text;
  };
  const unseen = new Set(partsOf(design).map(({ name }) => name));
  const found = new Map<string, Found>();
  const seenFirst = new Map<string, Found>();
  const countOf = new Map<string, number>();
  const queues: Found[][] = Array.from({ length: mostOfPlace }, () => []);
  const ways: Way[] = [];
  const first = new Map<string, Way | Start>();
  const at = (spot: Spot) => {
    const known = found.get(keyOf(spot));
    return known && known.ways.length > 0 ? known : seenFirst.get(placeKey(spot));
  };
  const exploration = {
    ways,
    first,
    at,
    choicesAt: (spot: Spot) => choicesAt(design, spot, domains).choices,
  };
  let isComplete = hasAllStarts;
  let events = 0;
  let work = 0;
  const see = (sees: readonly string[], how: Way | Start) => {
    for (const name of sees) {
      if (!first.has(name)) first.set(name, how);
      unseen.delete(name);
    }
  };

  const add = (spot: Spot, from: Way | undefined, start: Start): Found | undefined => {
    if (isOver(spot.state)) return undefined;
    const key = keyOf(spot);
    const known = found.get(key);
    if (known) return known;
    const place = placeKey(spot);
    const count = countOf.get(place) ?? 0;
    const queue = queues[count];
    if (!queue) {
      isComplete = false;
      return undefined;
    }
    countOf.set(place, count + 1);
    const one = { spot, from, start, depth: (from?.from.depth ?? 0) + 1, ways: [] };
    found.set(key, one);
    if (count === 0) seenFirst.set(place, one);
    queue.push(one);
    return one;
  };
  for (const start of starts) {
    yield;
    const { spot, sees, size } = started(design, start);
    work += size;
    see(sees, start);
    add(spot, undefined, start);
  }
  // When everything was seen, one look at each place is enough to find the ways to the end.
  const take = () =>
    queues
      .slice(0, unseen.size === 0 ? 1 : mostOfPlace)
      .find(({ length }) => length > 0)
      ?.shift();
  for (let next = take(); next; next = take()) {
    yield;
    const { choices, isComplete: hasAll } = choicesAt(design, next.spot, domains);
    isComplete &&= hasAll;
    work += sizeOf(choices);
    for (const choice of choices) {
      if (events >= mostEvents || work >= mostWork) return { ...exploration, isComplete: false };
      yield;
      events += 1;
      const { spot, sees, size } = played(design, next.spot, choice);
      work += size;
      const way: Way = { from: next, choice, sees, to: undefined, isLast: isOver(spot.state) };
      way.to = add(spot, way, next.start);
      ways.push(way);
      next.ways.push(way);
      see(sees, way);
    }
  }
  return { ...exploration, isComplete };
}

/** A call where it first waits. */
export function started(design: Design, { channel, system, variables }: Start): Landing {
  return landed(begin(design, { type: 'started', channel, system, variables }), new Map());
}

/** The call after a choice. */
export function played(design: Design, { state, effect, fixed }: Spot, choice: Choice): Landing {
  const id = effect?.id ?? '';
  switch (choice.does) {
    case 'speak':
      return landed(proceed(design, state, { type: 'heard', text: 'Hello.' }), fixed);
    case 'hangUp':
      return landed(proceed(design, state, { type: 'hungUp' }), fixed);
    case 'read':
      return landed(
        proceed(design, state, { type: 'finished', id, result: { ...choice.understood } }),
        fixed,
      );
    case 'finish':
      return landed(proceed(design, state, { type: 'finished', id, result: choice.result }), fixed);
    case 'schedule': {
      const calendar = effect?.kind === 'calendar' ? effect : undefined;
      const result = calendar && scheduled(calendar, choice);
      const event =
        result === undefined
          ? ({ type: 'failed', id, reason: 'the mock says so' } as const)
          : ({ type: 'finished', id, result } as const);
      const isAttempt = calendar !== undefined && canBeTaken(calendar);
      const mock = isAttempt ? { ...choice, again: true as const } : choice;
      return landed(proceed(design, state, event), new Map([...fixed, [mockKey(choice), mock]]));
    }
    case 'respond':
    case 'find':
    case 'transfer': {
      const { result, reason } = resultOf(choice);
      const event =
        result === undefined
          ? ({ type: 'failed', id, reason } as const)
          : ({ type: 'finished', id, result } as const);
      return landed(proceed(design, state, event), new Map([...fixed, [mockKey(choice), choice]]));
    }
  }
}

/** What a simulated calendar returns, at the first attempt or at a later one. */
function scheduled(
  effect: CalendarEffect,
  { mock, again }: Extract<Choice, { does: 'schedule' }>,
): Json | undefined {
  const calendar = new SimulatedCalendar();
  const first = calendar.perform(effect, mock);
  const result = again && mock === 'taken' ? calendar.perform(effect, mock) : first;
  return result && { ...result, times: [...result.times] };
}

function resultOf(choice: Extract<Choice, { does: 'respond' | 'find' | 'transfer' }>) {
  const reason = 'the mock says so';
  if (choice.does === 'find') return { result: choice.contact, reason };
  if (choice.does === 'transfer') return { result: choice.succeeds ? true : undefined, reason };
  return 'fail' in choice.mock ? { result: undefined, reason } : { result: { ...choice.mock }, reason };
}

/** Where an event leads. */
interface Landing {
  readonly spot: Spot;
  /** Names of the places entered and of the exits taken. */
  readonly sees: readonly string[];
  /** Characters of what the event has brought and set. */
  readonly size: number;
}

function landed({ state, effects, happenings }: Outcome, fixed: Spot['fixed']): Landing {
  const sees = happenings.flatMap((happening) => {
    if (happening.kind === 'enters') return [placeName(happening.position)];
    if (happening.kind === 'leaves') return [`${placeName(happening.position)} ${happening.exit}`];
    return [];
  });
  const waits = effects.find((one): one is Extract<Effect, { id: string }> => 'id' in one);
  // The search gives each variable that the step itself collects; a list of all others at each spot would fill the memory.
  const effect = waits?.kind === 'understand' && waits.reads === 'collect' ? { ...waits, wanted: [] } : waits;
  const size = sizeOf(effects) + sizeOf(happenings) + Object.keys(state.variables).length;
  return { spot: { state, effect, fixed }, sees, size };
}

/** Characters of all texts in a value, and one for each part of it, without lists that the state or the design already holds. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (isList(value)) return value.reduce<number>((sum, one) => sum + sizeOf(one), 1);
  if (!isObject(value)) return 1;
  let sum = 1;
  for (const [name, one] of Object.entries(value))
    if (name !== 'history' && name !== 'wanted') sum += sizeOf(one);
  return sum;
}

function choicesAt(design: Design, { state, effect, fixed }: Spot, domains: Domains) {
  if (!effect) return { choices: turnsOf(design, state), isComplete: true };
  const { choices, isComplete } = resultsOf(design, state, effect, domains);
  const again = effect.kind === 'calendar' ? fixed.get(calendarKey(effect.node)) : undefined;
  if (again?.does === 'schedule') return { choices: [again], isComplete };
  const before = choices.map((choice) => fixed.get(mockKey(choice))).find((choice) => choice !== undefined);
  return { choices: before ? [before] : choices, isComplete };
}

/** True unless a mock would have to return something else than earlier in the call. */
export function isPossible({ fixed }: Spot, choice: Choice): boolean {
  const before = fixed.get(mockKey(choice));
  if (choice.does === 'schedule')
    return before?.does === 'schedule'
      ? choice.again === before.again && choice.mock === before.mock
      : choice.again === undefined;
  return before === undefined || isSame(before, choice);
}

/** Which mock a choice sets; empty for what is not mocked. */
function mockKey(choice: Choice): string {
  if (choice.does === 'respond' || choice.does === 'find') return `${choice.does} ${choice.node}`;
  if (choice.does === 'schedule') return calendarKey(choice.node);
  return choice.does === 'transfer' ? `transfer ${choice.step}` : '';
}

function calendarKey(node: string): string {
  return `schedule ${node}`;
}

function placeKey({ state: { position, progress }, effect }: Spot): string {
  const { count, stage, block } = progress;
  return `${position?.at} ${position?.id} ${count} ${stage} ${block} ${effect?.kind}`;
}

/** Tells apart what can go on differently: the place, who spoke last, what is collected, and what conditions read. */
function textFor(design: Design, domains: Domains): (spot: Spot) => string {
  const collected = new Set(
    Object.values(design.steps).flatMap((step) =>
      step.kind === 'collect' ? step.collect.map(({ variableId }) => variableId) : [],
    ),
  );
  const read = [...domains.keys()].map((name) => [name, plainName(name)] as const);
  const { before, after } = design.hooks ?? {};
  // A mock serves the nodes of both hooks that have its id.
  const shared = Object.keys(before?.nodes ?? {}).filter((id) => Object.hasOwn(after?.nodes ?? {}, id));
  const mocked = [
    ...shared.flatMap((node) => [`respond ${node}`, `find ${node}`]),
    // A calendar may be used again, and then returns something else.
    ...new Set(calendarUsesOf(design).map(({ id }) => calendarKey(id))),
  ];
  // No step leads back to the hook that runs before it.
  const isDated = { before: looksAtMoment(design, 'before'), after: looksAtMoment(design, 'after') };
  return (spot) => {
    const { variables, system, history, moves } = spot.state;
    const known = Object.keys(variables)
      .filter((name) => collected.has(name))
      .toSorted();
    const values = read.map(([name, plain]) => own(variables, name) ?? own(system, plain) ?? null);
    if (isDated.after || (isDated.before && spot.state.position?.at === 'before'))
      values.push(...momentVariables.map((name) => own(system, name) ?? null));
    // Steps that lead to each other without a turn of the caller end at the limit on moves.
    const movesSoFar = spot.effect ? moves : 0;
    return `${placeKey(spot)} ${movesSoFar} ${history.at(-1)?.who} ${JSON.stringify([known, values, mocked.map((mock) => mockIn(spot.fixed.get(mock)))])}`;
  };
}

/** What tells one mock from another. */
function mockIn(choice: Choice | undefined): Json | Choice {
  return choice?.does === 'schedule' ? `${choice.mock} ${choice.again}` : (choice ?? null);
}

function own(members: Readonly<Record<string, Json>>, name: string): Json | undefined {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}
