import { isCommandExit } from '../exits.ts';
import type { Design } from '../schema/design.ts';
import type { Calls } from './call.ts';
import {
  collects,
  deedOf,
  discloses,
  isConsent,
  placesWhere,
  selected,
  variablesAsked,
  writesTranscript,
} from './places.ts';
import type { Property } from './properties.ts';
import { distances, endingPlaces, type PathPlace, shortestViolation } from './search.ts';

export interface Violation {
  readonly path: readonly PathPlace[];
  readonly message: string;
}

/** The shortest violation of a property; undefined if the property holds. */
export function violationOf(property: Property, design: Design, calls: Calls): Violation | undefined {
  const violation = (
    path: PathPlace[] | undefined,
    message: (place: string) => string,
  ): Violation | undefined => path && { path, message: message(nameOf(calls, path)) };
  switch (property.property) {
    case 'alwaysBefore': {
      const [always, before] = [selected(property.always), selected(property.before)];
      const path = reachedWithout(calls, placesWhere(calls, always), placesWhere(calls, before));
      return violation(path, (place) => `A call can reach ${place} without having been at \`always\`.`);
    }
    case 'neverAfter': {
      const [never, after] = [selected(property.never), selected(property.after)];
      const path = reachedAfter(calls, placesWhere(calls, never), placesWhere(calls, after));
      return violation(path, (place) => `A call can reach ${place} after it has been at \`after\`.`);
    }
    case 'everyPathEnds': {
      const ending = endingPlaces(calls);
      const enter = (_: number, place: number) => (ending.has(place) ? 0 : 'violated');
      return violation(
        shortestViolation(calls, { states: 1, enter }),
        (place) => `A call that reaches ${place} can never end.`,
      );
    }
    case 'asksOnce':
      return askedTwice(calls, property.variable);
    case 'disclosedBeforeCollecting': {
      const disclosing = placesWhere(calls, (place) => discloses(place, design));
      const path = reachedWithout(calls, disclosing, placesWhere(calls, collects));
      return violation(
        path,
        (place) => `A call can reach ${place}, which collects, before it has disclosed the AI.`,
      );
    }
    case 'disclosedFirst':
      return undisclosedDeed(design, calls);
    case 'consentBeforeTranscript':
      return violation(
        transcribedWithoutConsent(calls),
        (place) =>
          `A call can reach ${place}, which sends a transcript or recording, although the caller has not consented.`,
      );
  }
}

/** The shortest call that collects, records, lets a model speak or transfers before it has disclosed the AI. */
export function undisclosedDeed(design: Design, calls: Calls): Violation | undefined {
  const disclosing = placesWhere(calls, (place) => discloses(place, design));
  const doing = placesWhere(calls, (place) => deedOf(place) !== undefined && !discloses(place, design));
  const path = reachedWithout(calls, disclosing, doing);
  const last = calls.places[path?.at(-1)?.place ?? -1];
  if (!path || !last) return undefined;
  const message = `A call can reach ${nameOf(calls, path)}, which ${deedOf(last)}, before it has disclosed the AI.`;
  return { path, message };
}

function reachedWithout(
  calls: Calls,
  always: ReadonlySet<number>,
  before: ReadonlySet<number>,
): PathPlace[] | undefined {
  return shortestViolation(calls, {
    states: 1,
    enter: (_, place) => (before.has(place) ? 'violated' : always.has(place) ? 'safe' : 0),
  });
}

function reachedAfter(
  calls: Calls,
  never: ReadonlySet<number>,
  after: ReadonlySet<number>,
): PathPlace[] | undefined {
  return shortestViolation(calls, {
    states: 2,
    enter: (state, place) => (state === 1 && never.has(place) ? 'violated' : after.has(place) ? 1 : state),
  });
}

/** A caller who declines, or who is not asked, has not consented. */
function transcribedWithoutConsent(calls: Calls): PathPlace[] | undefined {
  const [writing, asking] = [placesWhere(calls, writesTranscript), placesWhere(calls, isConsent)];
  return shortestViolation(calls, {
    states: 1,
    enter: (_, place) => (writing.has(place) ? 'violated' : 0),
    leave: (_, place, { label }) => (label === 'next' && asking.has(place) ? 'safe' : 0),
  });
}

/**
 * From each place that collects, the shortest way to a place that asks for the same variable. A failed attempt may be
 * repeated, so only calls that leave by `next` count. Commands do not count either: they lead from everywhere to steps such as
 * a call back, which ask only for what is missing.
 */
function askedTwice(all: Calls, only: string | undefined): Violation | undefined {
  const calls = {
    ...all,
    moves: all.moves.map((moves) => moves.filter(({ label }) => !isCommandExit(label))),
  };
  const asked = calls.places.map((place) =>
    variablesAsked(place).filter((variable) => only === undefined || variable === only),
  );
  let shortest: Violation | undefined;
  for (const [place, length] of distances(calls)) {
    const collected = new Set(asked[place]);
    if (collected.size === 0) continue;
    const starts = (calls.moves[place] ?? []).flatMap(({ label, to }) =>
      label === 'next' && typeof to === 'number' ? to : [],
    );
    const again = (at: number) => asked[at]?.find((variable) => collected.has(variable));
    const enter = (_: number, at: number) => (again(at) === undefined ? 0 : 'violated');
    const longest = shortest && shortest.path.length - length - 1;
    const back = shortestViolation({ ...calls, starts }, { states: 1, enter }, longest);
    if (!back) continue;
    const path = [...wayTo(calls, place), ...back];
    const variable = JSON.stringify(again(back.at(-1)?.place ?? -1));
    shortest = {
      path,
      message: `A call can reach ${nameOf(calls, path)}, which asks for ${variable} again.`,
    };
  }
  return shortest;
}

/** The shortest path to a place, leaving it by `next`. */
function wayTo(calls: Calls, place: number): PathPlace[] {
  const enter = (_: number, at: number) => (at === place ? 'violated' : 0);
  const path = shortestViolation(calls, { states: 1, enter }) ?? [];
  return [...path.slice(0, -1), { place, exit: 'next' }];
}

function nameOf({ places }: Calls, path: readonly PathPlace[]): string {
  const place = places[path.at(-1)?.place ?? -1];
  if (place === undefined) throw new TypeError('the path is empty');
  return `${place.at === 'step' ? 'step' : 'hook node'} ${JSON.stringify(place.id)}`;
}
