import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { callsOf } from '../../src/design/proof/call.ts';
import type { Property } from '../../src/design/proof/properties.ts';
import { type Proof, prove } from '../../src/design/proof/prove.ts';
import type { Design } from '../../src/design/schema/design.ts';
import { runs, seed } from '../helpers/runs.ts';
import {
  anyDesign,
  type DatedMoment,
  firstPlace,
  isDisclosing,
  momentsApart,
  needsDisclosure,
  waysOn,
  writes,
} from './random-designs.ts';

const longestWalk = 7;

/** True if a walk (its places and the exits between them) breaks a property at its last place. */
type Breaks = (
  design: Design,
  places: readonly string[],
  exits: readonly string[],
  moment: DatedMoment,
) => boolean;

const kindOf = (design: Design, place = '') =>
  place.startsWith('step ') ? design.steps[place.slice(5)]?.kind : undefined;

const asked = (design: Design, place: string) => {
  const step = design.steps[place.startsWith('step ') ? place.slice(5) : ''];
  return step?.kind === 'collect' ? step.collect[0]?.variableId : undefined;
};

const safety: readonly { property: Property; breaks: Breaks }[] = [
  {
    property: { property: 'alwaysBefore', always: { kind: 'greeting' }, before: { step: 'd' } },
    breaks: (design, places) =>
      places.at(-1) === 'step d' &&
      !places.slice(0, -1).some((place) => kindOf(design, place) === 'greeting'),
  },
  {
    property: { property: 'neverAfter', never: { kind: 'collect' }, after: { step: 'b' } },
    breaks: (design, places) =>
      kindOf(design, places.at(-1)) === 'collect' && places.slice(0, -1).includes('step b'),
  },
  {
    property: { property: 'asksOnce' },
    breaks: (design, places, exits) => {
      const variable = asked(design, places.at(-1) ?? '');
      return (
        variable !== undefined &&
        !exits.some((exit) => exit.startsWith('asks for ')) &&
        places.slice(0, -1).some((place, at) => asked(design, place) === variable && exits[at] === 'next')
      );
    },
  },
  {
    property: { property: 'disclosedBeforeCollecting' },
    breaks: (design, places) =>
      kindOf(design, places.at(-1)) === 'collect' && !places.some((place) => isDisclosing(design, place)),
  },
  {
    property: { property: 'disclosedFirst' },
    breaks: (design, places) =>
      needsDisclosure(design, places.at(-1) ?? '') && !places.some((place) => isDisclosing(design, place)),
  },
  {
    property: { property: 'consentBeforeTranscript' },
    breaks: (design, places, exits) =>
      writes(design, places.at(-1) ?? '') &&
      !places.some((place, at) => kindOf(design, place) === 'recordingConsent' && exits[at] === 'next'),
  },
];

/** The length of the shortest walk that breaks a property, by brute force, for calls that begin at any moment. */
function shortestByForce(design: Design, breaks: Breaks): number | undefined {
  const lengths = momentsApart(design).flatMap((moment) => shortestAt(design, breaks, moment) ?? []);
  return lengths.length > 0 ? Math.min(...lengths) : undefined;
}

function shortestAt(design: Design, breaks: Breaks, moment: DatedMoment): number | undefined {
  let walks: { places: string[]; exits: string[] }[] = [{ places: [firstPlace(design)], exits: [] }];
  for (let length = 1; length <= longestWalk; length++) {
    if (walks.some(({ places, exits }) => breaks(design, places, exits, moment))) return length;
    walks = walks.flatMap(({ places, exits }) =>
      waysOn(design, places.at(-1) ?? '', moment).flatMap(([exit, to]) =>
        to === 'over' ? [] : [{ places: [...places, to], exits: [...exits, exit] }],
      ),
    );
  }
  return undefined;
}

/** Fails unless a call can take the path of a counterexample. Returns its places and exits, and a moment at which it begins. */
function walked(
  design: Design,
  { counterexample }: Proof,
): { places: string[]; exits: string[]; moment: DatedMoment } {
  const steps = counterexample ?? [];
  const places = steps.map(({ at, id }) => `${at} ${id}`);
  const exits = steps.flatMap(({ exit }) => exit ?? []);
  expect(places[0]).toBe(firstPlace(design));
  expect(exits).toHaveLength(places.length - 1);
  const moment = momentsApart(design).find((one) =>
    exits.every((exit, index) =>
      waysOn(design, places[index] ?? '', one).some(
        ([taken, to]) => taken === exit && to === places[index + 1],
      ),
    ),
  );
  if (!moment) throw new Error(`no call goes ${places.join(', ')}`);
  return { places, exits, moment };
}

describe.each(safety)('$property.property', ({ property, breaks }) => {
  test('agrees with brute force, including the length of the shortest counterexample', () => {
    let [broken, held] = [0, 0];
    fc.assert(
      fc.property(anyDesign, (design) => {
        const [proof] = prove(design, [property]);
        if (!proof) throw new Error('no proof');
        const forced = shortestByForce(design, breaks);
        if (proof.holds) {
          held += 1;
          expect(forced).toBeUndefined();
          return;
        }
        broken += 1;
        const { places, exits, moment } = walked(design, proof);
        expect(breaks(design, places, exits, moment)).toBe(true);
        expect(forced ?? places.length).toBe(places.length);
      }),
      { seed, numRuns: runs },
    );
    expect(Math.min(broken, held)).toBeGreaterThan(runs / 30);
  });
});

describe('everyPathEnds', () => {
  const ends = (design: Design, from: string, moment: DatedMoment) => {
    const seen = new Set([from]);
    for (const place of seen)
      for (const [exit, to] of waysOn(design, place, moment)) {
        if (exit === 'hangs up') continue;
        if (to === 'over') return true;
        seen.add(to);
      }
    return false;
  };

  test('agrees with brute force, including the length of the shortest counterexample', () => {
    let [broken, held] = [0, 0];
    const breaks: Breaks = (design, places, _, moment) => !ends(design, places.at(-1) ?? '', moment);
    fc.assert(
      fc.property(anyDesign, (design) => {
        const [proof] = prove(design, [{ property: 'everyPathEnds' }]);
        if (!proof) throw new Error('no proof');
        const forced = shortestByForce(design, breaks);
        expect(proof.holds).toBe(forced === undefined);
        if (proof.holds) held += 1;
        else {
          broken += 1;
          expect(walked(design, proof).places).toHaveLength(forced ?? 0);
        }
      }),
      { seed, numRuns: runs },
    );
    expect(Math.min(broken, held)).toBeGreaterThan(runs / 30);
  });
});

test('lists what follows each end of a call once, however many ends and closings a design has', () => {
  const steps = Object.fromEntries(
    Array.from({ length: 100 }, (_, n) => [`s${n}`, { kind: 'end' as const }]),
  );
  const nodes = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`h${n}`, { id: `h${n}` }]));
  const entryPoints = Object.fromEntries(Object.keys(nodes).map((id) => [`at-${id}`, id]));
  const [entry = '', ...alternates] = Object.keys(steps);
  const { moves, closings } = callsOf({
    schemaVersion: 'cd/1',
    entry: { stepId: entry, alternates },
    steps,
    hooks: { after: { nodes, entryPoints } },
  });
  expect(closings).toHaveLength(100);
  expect(moves.flat()).toHaveLength(200);
});
