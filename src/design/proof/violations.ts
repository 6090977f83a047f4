import type { Design } from '../schema/design.ts';
import type { Calls } from './call.ts';
import { asks, collects, discloses, isConsent, placesWhere, selected, writesTranscript } from './places.ts';
import type { Property } from './properties.ts';
import { endingPlaces, type PathPlace, shortestViolation } from './search.ts';

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

/** Each variable is followed by itself; what was not collected may be asked for again. */
function askedTwice(calls: Calls, only: string | undefined): Violation | undefined {
  let shortest: Violation | undefined;
  for (const variableId of only === undefined ? variablesAsked(calls) : [only]) {
    const asking = placesWhere(calls, (place) => asks(place, variableId));
    const path = shortestViolation(calls, {
      states: 2,
      enter: (state, place) => (state === 1 && asking.has(place) ? 'violated' : state),
      leave: (state, place, { label }) => (label === 'next' && asking.has(place) ? 1 : state),
    });
    if (path && !(shortest && shortest.path.length <= path.length))
      shortest = {
        path,
        message: `A call comes to ${nameOf(calls, path)}, which asks for ${JSON.stringify(variableId)} again.`,
      };
  }
  return shortest;
}

function variablesAsked({ places }: Calls): ReadonlySet<string> {
  return new Set(
    places.flatMap((place) =>
      place.at === 'step' && place.step.kind === 'collect'
        ? place.step.collect.map(({ variableId }) => variableId)
        : [],
    ),
  );
}

/** The last place of a path, for a person. */
function nameOf({ places }: Calls, path: readonly PathPlace[]): string {
  const place = places[path.at(-1)?.place ?? -1];
  if (place === undefined) throw new TypeError('a path has a place');
  return `${place.at === 'step' ? 'step' : 'hook node'} ${JSON.stringify(place.id)}`;
}
