import fc from 'fast-check';
import { expect, it } from 'vitest';
import { takeTurn } from '../../voice/turn-taking/machine.ts';
import type { Digits, Expected, TurnEvent, TurnState } from '../../voice/turn-taking/types.ts';
import { runs, seed } from '../helpers/runs.ts';
import { Call, type SaidLine } from './turn-taking-call.ts';
import { Referee } from './turn-taking-referee.ts';

const backchannels = ['yeah', 'Mhm.', 'okay', 'uh-huh', 'I see', 'hello?', ''];
const words = ['Wait, stop', 'no', 'yes', 'my number is', '202 555 0144', 'ana at example dot com', 'um'];
const expectations: readonly Expected[] = ['yesNo', 'choice', 'question', 'name', 'phone', 'date', 'text'];

/** What a caller does in a call. */
type Action =
  | { readonly does: 'speaks'; readonly for: number; readonly words: string; readonly recognition: number }
  | { readonly does: 'sounds'; readonly for: number; readonly speech: number }
  | { readonly does: 'waits'; readonly for: number }
  | { readonly does: 'presses'; readonly keys: string }
  | { readonly does: 'stalls'; readonly for: number }
  | { readonly does: 'mutes'; readonly for: number }
  | { readonly does: 'ticks' }
  | { readonly does: 'hangsUp' };

/** One answer of Parley. */
interface Answer {
  readonly takes: number;
  readonly lines: readonly SaidLine[];
  /** Milliseconds between two lines. */
  readonly between: number;
  readonly outcome: 'listens' | 'ends' | 'fails' | 'stays silent';
  readonly expects: Expected;
  readonly silence: number;
  readonly digits: Digits | undefined;
}

const time = (max: number) => fc.oneof(fc.integer({ min: 1, max }), fc.constantFrom(0.1, 32, 96, 192.5, 448));

const speaking = (texts: readonly string[]): fc.Arbitrary<Action> =>
  fc.record({
    does: fc.constant('speaks' as const),
    for: time(2_500),
    words: fc.constantFrom(...texts),
    recognition: fc.oneof(
      { weight: 6, arbitrary: time(900) },
      { weight: 1, arbitrary: time(4_000) },
      { weight: 1, arbitrary: fc.constant(Number.POSITIVE_INFINITY) },
    ),
  });

const waiting: fc.Arbitrary<Action> = fc.record({ does: fc.constant('waits' as const), for: time(3_000) });

const anyAction: fc.Arbitrary<Action> = fc.oneof(
  { weight: 8, arbitrary: speaking([...words, ...backchannels]) },
  { weight: 6, arbitrary: waiting },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('sounds' as const),
      for: time(1_000),
      speech: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('presses' as const),
      keys: fc.constantFrom('1', '42', '7#', '#', '*', '12345'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('stalls' as const), for: time(5_000) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('mutes' as const), for: time(6_000) }) },
  { weight: 1, arbitrary: fc.constant({ does: 'ticks' } as const) },
);

const anyLine: fc.Arbitrary<SaidLine> = fc.record({
  text: fc.constantFrom('One', 'Two', 'Three'),
  lasts: fc.oneof(fc.constant(0), time(5_000)),
  interruptible: fc.boolean(),
});

const answers = (...outcomes: Answer['outcome'][]): fc.Arbitrary<Answer> =>
  fc.record({
    takes: time(1_500),
    lines: fc.array(anyLine, { maxLength: 4, size: 'max' }),
    between: fc.oneof(fc.constant(0), time(800)),
    outcome: fc.constantFrom(...outcomes),
    expects: fc.constantFrom(...expectations),
    silence: fc.constantFrom(0.5, 3, 8),
    digits: fc.constantFrom(undefined, { pause: 1 }, { most: 4, pause: 2 }, { most: 1, pause: 0 }),
  });

const anyAnswers = fc.array(
  answers('listens', 'listens', 'listens', 'listens', 'listens', 'ends', 'fails', 'stays silent'),
  { maxLength: 12, size: 'max' },
);

const lastAnswer: Answer = {
  takes: 5,
  lines: [{ text: 'Goodbye.', lasts: 700, interruptible: true }],
  between: 0,
  outcome: 'ends',
  expects: 'text',
  silence: 5,
  digits: undefined,
};

/** Parley answers the start and each turn by the script, and then ends the call. */
function answerBy(call: Call, script: readonly Answer[]): void {
  const rest = [...script];
  const answer = () => {
    const { takes, lines, between, outcome, ...listening } = rest.shift() ?? lastAnswer;
    let delay = takes;
    for (const said of lines) {
      call.later(delay, () => call.say(said));
      delay += between;
    }
    call.later(delay, () => {
      if (outcome === 'listens') call.parley([], listening.expects, withoutUndefined(listening));
      else if (outcome === 'ends') call.ends([]);
      else if (outcome === 'fails') call.take({ kind: 'turnFailed', at: call.at });
    });
  };
  call.onSend = answer;
  answer();
}

function withoutUndefined({ silence, digits }: Pick<Answer, 'silence' | 'digits'>) {
  return digits ? { silence, digits } : { silence };
}

function act(call: Call, action: Action): void {
  switch (action.does) {
    case 'speaks':
      call.recognitionTakes = action.recognition;
      call.speaks(action.for, action.words);
      break;
    case 'sounds':
      call.sounds(action.for, action.speech);
      break;
    case 'waits':
      call.passes(action.for);
      break;
    case 'presses':
      call.presses(action.keys);
      break;
    case 'stalls':
      call.stalls(action.for);
      break;
    case 'mutes':
      call.stopsAudio();
      call.passes(action.for);
      call.startsAudio();
      break;
    case 'ticks':
      call.take({ kind: 'tick', at: call.at });
      break;
    case 'hangsUp':
      call.take({ kind: 'hungUp', at: call.at });
      break;
  }
}

/** Plays a call to its end. After the script, the caller's microphone is off. */
function play(script: readonly Action[], answers: readonly Answer[], start = 0): Call {
  const call = new Call(start);
  answerBy(call, answers);
  for (const action of script) act(call, action);
  call.stopsAudio();
  for (let minutes = 0; minutes < 70 && !call.isOver; minutes++) call.passes(60_000);
  return call;
}

it('keeps the rules in any call, and every call ends', () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(
      fc.array(anyAction, { maxLength: 25, size: 'max' }),
      anyAnswers,
      fc.constantFrom(0, 1_764_259_200_123.7),
      (script, answers, start) => {
        const call = play(script, answers, start);
        expect(call.isOver).toBe(true);
        if (call.outcome.state.isEnding && call.outcome.state.playing === undefined)
          call.referee.judgeGoodbye();
        for (const { what } of call.log) seen.add(what.replace(/^((?:send )?\w+).*/u, '$1'));
      },
    ),
    { numRuns: 40 * runs, seed },
  );
  for (const what of ['pause', 'resume', 'cut', 'play', 'hangUp', 'send keys', 'send silence', 'send Wait'])
    expect(seen).toContain(what);
});

it('does nothing after the caller has hung up', () => {
  fc.assert(
    fc.property(
      fc.array(anyAction, { maxLength: 10, size: 'max' }),
      fc.array(anyAction, { maxLength: 10, size: 'max' }),
      anyAnswers,
      (before, after, answers) => {
        const call = new Call();
        answerBy(call, answers);
        for (const action of [...before, { does: 'hangsUp' } as const]) act(call, action);
        const count = call.log.length;
        for (const action of after) act(call, action);
        expect(call.log.length).toBe(count);
        expect(call.outcome.wakeAt).toBeUndefined();
      },
    ),
    { numRuns: 10 * runs, seed },
  );
});

it('never cuts a line for sounds that only say that the caller listens', () => {
  let pauses = 0;
  fc.assert(
    fc.property(
      fc.array(fc.oneof(speaking(backchannels), waiting), { maxLength: 20, size: 'max' }),
      anyAnswers,
      (script, answers) => {
        const call = play(script, answers);
        expect(call.log.map(({ what }) => what)).not.toContain('cut');
        pauses += call.log.filter(({ what }) => what === 'pause').length;
      },
    ),
    { numRuns: 10 * runs, seed },
  );
  expect(pauses).toBeGreaterThan(0);
});

it('sends every word of the caller once and in order', () => {
  const pieces = fc.array(
    fc.record({ speech: fc.integer({ min: 300, max: 9_000 }), quiet: fc.integer({ min: 0, max: 4_000 }) }),
    { minLength: 1, maxLength: 12, size: 'max' },
  );
  fc.assert(
    fc.property(
      pieces,
      fc.array(answers('listens'), { minLength: 40, maxLength: 40, size: 'max' }),
      (pieces, answers) => {
        const call = new Call();
        answerBy(call, answers);
        const spoken: { readonly at: number; readonly word: string }[] = [];
        call.recognise = (from, to) =>
          spoken
            .filter(({ at }) => at > from && at <= to)
            .map(({ word }) => word)
            .join(' ');
        for (const { speech, quiet } of pieces) {
          call.speaks(speech / 2);
          spoken.push({ at: call.at, word: `word${spoken.length}` });
          call.speaks(speech / 2);
          call.passes(quiet);
        }
        call.passes(40_000);
        const sent = call.log.flatMap(({ what }) => what.match(/word\d+/gu) ?? []);
        expect(sent).toEqual(spoken.map(({ word }) => word));
      },
    ),
    { numRuns: 4 * runs, seed },
  );
});

it('is a pure function of plain data', () => {
  fc.assert(
    fc.property(fc.array(anyAction, { maxLength: 15, size: 'max' }), anyAnswers, (script, answers) => {
      const call = play(script, answers);
      let { state } = new Call().outcome;
      const commands = call.events.flatMap((event) => {
        const outcome = takeTurn(JSON.parse(JSON.stringify(state)) as TurnState, event);
        ({ state } = outcome);
        return outcome.commands;
      });
      expect(state).toEqual(call.outcome.state);
      expect(commands).toEqual(call.commands);
    }),
    { numRuns: 2 * runs, seed },
  );
});

/** Events in an order that no shell produces: late, repeated, of things that never were. */
const strayEvent: fc.Arbitrary<TurnEvent> = fc
  .tuple(
    fc.integer({ min: 0, max: 100_000 }),
    fc.oneof(
      fc.record({ kind: fc.constant('audio' as const), speech: fc.double({ min: -1, max: 2 }) }),
      fc.record({ kind: fc.constant('digit' as const), digit: fc.constantFrom('1', '#', '*') }),
      fc.record({
        kind: fc.constant('say' as const),
        line: fc.record({
          id: fc.integer({ min: 1, max: 5 }),
          turn: fc.constant(1),
          text: fc.constant('One'),
          interruptible: fc.boolean(),
        }),
      }),
      fc.record({
        kind: fc.constant('listen' as const),
        expects: fc.constantFrom(...expectations),
        silence: fc.double({ min: 0, max: 10, noNaN: true }),
        digits: fc.record({
          most: fc.integer({ min: 1, max: 3 }),
          pause: fc.double({ min: 0, max: 3, noNaN: true }),
        }),
      }),
      fc.record({
        kind: fc.constant('transcribed' as const),
        utterance: fc.integer({ min: 0, max: 4 }),
        to: fc.integer({ min: 0, max: 100_000 }),
        text: fc.constantFrom(...words, ...backchannels),
      }),
      fc.record({ kind: fc.constant('played' as const), line: fc.integer({ min: 0, max: 5 }) }),
      fc.record({ kind: fc.constantFrom('turnDone' as const, 'turnFailed' as const, 'tick' as const) }),
      { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('end' as const, 'hungUp' as const) }) },
    ),
  )
  .map(([at, event]) => ({ ...event, at }));

it('keeps the rules for events in any order', () => {
  fc.assert(
    fc.property(fc.array(strayEvent, { maxLength: 60, size: 'max' }), fc.boolean(), (events, isSorted) => {
      let { outcome } = new Call();
      const referee = new Referee(outcome);
      for (const event of isSorted ? events.toSorted((a, b) => a.at - b.at) : events) {
        const next = takeTurn(outcome.state, event);
        referee.judge(outcome, event, next);
        outcome = next;
      }
      expect(outcome.state.at).toBe(Math.max(0, ...events.map(({ at }) => at)));
    }),
    { numRuns: 50 * runs, seed },
  );
});
