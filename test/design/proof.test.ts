import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Property } from '../../src/design/proof/properties.ts';
import { type Proof, prove } from '../../src/design/proof/prove.ts';
import type { Design, Step, Target } from '../../src/design/schema/design.ts';
import { runs, seed } from '../property/runs.ts';

const longestWalk = 7;

const stepIds = ['a', 'b', 'c', 'd'] as const;
const nodeIds = ['n', 'm'] as const;
const stepId = fc.constantFrom(...stepIds);
const disclosing = 'Hello, I am an AI assistant.';

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ introLine: fc.option(fc.constant(disclosing), { nil: null }), next: stepId }).map(
    ({ introLine, next }): Step => ({
      kind: 'greeting',
      ...(introLine !== null && { introLine }),
      on: { next },
    }),
  ),
  fc.tuple(stepId, fc.option(stepId)).map(
    ([next, declined]): Step => ({
      kind: 'recordingConsent',
      line: disclosing,
      on: { next, ...(declined !== null && { declined }) },
    }),
  ),
  fc.tuple(stepId, fc.option(stepId), fc.constantFrom('x', 'y')).map(
    ([next, failed, variableId]): Step => ({
      kind: 'collect',
      prompt: '?',
      collect: [{ id: 'i', variableId }],
      on: { next, ...(failed !== null && { failed }) },
    }),
  ),
  fc.tuple(fc.option(stepId), fc.option(stepId)).map(
    ([target, fallback]): Step => ({
      kind: 'route',
      options: [{ id: 'o', title: 'O', description: 'O', ...(target !== null && { target }) }],
      ...(fallback !== null && { on: { fallback } }),
    }),
  ),
  fc.constant<Step>({ kind: 'end' }),
);

const anyTarget = (nodes: readonly string[]): fc.Arbitrary<Target> =>
  fc.oneof(
    fc.constant({}),
    fc.constant({ end: true }),
    stepId.map((step) => ({ step })),
    fc.constantFrom(...nodes).map((hookNode) => ({ hookNode })),
  );

const anyNode = (id: string) =>
  fc
    .record({
      next: fc.option(anyTarget(nodeIds)),
      onNotFound: fc.option(anyTarget(nodeIds)),
      transcript: fc.boolean(),
    })
    .map(({ next, onNotFound, transcript }) => ({
      id,
      ...(next !== null && { next }),
      ...(onNotFound !== null && {
        crmLookup: { integrationRef: 'crm', matchBy: [], fieldMappings: [], onNotFound },
      }),
      ...(transcript && {
        crmWrite: {
          integrationRef: 'crm',
          contactIdSource: { variableId: 'x' },
          operations: ['log_call' as const],
          logCall: { includeTranscript: true, includeSummary: false, includeRecordingUrl: false },
        },
      }),
    }));

const anyNodes = fc.record({ n: anyNode('n'), m: anyNode('m') });

const anyDesign: fc.Arbitrary<Design> = fc
  .record({
    steps: fc.record({ a: anyStep, b: anyStep, c: anyStep, d: anyStep }),
    before: fc.option(anyNodes),
    after: fc.option(
      fc.record({ nodes: anyNodes, entered: fc.constantFrom('done', 'b', null), hangUp: fc.boolean() }),
    ),
  })
  .map(({ steps, before, after }) => ({
    schemaVersion: 'cd/1' as const,
    entry: { stepId: 'a' },
    steps,
    hooks: {
      ...(before && { before: { rootNodeId: 'n', nodes: before } }),
      ...(after && {
        after: {
          nodes: after.nodes,
          ...(after.entered !== null && { entryPoints: { [after.entered]: 'n' } }),
          ...(after.hangUp && { prematureHangupNodeId: 'm' }),
        },
      }),
    },
  }));

/** The ways on from a place such as `step a`; `over` is the end. Written from the documentation, not from the code. */
function waysOn(design: Design, place: string): [exit: string, to: string][] {
  const [at = '', id = ''] = place.split(' ');
  const entered = Object.keys(design.hooks?.after?.entryPoints ?? {});
  const over = entered.includes('done') || entered.includes(id) ? 'after n' : 'over';
  if (at === 'step') {
    const step = design.steps[id];
    const ways: [string, string][] = [];
    if (step?.kind === 'greeting') ways.push(['next', `step ${step.on.next}`]);
    if (step?.kind === 'recordingConsent')
      ways.push(['next', `step ${step.on.next}`], ['declined', `step ${step.on.declined ?? step.on.next}`]);
    if (step?.kind === 'collect')
      ways.push(['next', `step ${step.on.next}`], ['failed', `step ${step.on.failed ?? step.on.next}`]);
    if (step?.kind === 'route') {
      const fallback = step.on?.fallback;
      const target = step.options[0]?.target ?? fallback;
      ways.push(['o', target === undefined ? over : `step ${target}`]);
      if (fallback !== undefined) ways.push(['fallback', `step ${fallback}`]);
    }
    if (step?.kind === 'end') ways.push(['end', over]);
    if (design.hooks?.after?.prematureHangupNodeId) ways.push(['hangs up', 'after m']);
    return ways;
  }
  const hook = at === 'before' ? design.hooks?.before : design.hooks?.after;
  const node = hook?.nodes[id];
  const leads = (exit: string, target: Target): [string, string] => {
    if (target.step !== undefined) return [exit, `step ${target.step}`];
    if (target.hookNode !== undefined) return [exit, `${at} ${target.hookNode}`];
    return [exit, at === 'before' ? 'step a' : 'over'];
  };
  const notFound = node?.crmLookup?.onNotFound;
  return [
    node?.next ? leads('next', node.next) : leads('end', {}),
    ...(notFound ? [leads('onNotFound', notFound)] : []),
  ];
}

const firstPlace = (design: Design) => (design.hooks?.before ? 'before n' : 'step a');

/** True if a walk (its places and the exits between them) breaks a property at its last place. */
type Breaks = (design: Design, places: readonly string[], exits: readonly string[]) => boolean;

const kindOf = (design: Design, place = '') =>
  place.startsWith('step ') ? design.steps[place.slice(5)]?.kind : undefined;

const asked = (design: Design, place: string) => {
  const step = design.steps[place.startsWith('step ') ? place.slice(5) : ''];
  return step?.kind === 'collect' ? step.collect[0]?.variableId : undefined;
};

const writes = (design: Design, place: string) => {
  const [at = '', id = ''] = place.split(' ');
  const hook = at === 'before' ? design.hooks?.before : at === 'after' ? design.hooks?.after : undefined;
  return hook?.nodes[id]?.crmWrite !== undefined;
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
        places.slice(0, -1).some((place, at) => asked(design, place) === variable && exits[at] === 'next')
      );
    },
  },
  {
    property: { property: 'disclosedBeforeCollecting' },
    breaks: (design, places) =>
      kindOf(design, places.at(-1)) === 'collect' &&
      !places.some((place) => {
        const step = design.steps[place.startsWith('step ') ? place.slice(5) : ''];
        return (
          (step?.kind === 'greeting' && step.introLine !== undefined) || step?.kind === 'recordingConsent'
        );
      }),
  },
  {
    property: { property: 'consentBeforeTranscript' },
    breaks: (design, places, exits) =>
      writes(design, places.at(-1) ?? '') &&
      !places.some((place, at) => kindOf(design, place) === 'recordingConsent' && exits[at] === 'next'),
  },
];

/** The length of the shortest walk that breaks a property, by brute force. */
function shortestByForce(design: Design, breaks: Breaks): number | undefined {
  let walks: { places: string[]; exits: string[] }[] = [{ places: [firstPlace(design)], exits: [] }];
  for (let length = 1; length <= longestWalk; length++) {
    if (walks.some(({ places, exits }) => breaks(design, places, exits))) return length;
    walks = walks.flatMap(({ places, exits }) =>
      waysOn(design, places.at(-1) ?? '').flatMap(([exit, to]) =>
        to === 'over' ? [] : [{ places: [...places, to], exits: [...exits, exit] }],
      ),
    );
  }
  return undefined;
}

/** Fails unless a call can take the path of a counterexample. Returns its places and exits. */
function walked(design: Design, { counterexample }: Proof): { places: string[]; exits: string[] } {
  const steps = counterexample ?? [];
  const places = steps.map(({ at, id }) => `${at} ${id}`);
  const exits = steps.flatMap(({ exit }) => exit ?? []);
  expect(places[0]).toBe(firstPlace(design));
  expect(exits).toHaveLength(places.length - 1);
  for (const [index, exit] of exits.entries())
    expect(waysOn(design, places[index] ?? '')).toContainEqual([exit, places[index + 1]]);
  return { places, exits };
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
        const { places, exits } = walked(design, proof);
        expect(breaks(design, places, exits)).toBe(true);
        expect(forced ?? places.length).toBe(places.length);
      }),
      { seed, numRuns: runs },
    );
    expect(Math.min(broken, held)).toBeGreaterThan(runs / 30);
  });
});

describe('everyPathEnds', () => {
  const ends = (design: Design, from: string) => {
    const seen = new Set([from]);
    for (const place of seen)
      for (const [exit, to] of waysOn(design, place)) {
        if (exit === 'hangs up') continue;
        if (to === 'over') return true;
        seen.add(to);
      }
    return false;
  };

  test('agrees with brute force, including the length of the shortest counterexample', () => {
    let [broken, held] = [0, 0];
    const breaks: Breaks = (design, places) => !ends(design, places.at(-1) ?? '');
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
