import { describe, expect, test } from 'vitest';
import { type CallState, longestHistory } from '../../src/calls/call-state.ts';
import { readCallState, UnknownCallFormat } from '../../src/calls/stored-call.ts';

const state: CallState = {
  format: 'rt/3',
  position: { at: 'before', id: 'lookup' },
  waiting: { for: 'effect', id: 'e4', kind: 'request' },
  variables: { order: { number: 17, parts: ['a', { b: null }] } },
  system: { channel: 'chat' },
  history: [
    { who: 'agent', text: 'Hello.' },
    { who: 'caller', text: 'Hi.' },
  ],
  turns: 1,
  seconds: 4,
  moves: 3,
  readings: 2,
  effects: 5,
  progress: {
    count: 1,
    pauses: 0,
    aside: '',
    asked: [],
    stage: 'values',
    block: 2,
    texts: { note: 'A note.' },
  },
  ended: { reason: 'completed', step: null },
};

test('reads a state of the present format as it was stored', () => {
  expect(readCallState(JSON.parse(JSON.stringify(state)))).toEqual(state);
});

test('reads a state of an earlier format, with and without readings', () => {
  const { pauses: _, aside: __, asked: ___, ...progress } = state.progress;
  const before = { ...state, progress };
  const { readings: ____, ...early } = before;
  expect(readCallState({ ...before, format: 'rt/2' })).toEqual(state);
  expect(readCallState({ ...before, format: 'rt/1' })).toEqual(state);
  expect(readCallState({ ...early, format: 'rt/1' })).toEqual({ ...state, readings: 0 });
});

test('reads no more turns than the engine keeps', () => {
  const history = Array.from({ length: longestHistory + 5 }, (_, turn) => ({
    who: 'caller',
    text: `${turn}`,
  }));
  expect(readCallState({ ...state, history }).history).toEqual(history.slice(5));
});

test.each([['rt/4'], ['rt/0'], [2], [undefined]])(
  'refuses a state of the format %s by its name',
  (format) => {
    expect(() => readCallState({ ...state, format })).toThrow(UnknownCallFormat);
    expect(() => readCallState({ ...state, format })).toThrow(
      `has the format ${JSON.stringify(format)}. This release reads rt/3, rt/2 and rt/1.`,
    );
  },
);

describe('refuses a state that is not of its format, and names the member', () => {
  const names = Object.keys(state).filter((name) => name !== 'format');

  test.each(names)('without %s', (name) => {
    const { [name as keyof CallState]: _, ...others } = state;
    expect(() => readCallState(others)).toThrow(
      new TypeError(`The stored state of a call has no valid ${name}.`),
    );
  });

  test.each<[string, object]>([
    ['at', { position: { at: 'nowhere', id: 'lookup' } }],
    ['id', { position: { at: 'step' } }],
    ['for', { waiting: { for: 'nobody' } }],
    ['kind', { waiting: { for: 'effect', id: 'e4', kind: 'say' } }],
    ['variables', { variables: [] }],
    ['variables', { variables: { made: () => 1 } }],
    ['history', { history: [{ who: 'somebody', text: 'Hi.' }] }],
    ['history', { history: [{ who: 'caller' }] }],
    ['turns', { turns: '1' }],
    ['stage', { progress: { ...state.progress, stage: null } }],
    ['texts', { progress: { ...state.progress, texts: 'A note.' } }],
    ['reason', { ended: { reason: 'tired', step: null } }],
    ['step', { ended: { reason: 'completed', step: 7 } }],
  ])('with a wrong %s: %j', (name, change) => {
    expect(() => readCallState({ ...state, ...change })).toThrow(
      new TypeError(`The stored state of a call has no valid ${name}.`),
    );
  });

  test.each([[null], ['rt/3'], [[]]])('if it is %j', (stored) => {
    expect(() => readCallState(stored)).toThrow(
      new TypeError('The stored state of a call is not an object.'),
    );
  });
});
