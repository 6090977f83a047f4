import { momentWords } from '../calendar-words.ts';
import type { Design } from '../schema/design.ts';
import { type CallPlace, type Calls, callsOf } from './call.ts';
import { disclosureInWords, type PathStep, pathInWords } from './path-words.ts';
import {
  asksFor,
  collects,
  deedOf,
  discloses,
  type PlaceTest,
  placesWhere,
  selected,
  writesTranscript,
} from './places.ts';
import type { Property } from './properties.ts';
import { distances, firstPlaces, type PathPlace } from './search.ts';
import { violationOf } from './violations.ts';
import { shortestIn, type World, worldsOf } from './worlds.ts';

export interface Proof {
  readonly property: Property;
  readonly holds: boolean;
  readonly message: string;
  /** The shortest path that breaks it; null if it holds. */
  readonly counterexample: PathStep[] | null;
  /** The same in words, a line for each place: what the caller hears and does. */
  readonly call?: string[];
}

/**
 * Proves properties of a design, or finds the shortest path that breaks each. A design is a finite graph, so the search
 * covers all calls. It assumes that the caller may say anything and that a condition on a variable may take any branch. The
 * moment at which a call began is the same at all of its calendar conditions.
 */
export function prove(design: Design, properties: readonly Property[]): Proof[] {
  const worlds = worldsOf(design, callsOf(design));
  const proofs = new Map<string, Proof>();
  return properties.map((property) => {
    const key = JSON.stringify(property);
    const proof = proofs.get(key) ?? proofOf(property, design, worlds);
    proofs.set(key, proof);
    return proof;
  });
}

function proofOf(property: Property, design: Design, worlds: readonly World[]): Proof {
  const found = shortestIn(worlds, (calls) => violationOf(property, design, calls));
  if (found) {
    const { path, message } = found.violation;
    const { calls, moment } = found.world;
    const counterexample = path.map((place) => pathStep(calls, place));
    const began =
      moment && path.some(({ place }) => isDated(calls.places[place])) ? [momentWords(moment)] : [];
    const call = [...began, ...pathInWords(design, counterexample)];
    return { property, holds: false, message, counterexample, call };
  }
  const trigger = triggerOf(property);
  const isVacuous =
    trigger &&
    worlds.every(({ calls }) => {
      const reached = distances(calls);
      return ![...placesWhere(calls, trigger.test)].some((place) => reached.has(place));
    });
  const message = isVacuous
    ? `Holds, because no call ${trigger.what}.`
    : holdingWords(property, design, worlds);
  return { property, holds: true, message, counterexample: null };
}

/** True for a node that looks at the moment of the call. */
function isDated(place: CallPlace | undefined): boolean {
  if (!place || place.at === 'step') return false;
  return (place.node.condition?.branches ?? []).some((branch) => 'calendarDate' in branch);
}

/** What a proof says if there is nothing to add to it. */
export const holdsForEveryCall = 'Holds for every call.';

/** Lines that disclose the AI and are quoted; a design rarely has more. */
const mostQuoted = 2;

/** Says that a property holds, with the lines that disclose the AI if it is about them. */
function holdingWords({ property }: Property, design: Design, worlds: readonly World[]): string {
  if (property !== 'disclosedFirst' && property !== 'disclosedBeforeCollecting') return holdsForEveryCall;
  const first = worlds.flatMap(({ calls }) =>
    firstPlaces(
      calls,
      placesWhere(calls, (place) => discloses(place, design)),
    ).flatMap((index) => calls.places[index]?.id ?? []),
  );
  const lines = [...new Set(first)];
  const quoted = lines.slice(0, mostQuoted).map((stepId) => disclosureInWords(design, stepId));
  const more = lines.length > mostQuoted ? `, or a line of ${lines.length - mostQuoted} more steps` : '';
  return `Holds for every call: first ${quoted.join(', or ')}${more}.`;
}

/** The places that a property depends on. If no call reaches one, the property holds trivially. */
function triggerOf(property: Property): { test: PlaceTest; what: string } | undefined {
  switch (property.property) {
    case 'alwaysBefore':
      return { test: selected(property.before), what: 'reaches `before`' };
    case 'neverAfter':
      return { test: selected(property.after), what: 'reaches `after`' };
    case 'asksOnce':
      return { test: asksFor(property.variable), what: 'asks for it' };
    case 'disclosedBeforeCollecting':
      return { test: collects, what: 'collects anything' };
    case 'disclosedFirst':
      return {
        test: (place) => deedOf(place) !== undefined,
        what: 'collects, records, lets a model speak or transfers',
      };
    case 'consentBeforeTranscript':
      return { test: writesTranscript, what: 'sends a transcript or a recording' };
    case 'everyPathEnds':
      return undefined;
  }
}

function pathStep({ places }: Calls, { place: index, exit }: PathPlace): PathStep {
  const place = places[index];
  if (place === undefined) throw new TypeError(`there is no place ${index}`);
  return { at: place.at, id: place.id, exit: exit ?? null };
}
