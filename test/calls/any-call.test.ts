import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PathEntry } from '../../src/calls/call-driver.ts';
import type { CallState } from '../../src/calls/call-state.ts';
import { begin, ImpossibleEvent, proceed } from '../../src/calls/engine.ts';
import type { ScriptedTurn, Simulation } from '../../src/calls/simulate.ts';
import { scriptedCalendars } from '../../src/calls/simulated-calendar.ts';
import { readCallState } from '../../src/calls/stored-call.ts';
import { type Calls, callsOf } from '../../src/design/proof/call.ts';
import { worldsOf } from '../../src/design/proof/worlds.ts';
import type { Design } from '../../src/design/schema/design.ts';
import { filledDesign } from '../../src/resources/catalogue/fill.ts';
import { templates } from '../../src/resources/catalogue/templates/index.ts';
import {
  anyDesign,
  calendarDates,
  type DatedMoment,
  datedMoments,
  waysOn,
} from '../design/random-designs.ts';
import { runs, seed } from '../helpers/runs.ts';
import { designOf, play } from './play.ts';

/** Turns of a caller who says, means and does anything. */
const anyTurn: fc.Arbitrary<ScriptedTurn> = fc.oneof(
  fc.constantFrom('yes', 'no', 'O', 'my number is +1 202 555 0144', '').map((text) => ({ text })),
  fc.string().map((text) => ({ text })),
  fc
    .oneof(
      fc.record({ consent: fc.constantFrom(true, false, null) }),
      fc.record({ option: fc.constantFrom('o', 'unknown', null) }),
      fc.record({ values: fc.dictionary(fc.constantFrom('x', 'y', 'z'), fc.string()) }),
      fc.record({
        option: fc.constant(null),
        command: fc.constantFrom('person', 'stop', 'gas', 'human', 'none'),
      }),
    )
    .map((understood) => ({ text: 'This.', understood })),
  fc.constant({ silent: true } as const),
);

const anyCaller: fc.Arbitrary<Partial<Simulation> & Pick<Simulation, 'script'>> = fc.record({
  script: fc.array(anyTurn, { maxLength: 12 }),
  contacts: fc.constantFrom({}, { n: null, m: null }, { n: {}, m: {} }),
  calendars: fc.dictionary(
    fc.constantFrom('a', 'b', 'c', 'd', 'n', 'm'),
    fc.constantFrom(...scriptedCalendars),
  ),
});

/** The places of a path that the graph of the proof has no move for; empty if the run is one of its calls. */
function strayMoves({ places, starts, moves, closings }: Calls, path: readonly PathEntry[]): string[] {
  const indexOf = ({ at, id }: PathEntry) => places.findIndex((place) => place.at === at && place.id === id);
  const strays: string[] = [];
  for (const [position, entry] of path.entries()) {
    const here = indexOf(entry);
    const before = path[position - 1];
    const isKnown = before
      ? (moves[indexOf(before)] ?? []).some(
          ({ to }) => to === here || (to === 'closings' && closings.includes(here)),
        )
      : starts.includes(here);
    if (!isKnown) strays.push(`${before?.id ?? 'start'} ${before?.exit ?? ''} -> ${entry.id}`);
  }
  return strays;
}

/** What a call knows that began at a moment. */
const begunAt = ({ date, time, isOpen }: DatedMoment) => ({
  system: { callDate: date, callTime: time, isOpen: isOpen ? 'yes' : 'no' },
});

test('every call ends when the caller hangs up, and takes only ways that the proof has looked at', () => {
  const decided = new Set<string>();
  fc.assert(
    fc.property(
      anyDesign,
      anyCaller,
      fc.constantFrom(...datedMoments),
      (design, { script, ...mocks }, moment) => {
        const run = play(design, [...script, { hangUp: true }], { ...mocks, ...begunAt(moment) });
        expect(run.ended).not.toBeNull();
        expect(run.state.position).toBeNull();
        const all = callsOf(design);
        expect(strayMoves(all, run.path)).toEqual([]);
        const branches = run.path.flatMap(({ at, id, exit }) => {
          if (at === 'step' || exit === null) return [];
          const exits = waysOn(design, `${at} ${id}`, moment).map(([label]) => label);
          expect(exits).toContain(exit);
          return exit in calendarDates || exit === 'else' ? [exit] : [];
        });
        // One of the worlds has all that the call does.
        if (branches.length > 0)
          expect(worldsOf(design, all).some(({ calls }) => strayMoves(calls, run.path).length === 0)).toBe(
            true,
          );
        for (const branch of branches) decided.add(branch);
      },
    ),
    { numRuns: 20 * runs, seed },
  );
  expect([...decided].toSorted()).toEqual([...Object.keys(calendarDates), 'else']);
});

test('a call that is taken apart into JSON after each event goes on the same', () => {
  fc.assert(
    fc.property(anyDesign, anyCaller, (design, { script, ...mocks }) => {
      const whole = play(design, script, mocks);
      const again = play(JSON.parse(JSON.stringify(design)) as Design, script, mocks);
      expect(JSON.stringify(again)).toBe(JSON.stringify(whole));
      expect(readCallState(JSON.parse(JSON.stringify(whole.state)))).toEqual(whole.state);
    }),
    { numRuns: runs, seed },
  );
});

test('a run in another process is the same, byte for byte', () => {
  const [template] = templates;
  if (!template) throw new Error('there are no templates');
  const design = filledDesign(template, {});
  const script = ['Hello', 'I have a question', 'Ana Silva, +1 202 555 0144', 'No, thanks'];
  const program = `
    import { simulate } from './src/calls/simulate.ts';
    const [design, script] = JSON.parse(process.argv[1]);
    const system = { callerPhone: '+12025550143' };
    process.stdout.write(JSON.stringify(simulate(design, { script: script.map((text) => ({ text })), channel: 'phone', system })));`;
  const run = JSON.stringify(play(design, script));
  for (let count = 0; count < 1000; count++) expect(JSON.stringify(play(design, script))).toBe(run);
  const other = execFileSync(
    process.execPath,
    ['--input-type=module-typescript', '--eval', program, JSON.stringify([design, script])],
    { encoding: 'utf8', env: {} },
  );
  expect(other).toBe(run);
});

describe.each(templates.map((template) => [template.key, filledDesign(template, {})] as const))(
  '%s',
  (_, design) => {
    test('greets, listens, and ends when the caller hangs up', () => {
      const run = play(design, []);
      expect(run.transcript[0]?.who).toBe('agent');
      expect(run.state.waiting).toEqual({ for: 'caller' });
      expect(play(design, [{ hangUp: true }]).ended).toMatchObject({ reason: 'hungUp' });
    });
  },
);

describe('an event that a call does not wait for is refused', () => {
  const design = designOf({
    ask: { kind: 'recordingConsent', line: 'May I record?', on: { next: 'bye' } },
    bye: { kind: 'end' },
  });
  const { state: listening } = begin(design, { type: 'started', channel: 'phone', system: {} });
  const { state: reading } = proceed(design, listening, { type: 'heard', text: 'Yes' });
  const { state: over } = proceed(design, listening, { type: 'hungUp' });

  test.each<[string, CallState, Parameters<typeof proceed>[2]]>([
    ['a turn while it reads one', reading, { type: 'heard', text: 'Yes' }],
    ['a result of another effect', reading, { type: 'finished', id: 'e9', result: null }],
    ['a result while it listens', listening, { type: 'finished', id: 'e0', result: null }],
    ['a turn after the end', over, { type: 'heard', text: 'Hello?' }],
    ['a second hang-up', over, { type: 'hungUp' }],
  ])('%s', (__, state, event) => {
    expect(() => proceed(design, state, event)).toThrow(ImpossibleEvent);
  });
});
