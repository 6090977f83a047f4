import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { coverageOf, partsOf } from '../../src/calls/coverage.ts';
import { proposeScenarios } from '../../src/calls/propose.ts';
import { simulate } from '../../src/calls/simulate.ts';
import type { Design, Step } from '../../src/design/schema/design.ts';
import { filledDesign } from '../../src/resources/catalogue/fill.ts';
import { templates } from '../../src/resources/catalogue/templates/index.ts';
import { anyDesign, datedMoments } from '../design/random-designs.ts';
import { designNames, rawDesign } from '../designs/real-designs.ts';
import { runs, seed } from '../helpers/runs.ts';
import { designOf, nodesOf, play } from './play.ts';

const everyDesign: readonly (readonly [string, Design])[] = [
  ...templates.map((template) => [template.key, filledDesign(template, {})] as const),
  ...designNames.map((name) => [name, rawDesign(name)] as const),
];

const missedBy = (design: Design) =>
  Object.fromEntries(proposeScenarios(design).missed.map(({ part, reason }) => [part, reason]));

describe('proposed scenarios', () => {
  test.each(everyDesign)('take every exit of %s, read nothing by rule, and come to an end', (_, design) => {
    const { scenarios, missed, coverage } = proposeScenarios(design);
    expect(missed).toEqual([]);
    expect(coverage.exits.seen).toBe(coverage.exits.all);
    for (const { simulation } of scenarios) {
      const run = simulate(design, simulation);
      expect(run.state.position).toBeNull();
      expect(run.transcript.filter(({ understoodBy }) => understoodBy === 'rule')).toEqual([]);
      expect(run.requests.filter(({ result }) => result === 'unmocked')).toEqual([]);
    }
    expect(new Set(scenarios.map(({ name }) => name)).size).toBe(scenarios.length);
  });

  test('are named in words', () => {
    const design = designOf({
      menu: {
        kind: 'route',
        options: [{ id: 'b', title: 'Billing', description: '', target: 'clerk' }],
        on: { fallback: 'bye' },
      },
      clerk: { kind: 'transfer', destination: { kind: 'phoneNumber', value: '+1' }, on: { failed: 'bye' } },
      bye: { kind: 'end' },
    });
    expect(proposeScenarios(design).scenarios.map(({ name }) => name)).toEqual([
      'Asks for Billing, the transfer fails',
      'Asks for something else',
    ]);
  });

  test('choose what conditions compare: responses, contacts, values of the caller, and what is known at the start', () => {
    const branch = (id: string, variableId: string, operator: 'eq' | 'gt' | 'not_exists', value = '') => ({
      id,
      label: id,
      predicate: { variable: { variableId }, operator, value },
      next: { step: 'ask' },
    });
    const design = designOf(
      {
        ask: { kind: 'collect', prompt: '?', collect: [{ id: 'i', variableId: 'age' }], on: { next: 'bye' } },
        bye: { kind: 'end' },
      },
      {
        hooks: {
          before: {
            rootNodeId: 'load',
            entryPoints: { web: 'load' },
            nodes: nodesOf(
              {
                id: 'load',
                fetch: {
                  url: 'https://a.example',
                  method: 'GET',
                  responseMappings: [
                    { id: 'm', variableId: 'plan', path: 'items[0].plan' },
                    { id: 'n', variableId: 'debt', path: '/debt', transform: 'number' },
                  ],
                },
                next: { hookNode: 'which' },
              },
              {
                id: 'which',
                condition: {
                  mode: 'logic',
                  branches: [
                    branch('gold', 'plan', 'eq', 'gold'),
                    branch('owes', 'debt', 'gt', '100'),
                    branch('vip', 'level', 'eq', '1'),
                  ],
                  else: { step: 'ask' },
                },
              },
            ),
          },
          after: {
            entryPoints: { any: 'old' },
            nodes: nodesOf({
              id: 'old',
              condition: {
                mode: 'logic',
                branches: [{ ...branch('adult', 'age', 'gt', '17'), next: {} }],
                else: {},
              },
            }),
          },
        },
      },
    );
    expect(missedBy(design)).toEqual({});
  });

  test('report what no call can take, with the reason', () => {
    const design = designOf(
      {
        ask: {
          kind: 'collect',
          prompt: '?',
          collect: [{ id: 'i', variableId: 'x', required: false }],
          on: { next: 'again', failed: 'bye' },
        },
        again: {
          kind: 'recordingConsent',
          line: '?',
          on: { next: 'bye' },
        },
        bye: { kind: 'end' },
        island: { kind: 'message', text: 'Nobody hears this.', on: { next: 'bye' } },
      },
      {
        hooks: {
          after: {
            entryPoints: { done: 'n' },
            nodes: nodesOf({
              id: 'n',
              next: {},
              condition: {
                mode: 'logic',
                branches: [
                  {
                    id: 'is',
                    label: '',
                    predicate: { variable: { variableId: 'x' }, operator: 'eq', value: '1' },
                    next: {},
                  },
                  {
                    id: 'too',
                    label: '',
                    predicate: { variable: { variableId: 'x' }, operator: 'eq', value: '1' },
                    next: {},
                  },
                ],
                else: {},
              },
            }),
          },
        },
      },
    );
    expect(missedBy(design)).toEqual({
      'ask failed': 'the step requires nothing, so only a number above the most that it takes leads there',
      island: 'no way leads there from the start of a call',
      'island next': 'no way leads there from the start of a call',
      'after n next': 'the condition of the node decides where it goes',
      'after n too': 'no call takes it',
    });
  });

  test('see everything that any other call sees', () => {
    fc.assert(
      fc.property(
        anyDesign,
        fc.array(fc.constantFrom('yes', 'no', 'O', ''), { maxLength: 8 }),
        fc.constantFrom({}, { n: null, m: null }, { n: {}, m: {} }),
        fc.boolean(),
        fc.constantFrom(...datedMoments),
        (design, script, contacts, transfers, { date, time, isOpen }) => {
          const { missed } = proposeScenarios(design);
          const system = { callDate: date, callTime: time, isOpen: isOpen ? 'yes' : 'no' };
          const { path } = play(design, [...script, { hangUp: true }], { contacts, transfers, system });
          const { steps, nodes, exits } = coverageOf(design, path);
          const unseen = new Set([...steps.missed, ...nodes.missed, ...exits.missed]);
          const seen = partsOf(design).filter(({ name }) => !unseen.has(name));
          const wrong = missed.filter(
            ({ part, reason }) =>
              !reason.startsWith('the search ended') && seen.some(({ name }) => name === part),
          );
          expect(wrong).toEqual([]);
        },
      ),
      // A search through a design with calendars takes 0.1 to 0.2 s.
      { numRuns: runs, seed },
    );
  });

  test('are bounded for the largest designs, and those that are left out are reported', () => {
    const options = Array.from({ length: 2500 }, (_, index) => ({ id: `o${index}`, target: `s${index}` }));
    const steps: Record<string, Step> = { menu: { kind: 'route', options } };
    for (const { target } of options) steps[target] = { kind: 'end' };
    const wide = proposeScenarios(designOf(steps), 200);
    expect(wide.scenarios).toHaveLength(200);
    expect(wide.missed[0]?.reason).toBe('it takes more than 200 scenarios');
    expect(wide.coverage.exits.seen + wide.missed.filter(({ part }) => part.startsWith('menu ')).length).toBe(
      2500,
    );

    const chain: Record<string, Step> = {};
    for (let index = 0; index < 3000; index++)
      chain[`s${index}`] = {
        kind: 'collect',
        prompt: '?',
        collect: [{ id: 'i', variableId: `v${index}` }],
        maxAttempts: 100,
        on: { next: `s${index + 1}`, failed: `s${index + 1}` },
      };
    chain['s3000'] = { kind: 'end' };
    const long = proposeScenarios(designOf(chain), 200);
    expect(long.missed.at(-1)).toEqual({
      part: 's3000',
      reason: 'the search ended before it found a call that gets there',
    });
  });
});
