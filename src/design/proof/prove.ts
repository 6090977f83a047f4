import type { Design } from '../schema/design.ts';
import { type Calls, callsOf } from './call.ts';
import {
  asksFor,
  collects,
  deedOf,
  type PlaceTest,
  placesWhere,
  selected,
  writesTranscript,
} from './places.ts';
import type { Property } from './properties.ts';
import { distances, type PathPlace } from './search.ts';
import { violationOf } from './violations.ts';

export interface PathStep {
  readonly at: 'step' | 'before' | 'after';
  readonly id: string;
  /** The exit, route option or branch that the call takes; null at the end of the path. */
  readonly exit: string | null;
}

export interface Proof {
  readonly property: Property;
  readonly holds: boolean;
  readonly message: string;
  /** The shortest path that breaks it; null if it holds. */
  readonly counterexample: PathStep[] | null;
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
    return { property, holds: false, message, counterexample: path.map((place) => pathStep(calls, place)) };
  }
  const trigger = triggerOf(property);
  const reached = distances(calls);
  const isVacuous = trigger && ![...placesWhere(calls, trigger.test)].some((place) => reached.has(place));
  const message = isVacuous ? `Holds, because no call ${trigger.what}.` : 'Holds for every call.';
  return { property, holds: true, message, counterexample: null };
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
