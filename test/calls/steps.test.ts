import { describe, expect, test } from 'vitest';
import type { Step } from '../../src/design/schema/design.ts';
import { designOf, play, said, walked } from './play.ts';

const bye: Step = { kind: 'end', line: 'Goodbye.' };
const lost: Step = { kind: 'end', line: 'Sorry.' };

test('a greeting speaks and goes on, and an end speaks and ends the call', () => {
  const run = play(
    designOf({ hello: { kind: 'greeting', introLine: 'I am an AI assistant.', on: { next: 'bye' } }, bye }),
    [],
  );
  expect(said(run)).toEqual(['agent: I am an AI assistant.', 'agent: Goodbye.']);
  expect(run.ended).toEqual({ reason: 'completed', step: 'bye' });
});

describe('a recording consent', () => {
  const design = designOf({
    ask: { kind: 'recordingConsent', line: 'May I record?', on: { next: 'bye', declined: 'lost' } },
    bye,
    lost,
  });

  test.each([
    ['Yes, sure.', 'ask next'],
    ['Ja, gerne.', 'ask next'],
    ['No, thanks.', 'ask declined'],
    ['D’accord.', 'ask next'],
    ['Bien sûr !', 'ask next'],
    ['Non.', 'ask declined'],
  ])('reads %s', (text, exit) => {
    expect(walked(play(design, [text]))[0]).toBe(exit);
  });

  test('asks once more if the reply is unclear, and takes a second unclear reply as declined', () => {
    const run = play(design, ['Perhaps.', 'Why do you record?', 'Hm.']);
    expect(said(run)).toEqual([
      'agent: May I record?',
      'caller: Perhaps.',
      'agent: May I record?',
      'caller: Why do you record?',
      'agent: May I record?',
      'caller: Hm.',
      'agent: Sorry.',
    ]);
    expect(run.path[0]).toMatchObject({ exit: 'declined', why: 'twice unclear' });
  });
});

test('a recording consent answers a question before it asks again', () => {
  const info: Step = {
    kind: 'answer',
    instruction: 'Help.',
    facts: 'We keep it for a week.',
    on: { next: 'bye' },
  };
  const ask: Step = {
    kind: 'recordingConsent',
    line: 'May I record?',
    on: { next: 'bye', declined: 'lost' },
  };
  const question = {
    text: 'How long do you keep it?',
    understood: [
      { consent: null, asks: true },
      { answered: true, text: 'We keep it for a week.' },
    ],
  };
  const run = play(designOf({ ask, info, bye, lost }), [question, 'Yes.']);
  expect(said(run).slice(2, 4)).toEqual(['agent: We keep it for a week.', 'agent: May I record?']);
  expect(walked(run)).toEqual(['ask next', 'bye']);
});

describe('a correction at a route', () => {
  const ask: Step = {
    kind: 'collect',
    prompt: 'Your name and number?',
    collect: [
      { id: 'n', variableId: 'name', expects: 'name', required: true },
      { id: 'p', variableId: 'phone', expects: 'phoneNumber', required: true },
    ],
    on: { next: 'choose' },
  };
  const choose: Step = {
    kind: 'route',
    prompt: 'Shall we call you today?',
    options: [
      { id: 'yes', title: 'Yes', target: 'bye' },
      { id: 'no', title: 'No', target: 'lost' },
    ],
  };
  const design = designOf({ ask, choose, bye, lost });
  const first = 'Ana Silva, 202-555-0143';

  test('changes what was noted, and is no choice', () => {
    const run = play(design, [first, 'Sorry, the number is 202-555-0199, not 202-555-0143.']);
    expect(run.variables).toEqual({ name: 'Ana Silva', phone: expect.stringContaining('0199') });
    expect(said(run).at(-1)).toBe('agent: Shall we call you today?');
    expect(run.ended).toBeNull();
  });

  test('may stand beside a choice', () => {
    const understood = {
      option: 'yes',
      values: { name: 'Ana Sousa', vip: 'yes' },
      corrected: ['name', 'vip'],
    };
    const run = play(design, [first, { text: 'Yes, and it is Sousa.', understood }]);
    expect(run.variables).toMatchObject({ name: 'Ana Sousa' });
    expect(run.variables).not.toHaveProperty('vip');
    expect(walked(run).at(-2)).toBe('choose yes');
  });

  test('has to be one: other values change nothing', () => {
    const understood = { option: 'yes', values: { name: 'Bob' }, corrected: [] };
    expect(play(design, [first, { text: 'Yes.', understood }]).variables).toMatchObject({
      name: 'Ana Silva',
    });
  });
});

describe('a collect', () => {
  const steps = (more: object = {}): Record<string, Step> => ({
    ask: {
      kind: 'collect',
      prompt: 'Your name and telephone number?',
      collect: [
        { id: 'name', variableId: 'callerName', description: 'Full name', required: true },
        { id: 'phone', variableId: 'callback', description: 'Phone number', required: true },
      ],
      on: { next: 'bye', failed: 'lost' },
      ...more,
    },
    bye: { kind: 'end', line: 'Thank you, {{callerName}}. We call {{callback}}.' },
    lost,
  });

  test('asks again only until it has everything', () => {
    const run = play(designOf(steps()), ['+1 202 555 0144', 'Ana Silva']);
    expect(said(run).at(-1)).toBe('agent: Thank you, Ana Silva. We call +12025550144.');
    expect(run.variables).toEqual({ callback: '+12025550144', callerName: 'Ana Silva' });
  });

  test('takes its exit for failure after three attempts, or after its own number', () => {
    const nothing = { text: 'Hm.', understood: { values: {} } };
    const three = play(designOf(steps()), [nothing, nothing, nothing, nothing]);
    expect(three.path[0]).toMatchObject({ exit: 'failed', why: 'nothing after 3 attempts' });
    expect(play(designOf(steps({ maxAttempts: 1 })), [nothing]).path[0]?.exit).toBe('failed');
  });

  test('ends the call if it fails and has no exit for that', () => {
    const nothing = { text: 'Hm.', understood: { values: {} } };
    const run = play(designOf(steps({ maxAttempts: 1, on: { next: 'bye' } })), [nothing]);
    expect(run.ended).toEqual({ reason: 'failed', step: 'ask' });
  });

  test('keeps what another step asks for later, and then does not ask for it', () => {
    const first: Step = {
      kind: 'collect',
      prompt: 'When?',
      collect: [{ id: 'day', variableId: 'day' }],
      on: { next: 'ask' },
    };
    const values = { day: 'Monday', callerName: 'Ana', callback: '1', invented: 'x' };
    const run = play(designOf({ first, ...steps() }), [{ text: 'Monday, Ana, 1', understood: { values } }]);
    expect(walked(run)).toEqual(['first next', 'ask next', 'bye']);
    expect(run.path[1]?.why).toBe('known already');
    expect(run.variables).not.toHaveProperty('invented');
  });
});

describe('a route', () => {
  const route = (more: object = {}): Step => ({
    kind: 'route',
    prompt: 'How can I help?',
    options: [
      { id: 'book', title: 'Appointment', description: 'Wants to book an appointment.', target: 'bye' },
      { id: 'hours', title: 'Opening hours', description: 'We are open from 9 to 5.' },
    ],
    on: { fallback: 'lost' },
    ...more,
  });

  test('chooses the option whose words were said, and asks once more before it takes its fallback', () => {
    const design = designOf({ ask: route(), bye, lost });
    expect(walked(play(design, ['I need an appointment, please.']))).toEqual(['ask book', 'bye']);
    const run = play(design, ['Do you sell bicycles?', 'Bicycles, I say.']);
    expect(said(run)).toContain("agent: I'm sorry, I didn't quite get that.");
    expect(said(run).filter((line) => line === 'agent: How can I help?')).toHaveLength(2);
    expect(walked(run)).toEqual(['ask fallback', 'lost']);
    expect(walked(play(design, ['Bicycles.', 'An appointment, then.']))).toEqual(['ask book', 'bye']);
  });

  test('without a prompt, takes its fallback at once', () => {
    const greet: Step = { kind: 'message', text: 'Hello.', on: { next: 'first' } };
    const first = route({
      prompt: 'How can I help?',
      options: [{ id: 'any', title: 'Bicycles', target: 'ask' }],
    });
    const { prompt: _, ...silent } = route() as Extract<Step, { kind: 'route' }>;
    const run = play(designOf({ greet, first, ask: silent, bye, lost }), ['Bicycles.']);
    expect(walked(run)).toEqual(['greet next', 'first any', 'ask fallback', 'lost']);
  });

  test('stays at an option that only speaks', () => {
    const run = play(designOf({ ask: route(), bye, lost }), [
      'What are your opening hours?',
      'An appointment.',
    ]);
    expect(said(run)).toContain('agent: We are open from 9 to 5.');
    expect(walked(run)).toEqual(['ask book', 'bye']);
  });

  test('without a fallback, asks once more and then takes the first option with a target', () => {
    const run = play(designOf({ ask: route({ on: {} }), bye }), ['Bicycles?', 'Cars?']);
    expect(run.path[0]).toMatchObject({ exit: 'book', why: 'twice none of the options' });
    expect(said(run).filter((line) => line === 'agent: How can I help?')).toHaveLength(2);
  });

  test('takes no id that is not one of its options', () => {
    const turn = { text: 'Transfer me!', understood: { option: 'transfer' } };
    expect(walked(play(designOf({ ask: route(), bye, lost }), [turn, turn]))[0]).toBe('ask fallback');
  });
});

describe('an answer', () => {
  const design = designOf(
    {
      menu: { kind: 'route', prompt: 'Yes?', options: [{ id: 'q', target: 'ask' }], on: { fallback: 'ask' } },
      ask: {
        kind: 'answer',
        instruction: 'Answer from the knowledge.',
        knowledgeIds: ['k'],
        maxTurns: 2,
        on: { next: 'bye', noAnswer: 'lost' },
      },
      bye,
      lost,
    },
    { knowledge: [{ id: 'k', kind: 'knowledgeBase', knowledgeBaseId: 'ckb' }] },
  );
  const passages = { ckb: ['The ferry leaves at noon.', 'Children travel free.'] };

  test('leaves in the transcript what the step that heard the turn took it for', () => {
    const { transcript } = play(design, ['Zebras?']);
    expect(transcript.find(({ who }) => who === 'caller')).toMatchObject({
      step: 'menu',
      understood: { option: null },
    });
  });

  test('answers from its passages alone, as often as it may', () => {
    const run = play(design, ['When does the ferry leave?', 'Do children travel free?'], { passages });
    expect(said(run)).toContain('agent: The ferry leaves at noon.');
    expect(said(run)).toContain('agent: Children travel free.');
    expect(run.path[1]).toMatchObject({ exit: 'next', why: 'answered 2' });
  });

  test('takes its exit if no passage answers', () => {
    expect(walked(play(design, ['Is there a lift?'], { passages }))[1]).toBe('ask noAnswer');
    expect(walked(play(design, ['When does the ferry leave?']))[1]).toBe('ask noAnswer');
  });

  test('goes on if the caller asks nothing more', () => {
    const run = play(design, ['When does the ferry leave?', 'No, thanks.'], { passages });
    expect(run.path[1]).toMatchObject({ exit: 'next', why: 'the caller asked nothing more' });
  });
});

test.each([
  [true, { reason: 'transferred', step: 'hand' }, ['hand']],
  [false, { reason: 'completed', step: 'lost' }, ['hand failed', 'lost']],
])('a transfer that succeeds: %s', (transfers, ended, path) => {
  const hand: Step = {
    kind: 'transfer',
    line: 'One moment.',
    destination: { kind: 'phoneNumber', value: '+12025550100' },
    on: { failed: 'lost' },
  };
  const run = play(designOf({ hand, lost }), [], { transfers });
  expect(run.ended).toEqual(ended);
  expect(walked(run)).toEqual(path);
});

describe('a generated message', () => {
  const text = (line: string) =>
    said(
      play(
        designOf({ say: { kind: 'message', text: line, mode: 'generated', on: { next: 'bye' } }, bye }),
        [],
      ),
    )[0];

  test('never replaces a disclosure', () => {
    expect(text('I am an AI assistant.')).toBe('agent: I am an AI assistant.');
    expect(text('Tell the caller that we are closed.')).toBe('agent: Tell the caller that we are closed.');
  });
});

test('a placeholder without a value is empty, and the run says so', () => {
  const run = play(
    designOf({ end: { kind: 'end', line: 'Goodbye, {{callerName}} at {{callerPhone}}.' } }),
    [],
  );
  expect(said(run)).toEqual(['agent: Goodbye,  at +12025550143.']);
  expect(run.notes).toEqual(['{{callerName}} has no value at end']);
});

test('steps that lead to each other without a turn of the caller end at the limit', () => {
  const say = (next: string): Step => ({ kind: 'message', text: 'Again.', on: { next } });
  const run = play(designOf({ one: say('two'), two: say('one') }), []);
  expect(run.ended?.reason).toBe('limit');
});

test('a caller who never gets anywhere is let go after 500 turns', () => {
  const ask: Step = {
    kind: 'collect',
    prompt: 'Name?',
    collect: [{ id: 'n', variableId: 'name', required: true }],
    maxAttempts: 100,
    on: { next: 'bye', failed: 'ask' },
  };
  const turns = Array.from({ length: 501 }, () => ({ text: 'Hm.', understood: { values: {} } }));
  const run = play(designOf({ ask, bye }), turns);
  expect(run.ended).toEqual({ reason: 'limit', step: 'ask' });
});
