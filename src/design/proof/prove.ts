import type { Design } from '../schema/design.ts';
import { type Calls, callsOf } from './call.ts';
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
 * covers all calls. It assumes that the caller may say anything and that a condition may take any branch.
 */
export function prove(design: Design, properties: readonly Property[]): Proof[] {
  const calls = callsOf(design);
  const proofs = new Map<string, Proof>();
  return properties.map((property) => {
    const key = JSON.stringify(property);
    const proof = proofs.get(key) ?? proofOf(property, design, calls);
    proofs.set(key, proof);
    return proof;
  });
}

function proofOf(property: Property, design: Design, calls: Calls): Proof {
  const violation = violationOf(property, design, calls);
  if (violation) {
    const { path, message } = violation;
    const counterexample = path.map((place) => pathStep(calls, place));
    return { property, holds: false, message, counterexample, call: pathInWords(design, counterexample) };
  }
  const trigger = triggerOf(property);
  const reached = distances(calls);
  const isVacuous = trigger && ![...placesWhere(calls, trigger.test)].some((place) => reached.has(place));
  const message = isVacuous
    ? `Holds, because no call ${trigger.what}.`
    : holdingWords(property, design, calls);
  return { property, holds: true, message, counterexample: null };
}

/** What a proof says if there is nothing to add to it. */
export const holdsForEveryCall = 'Holds for every call.';

/** Lines that disclose the AI and are quoted; a design rarely has more. */
const mostQuoted = 2;

/** Says that a property holds, with the lines that disclose the AI if it is about them. */
function holdingWords({ property }: Property, design: Design, calls: Calls): string {
  if (property !== 'disclosedFirst' && property !== 'disclosedBeforeCollecting') return holdsForEveryCall;
  const lines = firstPlaces(
    calls,
    placesWhere(calls, (place) => discloses(place, design)),
  ).flatMap((index) => calls.places[index]?.id ?? []);
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
