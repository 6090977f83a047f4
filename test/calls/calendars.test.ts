import { describe, expect, test } from 'vitest';
import { proposeScenarios } from '../../src/calls/propose.ts';
import { type Simulation, simulate } from '../../src/calls/simulate.ts';
import type { Design } from '../../src/design/schema/design.ts';
import { practice } from '../helpers/calendar-project.ts';

/** A call on Monday, 2 March 2026, at 09:30. */
const system = { callStartedAt: '2026-03-02T09:30:00.000Z' };

function play(script: readonly string[], more: Partial<Simulation> = {}, design: Design = practice()) {
  const turns = script.map((text) => ({ text }));
  return simulate(design, { script: turns, channel: 'phone', system, ...more });
}

const said = ({ transcript }: ReturnType<typeof play>) =>
  transcript.flatMap(({ who, text }) => (who === 'agent' ? [text] : []));

describe('an appointment step', () => {
  test('books the day and the time that the caller gives', () => {
    const run = play(['My name is Ana Silva, and I would like to come tomorrow at 10 in the morning.']);
    expect(said(run).at(-1)).toBe('You are booked for Tuesday, March 3 at 10 AM.');
    expect(run.variables).toMatchObject({
      appointment: '2026-03-03T10:00',
      booking: 'simulated1',
      outcome: 'booked',
    });
    expect(run.requests).toEqual([
      {
        block: 'calendar',
        node: 'book',
        result: 'mocked',
        integration: 'diary',
        action: 'book',
        day: '2026-03-03',
        time: '10:00',
        name: 'Ana Silva',
      },
    ]);
  });

  test('says that a time is taken, offers the next ones, and books the one that the caller chooses', () => {
    const run = play(['My name is Ana Silva, tomorrow at 10 am please.', 'Half past ten then.'], {
      calendars: { book: 'taken' },
    });
    expect(said(run).slice(-3)).toEqual([
      'I am sorry, that time is not free. I can offer Tuesday, March 3 at 9 AM, 9:30 AM, or 10:30 AM.',
      'Which of these do you take?',
      'You are booked for Tuesday, March 3 at 10:30 AM.',
    ]);
    expect(run.requests).toHaveLength(2);
  });

  test('offers another day if the day that the caller wants is full, and books there', () => {
    const run = play(['My name is Ana Silva, tomorrow at 10 am please.', '11 please'], {
      calendars: { book: ['2026-03-05T09:00', '2026-03-05T11:00'] },
    });
    expect(said(run)).toContain(
      'I am sorry, that time is not free. I can offer Thursday, March 5 at 9 AM or 11 AM.',
    );
    expect(said(run).at(-1)).toBe('You are booked for Thursday, March 5 at 11 AM.');
  });

  test.each([
    ['nothing is free', 'none', 'none'],
    ['the calendar fails', 'fail', 'failed'],
  ] as const)('takes the way "none" if %s', (_, mock, outcome) => {
    const run = play(['My name is Ana Silva, tomorrow at 10 am please.'], { calendars: { book: mock } });
    expect(said(run).at(-1)).toBe('A colleague will call you back.');
    expect(run.variables['outcome']).toBe(outcome);
  });

  test('does not book the past, or outside of the hours', () => {
    const run = play(['My name is Ana Silva, tomorrow at 8 in the evening.']);
    expect(said(run)).toContain(
      'I am sorry, that time is not free. I can offer Tuesday, March 3 at 10:30 AM, 11 AM, or 11:30 AM.',
    );
    const past = play(['My name is Ana Silva, today at 9 am.']);
    expect(said(past).at(-2)).toContain('I can offer Monday, March 2 at 9:30 AM, 10 AM, or 10:30 AM.');
  });

  test('speaks the free times in the language of the agent', () => {
    const { steps, ...design } = practice();
    const { ask } = steps;
    if (ask?.kind !== 'collect') throw new TypeError('the design asks nothing');
    const german: Design = {
      ...design,
      steps: {
        ...steps,
        hello: {
          kind: 'greeting',
          introLine: 'Guten Tag, ich bin ein KI-Assistent der Praxis.',
          on: { next: 'ask' },
        },
        ask: { ...ask, prompt: 'Wie heißen Sie, und welcher Tag und welche Uhrzeit passen Ihnen?' },
        taken: {
          kind: 'message',
          text: 'Das ist leider nicht frei. Frei ist {{offered}}.',
          on: { next: 'choose' },
        },
      },
    };
    const run = play(
      ['Ich heiße Ana Silva, morgen um 10 Uhr bitte.'],
      { calendars: { book: 'taken' } },
      german,
    );
    expect(said(run).at(-2)).toBe(
      'Das ist leider nicht frei. Frei ist Dienstag, 3. März um 9:00, 9:30 oder 10:30.',
    );
  });

  test('is in the proposed scenarios with each of its ways', () => {
    const design = practice();
    const { scenarios, coverage, missed } = proposeScenarios(design);
    expect(missed.filter(({ part }) => part.includes('book'))).toEqual([]);
    expect(coverage.exits.missed).toEqual([]);
    for (const { simulation, ended } of scenarios) expect(simulate(design, simulation).ended).toEqual(ended);
  });
});

/** The design with a hook node that uses the calendar before the call. */
const hooked = (calendar: object): Design => {
  const { steps, ...design } = practice();
  return {
    ...design,
    steps: {
      ...steps,
      hello: { kind: 'greeting', introLine: 'Hello, I am an AI assistant. {{offered}}', on: { next: 'ask' } },
    },
    hooks: {
      before: {
        rootNodeId: 'look',
        nodes: {
          look: {
            id: 'look',
            calendar: {
              integrationRef: 'diary',
              action: 'freeTimes',
              offeredVariableId: 'offered',
              onNone: { step: 'person' },
              ...calendar,
            },
            next: { step: 'hello' },
          },
        },
      },
    },
  };
};

describe('a calendar block of a hook node', () => {
  test('finds free times before the call, from the next quarter of an hour', () => {
    const run = play([], {}, hooked({ durationMinutes: 45, offers: 2 }));
    expect(said(run)[0]).toBe('Hello, I am an AI assistant. Monday, March 2 at 9:30 AM or 10:15 AM');
  });

  test('takes onNone if nothing is free', () => {
    const run = play([], { calendars: { look: 'none' } }, hooked({}));
    expect(run.path[0]).toMatchObject({ id: 'look', exit: 'onNone' });
  });
});
