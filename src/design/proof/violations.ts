import type { Design } from '../schema/design.ts';
import type { Calls } from './call.ts';
import {
  collects,
  discloses,
  isConsent,
  placesWhere,
  selected,
  variablesAsked,
  writesTranscript,
} from './places.ts';
import type { Property } from './properties.ts';
import { distances, endingPlaces, type PathPlace, shortestViolation } from './search.ts';

/** The shortest path that breaks a property, and how it does. */
export interface Violation {
  readonly path: readonly PathPlace[];
  readonly message: string;
}

/** How a call can break a property; undefined where none can. */
export function violationOf(property: Property, design: Design, calls: Calls): Violation | undefined {
  const told = (path: PathPlace[] | undefined, tell: (place: string) => string): Violation | undefined =>
    path && { path, message: tell(nameOf(calls, path)) };
  switch (property.property) {
    case 'alwaysBefore': {
      const [always, before] = [selected(property.always), selected(property.before)];
      const path = missedBefore(calls, placesWhere(calls, always), placesWhere(calls, before));
      return told(path, (place) => `A call comes to ${place} and was not where it always has to be before.`);
    }
    case 'neverAfter': {
      const [never, after] = [selected(property.never), selected(property.after)];
      const path = comesAfter(calls, placesWhere(calls, never), placesWhere(calls, after));
      return told(path, (place) => `A call comes to ${place} after it was where that must not follow.`);
    }
    case 'everyPathEnds': {
      const ending = endingPlaces(calls);
      const enter = (_: number, place: number) => (ending.has(place) ? 0 : 'violated');
      return told(
        shortestViolation(calls, { states: 1, enter }),
        (place) => `From ${place} no call comes to its end.`,
      );
    }
    case 'asksOnce':
      return askedTwice(calls, property.variable);
    case 'disclosedBeforeCollecting': {
      const disclosing = placesWhere(calls, (place) => discloses(place, design));
      const path = missedBefore(calls, disclosing, placesWhere(calls, collects));
      return told(
        path,
        (place) => `A call comes to ${place}, which collects, before the caller heard of the AI.`,
      );
    }
    case 'consentBeforeTranscript':
      return told(
        transcribedWithoutConsent(calls),
        (place) =>
          `A call comes to ${place}, which hands on what was said, and the caller has not consented.`,
      );
  }
}

function missedBefore(
  calls: Calls,
  always: ReadonlySet<number>,
  before: ReadonlySet<number>,
): PathPlace[] | undefined {
  return shortestViolation(calls, {
    states: 1,
    enter: (_, place) => (before.has(place) ? 'violated' : always.has(place) ? 'safe' : 0),
  });
}

function comesAfter(
  calls: Calls,
  never: ReadonlySet<number>,
  after: ReadonlySet<number>,
): PathPlace[] | undefined {
  return shortestViolation(calls, {
    states: 2,
    enter: (state, place) => (state === 1 && never.has(place) ? 'violated' : after.has(place) ? 1 : state),
  });
}

/** A caller who declines, or was not asked, has not consented. */
function transcribedWithoutConsent(calls: Calls): PathPlace[] | undefined {
  const [writing, asking] = [placesWhere(calls, writesTranscript), placesWhere(calls, isConsent)];
  return shortestViolation(calls, {
    states: 1,
    enter: (_, place) => (writing.has(place) ? 'violated' : 0),
    leave: (_, place, { label }) => (label === 'next' && asking.has(place) ? 'safe' : 0),
  });
}

/** From each place that collects, the shortest way back to one that asks for the same; what failed may be asked again. */
function askedTwice(calls: Calls, only: string | undefined): Violation | undefined {
  const asked = calls.places.map((place) =>
    variablesAsked(place).filter((variable) => only === undefined || variable === only),
  );
  let shortest: Violation | undefined;
  for (const [place, length] of distances(calls)) {
    const collected = new Set(asked[place]);
    if (collected.size === 0) continue;
    const starts = (calls.moves[place] ?? []).flatMap(({ label, to }) =>
      label === 'next' ? (to ?? []) : [],
    );
    const again = (at: number) => asked[at]?.find((variable) => collected.has(variable));
    const enter = (_: number, at: number) => (again(at) === undefined ? 0 : 'violated');
    const longest = shortest && shortest.path.length - length - 1;
    const back = shortestViolation({ starts, moves: calls.moves }, { states: 1, enter }, longest);
    if (!back) continue;
    const path = [...wayTo(calls, place), ...back];
    const variable = JSON.stringify(again(back.at(-1)?.place ?? -1));
    shortest = { path, message: `A call comes to ${nameOf(calls, path)}, which asks for ${variable} again.` };
  }
  return shortest;
}

/** The shortest path to a place, which it leaves by `next`. */
function wayTo(calls: Calls, place: number): PathPlace[] {
  const enter = (_: number, at: number) => (at === place ? 'violated' : 0);
  const path = shortestViolation(calls, { states: 1, enter }) ?? [];
  return [...path.slice(0, -1), { place, exit: 'next' }];
}

/** The last place of a path, for a person. */
function nameOf({ places }: Calls, path: readonly PathPlace[]): string {
  const place = places[path.at(-1)?.place ?? -1];
  if (place === undefined) throw new TypeError('a path has a place');
  return `${place.at === 'step' ? 'step' : 'hook node'} ${JSON.stringify(place.id)}`;
}
