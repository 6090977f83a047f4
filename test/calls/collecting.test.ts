import { describe, expect, test } from 'vitest';
import type { Step } from '../../src/design/schema/design.ts';
import { designOf, play, said, walked } from './play.ts';

const bye: Step = { kind: 'end', line: 'Goodbye.' };
const lost: Step = { kind: 'end', line: 'Sorry.' };
const booking = (more: object = {}): Step => ({
  kind: 'collect',
  prompt: 'What may I note?',
  collect: [
    { id: 'n', variableId: 'name', question: 'Your name?', required: true },
    { id: 'd', variableId: 'day', question: 'Which day?', required: true },
  ],
  on: { next: 'bye', failed: 'lost' },
  ...more,
});
const designWith = (more: object = {}) => designOf({ ask: booking(more), bye, lost });
const gives = (values: Record<string, string>, more: object = {}) => ({
  text: 'Well.',
  understood: { values, ...more },
});
const nothing = gives({});

test('asks for one missing item at a time', () => {
  const run = play(designWith(), [nothing, gives({ name: 'Ana' }), gives({ day: 'Monday' })]);
  expect(said(run).filter((line) => line.startsWith('agent'))).toEqual([
    'agent: What may I note?',
    'agent: Your name?',
    'agent: Which day?',
    'agent: Goodbye.',
  ]);
});

test('keeps a value unless the caller corrects it', () => {
  const first = gives({ name: 'Ana' });
  const kept = play(designWith(), [first, gives({ name: 'Bob', day: 'Monday' })]);
  expect(kept.variables).toEqual({ name: 'Ana', day: 'Monday' });
  const corrected = play(designWith(), [
    first,
    gives({ name: 'Bob', day: 'Monday' }, { corrected: ['name'] }),
  ]);
  expect(corrected.variables).toEqual({ name: 'Bob', day: 'Monday' });
});

test('never fails for an optional item, and asks for it once', () => {
  const collect = [
    { id: 'n', variableId: 'name', required: true },
    { id: 'w', variableId: 'wish', question: 'Any wishes?' },
  ];
  const run = play(designWith({ collect, maxAttempts: 1 }), [gives({ name: 'Ana' }), nothing]);
  expect(walked(run)).toEqual(['ask next', 'bye']);
  expect(said(run).filter((line) => line === 'agent: Any wishes?')).toHaveLength(1);
});

test('answers a question at an optional item before it goes on', () => {
  const info: Step = { kind: 'answer', instruction: 'Help.', facts: 'Parking is free.', on: { next: 'bye' } };
  const collect = [{ id: 'w', variableId: 'wish', question: 'Any wishes?' }];
  const question = {
    text: 'Is parking free?',
    understood: [
      { values: {}, asks: true },
      { answered: true, text: 'Parking is free.' },
    ],
  };
  const run = play(designOf({ ask: booking({ collect }), info, bye, lost }), [
    question,
    gives({ wish: 'none' }),
  ]);
  expect(said(run)).toContain('agent: Parking is free.');
  expect(run.variables).toEqual({ wish: 'none' });
});

test.each(["the number I'm calling from", 'just this one', 'Die Nummer, von der ich anrufe.', 'dit nummer'])(
  'notes the number of the call for %j',
  (text) => {
    const collect = [{ id: 'p', variableId: 'phone', expects: 'phoneNumber' as const, required: true }];
    const design = designWith({ collect });
    expect(play(design, [text]).variables).toEqual({ phone: '+12025550143' });
    // A visitor of a website has no number.
    expect(play(design, [text], { system: {} }).variables).toEqual({});
  },
);

describe('attempts', () => {
  test('are not used up by a silence, until there are too many in a row', () => {
    const silent = { silent: true } as const;
    const run = play(designWith({ maxAttempts: 1 }), [
      silent,
      silent,
      silent,
      gives({ name: 'A', day: 'B' }),
    ]);
    expect(walked(run)).toEqual(['ask next', 'bye']);
    expect(walked(play(designWith({ maxAttempts: 1 }), [silent, silent, silent, silent]))).toEqual([
      'ask failed',
      'lost',
    ]);
  });

  test('are not used up by a question that the facts answer', () => {
    const info: Step = {
      kind: 'answer',
      instruction: 'Help.',
      facts: 'Parking is free.',
      on: { next: 'bye' },
    };
    const question = {
      text: 'Is parking free?',
      understood: [
        { values: {}, asks: true },
        { answered: true, text: 'Parking is free.' },
      ],
    };
    const design = designOf({ ask: booking({ maxAttempts: 1 }), info, bye, lost });
    const run = play(design, [question, gives({ name: 'A', day: 'B' })]);
    expect(said(run)).toContain('agent: Parking is free.');
    expect(walked(run)).toEqual(['ask next', 'bye']);
    expect(
      walked(
        play(
          design,
          Array.from({ length: 5 }, () => question),
        ),
      ).at(-1),
    ).toBe('lost');
  });
});

describe('what is read back', () => {
  const design = designWith({ readBack: '{{name}} on {{day}}?' });
  const all = gives({ name: 'Ana', day: 'soon' });
  const replies = (consent: boolean | null, more: object = {}) => ({
    text: 'Hm.',
    understood: { consent, values: {}, ...more },
  });

  test('leads on once the caller agrees', () => {
    const run = play(design, [all, replies(true)]);
    expect(said(run)).toContain('agent: Ana on soon?');
    expect(run.path[0]).toMatchObject({ exit: 'next', why: 'the caller agreed' });
  });

  test('is read again after a correction', () => {
    const corrected = replies(false, { values: { day: 'later' }, corrected: ['day'] });
    const run = play(design, [all, corrected, replies(true)]);
    expect(said(run)).toContain('agent: Ana on later?');
    expect(walked(run)).toEqual(['ask next', 'bye']);
  });

  test('is changed after a refusal', () => {
    const run = play(design, [all, replies(false), gives({ day: 'later' }), replies(true)]);
    expect(said(run)).toContain('agent: What should I change?');
    expect(run.variables).toEqual({ name: 'Ana', day: 'later' });
    expect(walked(run)).toEqual(['ask next', 'bye']);
  });

  test('fails after three replies that say nothing', () => {
    const unclear = Array.from({ length: 4 }, () => replies(null));
    expect(walked(play(design, [all, ...unclear]))).toEqual(['ask failed', 'lost']);
  });
});

test('takes a number that seems too short if the caller says it again', () => {
  const collect = [
    {
      id: 'p',
      variableId: 'phone',
      question: 'Your number?',
      expects: 'phoneNumber' as const,
      required: true,
    },
  ];
  const again = play(designWith({ collect }), ['91234567', 'It is 9123 456 7.']);
  expect(said(again).slice(0, 4)).toEqual([
    'agent: What may I note?',
    'caller: 91234567',
    'agent: That number seems to be too short.',
    'agent: Your number?',
  ]);
  expect(again.variables).toEqual({ phone: '91234567' });
  expect(play(designWith({ collect }), ['91234567', '91234568']).variables).toEqual({});
});

test('takes no question about the agent, no repetition and no oath for the reason of a call', () => {
  const ask: Step = {
    kind: 'collect',
    prompt: 'Your name, and what is it about?',
    collect: [
      { id: 'n', variableId: 'name', expects: 'name', question: 'Your name?', required: true },
      { id: 'r', variableId: 'reason', expects: 'reason', question: 'What is it about?', required: true },
    ],
    on: { next: 'bye' },
  };
  const wish: Step = {
    kind: 'route',
    prompt: 'How can I help?',
    options: [{ id: 'm', title: 'Message', description: 'Wants to leave a message.', target: 'ask' }],
    on: { fallback: 'ask' },
  };
  const design = designOf({ wish, ask, bye });
  for (const text of [
    'Before I agree to anything, is this one of those bots?',
    'Sorry, I did not hear that.',
    'This is fucking bullshit.',
  ]) {
    const run = play(design, [
      { text },
      { text: 'A message for the architect, please.' },
      { text: 'Ana Silva' },
    ]);
    expect(run.variables['reason'] ?? null, text).toBeNull();
  }
});
