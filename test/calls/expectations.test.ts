import { describe, expect, test } from 'vitest';
import {
  checkExpectations,
  type Expectation,
  expectationIssues,
  type PureExpectation,
} from '../../src/calls/expectations.ts';
import type { Design } from '../../src/design/schema/design.ts';
import { designOf, nodesOf, play } from './play.ts';

const design: Design = designOf(
  {
    welcome: { kind: 'greeting', introLine: 'Hello, I am the AI of Café Ana.', on: { next: 'menu' } },
    menu: {
      kind: 'route',
      prompt: 'Billing or sales?',
      options: [{ id: 'billing', title: 'Billing', description: '', target: 'number' }],
      on: { fallback: 'bye' },
    },
    number: {
      kind: 'collect',
      prompt: 'Your number?',
      collect: [{ id: 'i', variableId: 'number' }],
      on: { next: 'bye' },
    },
    bye: { kind: 'end', line: 'Goodbye 42!' },
  },
  {
    hooks: {
      after: {
        entryPoints: { done: 'report' },
        nodes: nodesOf({
          id: 'report',
          webhook: {
            url: 'https://a.example/report',
            payload: [{ id: 'p', key: 'number', source: 'variable', variableId: 'number' }],
          },
        }),
      },
    },
  },
);
const call = play(design, ['Billing, please', '0123'], { requests: { report: { status: 200, body: '{}' } } });

describe('an expectation holds or not, and says what was found', () => {
  test.each<[PureExpectation, boolean, string]>([
    [{ reaches: { step: 'menu' } }, true, 'reached menu, from welcome, left by billing'],
    [{ reaches: { step: 'menu', exit: 'fallback' } }, false, 'left by billing'],
    [{ reaches: { exit: 'billing' } }, true, 'reached menu, from welcome, left by billing'],
    [{ reaches: { node: 'report' } }, true, 'reached report, from bye, left by end'],
    [{ neverReaches: { step: 'number' } }, false, 'reached number, from menu, left by next'],
    [{ neverReaches: { step: 'menu', exit: 'fallback' } }, true, 'left by billing'],
    [{ says: 'cafe ana' }, true, 'said at welcome: Hello, I am the AI of Café Ana.'],
    [{ says: '/goodbye \\d+/i' }, true, 'said at bye: Goodbye 42!'],
    [{ says: '/goodbye/' }, false, 'not said; the last line was Goodbye 42!'],
    [{ neverSays: 'sales' }, false, 'said at menu: Billing or sales?'],
    [{ ends: { reason: 'completed' } }, true, 'ended: completed, at bye'],
    [{ ends: { reason: 'hungUp' } }, false, 'ended: completed, at bye'],
    [{ variable: { id: 'number', equals: '0123' } }, true, '"0123"'],
    [{ variable: { id: 'callerEmail', equals: 'a' } }, false, 'it has no value'],
    [
      { requests: { node: 'report', with: { body: { number: '0123' } } } },
      true,
      'POST https://a.example/report {"number":"0123"}',
    ],
    [
      { requests: { node: 'report', with: { method: 'GET' } } },
      false,
      'POST https://a.example/report {"number":"0123"}',
    ],
    [
      { order: { before: { step: 'menu' }, after: { node: 'report' } } },
      true,
      'place 2 and place 5 of the path',
    ],
    [
      { order: { before: { step: 'bye' }, after: { step: 'menu' } } },
      false,
      'place 4 and place 2 of the path',
    ],
    [{ atMost: { turns: 2 } }, true, '2 turns of the caller'],
    [{ atMost: { turns: 1 } }, false, '2 turns of the caller'],
  ])('%j: %s', (expectation, holds, found) => {
    expect(checkExpectations(call, [expectation])).toEqual([{ ...expectation, holds, found }]);
  });
});

test.each<[Expectation, string, string]>([
  [{ reaches: { step: 'meny' } }, '/0/reaches/step', 'The design has no step "meny". The nearest is "menu".'],
  [
    { neverReaches: { node: 'raport' } },
    '/0/neverReaches/node',
    'The design has no hook node "raport". The nearest is "report".',
  ],
  [
    { reaches: { step: 'menu', exit: 'biling' } },
    '/0/reaches/exit',
    'The design has no exit "biling". The nearest is "billing".',
  ],
  [{ reaches: {} }, '/0/reaches', 'Name a step, a node or an exit.'],
  [
    { order: { before: { step: 'menu' }, after: { step: 'buy' } } },
    '/0/order/after/step',
    'The design has no step "buy".',
  ],
  [
    { variable: { id: 'numbr', equals: 1 } },
    '/0/variable/id',
    'The design has no variable "numbr". The nearest is "number".',
  ],
  [{ requests: { node: 'menu' } }, '/0/requests/node', 'The design has no hook node "menu".'],
  [
    { says: '/(/' },
    '/0/says',
    'Is no pattern in the syntax of RE2: error parsing regexp: missing closing ): `(`.',
  ],
  [{ says: `/${'a'.repeat(201)}/` }, '/0/says', 'Is a pattern of more than 200 characters.'],
  [
    { neverSays: '/(\\pL{1,30}){30}x/' },
    '/0/neverSays',
    'Is a pattern that repeats too much: write * or + instead of large counts.',
  ],
])('reports what the design does not have: %j', (expectation, path, message) => {
  const [issue, ...others] = expectationIssues(design, [expectation]);
  expect(others).toEqual([]);
  expect(issue?.path).toBe(path);
  expect(issue?.message).toContain(message);
});

test('a pattern that a backtracking engine never finishes takes no time', () => {
  const long = designOf({ bye: { kind: 'end', line: 'a'.repeat(10_000) } });
  const patterns = ['/^(a+)+$b/', '/(a|a)*b/', '/(.*)(.*)(.*)(.*)(.*)x/', '/((a{30}){30})b/'];
  const start = performance.now();
  const checked = checkExpectations(
    play(long, []),
    patterns.map((says) => ({ says })),
  );
  expect(checked.map(({ holds }) => holds)).toEqual([false, false, false, false]);
  expect(performance.now() - start).toBeLessThan(5000);
});

test('an empty text and a variable without a value are equal in a condition', () => {
  const empty = (operator: 'eq' | 'neq') =>
    play(
      designOf(
        { a: { kind: 'end' }, b: { kind: 'end' } },
        {
          hooks: {
            before: {
              rootNodeId: 'n',
              nodes: nodesOf({
                id: 'n',
                condition: {
                  mode: 'logic',
                  branches: [
                    {
                      id: 'yes',
                      label: '',
                      predicate: { variable: { variableId: 'x' }, operator, value: '' },
                      next: { step: 'b' },
                    },
                  ],
                  else: { step: 'a' },
                },
              }),
            },
          },
        },
      ),
      [],
    ).ended?.step;
  expect([empty('eq'), empty('neq')]).toEqual(['b', 'a']);
});
