import { describe, expect, it } from 'vitest';
import type { Expected } from '../../voice/turn-taking/types.ts';
import { Call, line, notice } from './turn-taking-call.ts';

/** A call in which the agent has asked its first question, and the caller is to answer. */
function asked(expects: Expected = 'question', options: Parameters<Call['parley']>[2] = {}): Call {
  const call = new Call();
  call.parley([line('Hello!')], expects, options);
  call.passes(3_000);
  call.news();
  return call;
}

/** A call in which the agent says a line of ten seconds, and then one more. */
function speaking(expects: Expected = 'question'): Call {
  const call = new Call();
  call.parley([line('Long', 10_000), line('Next')], expects);
  call.passes(2_000);
  call.news();
  return call;
}

/** The silence between the last speech and the send, with a transcription that takes 50 ms. */
function silenceAfter(words: string, expects: Expected): number {
  const call = asked(expects);
  call.recognitionTakes = 50;
  call.speaks(960, words);
  const quietSince = call.at;
  call.passes(2_000);
  expect(call.news()).toEqual([`send ${words}`]);
  return call.when(`send ${words}`) - quietSince;
}

describe('a turn', () => {
  it('is sent after the caller has been quiet', () => {
    const call = asked();
    call.speaks(1_200, 'I have a question');
    call.passes(400);
    expect(call.news()).toEqual([]);
    call.passes(100);
    expect(call.news()).toEqual(['send I have a question']);
  });

  it('has 480 ms of audio before its first sound', () => {
    const call = asked();
    const start = call.at;
    call.speaks(960, 'Hi there');
    call.passes(500);
    const [transcription] = call.log.filter(({ what }) => what.startsWith('transcribe'));
    const [from, to] = (transcription?.what.match(/[\d.]+/gu) ?? []).map(Number);
    expect(from).toBeGreaterThanOrEqual(start - 480 - 32);
    expect(from).toBeLessThanOrEqual(start - 480 + 32);
    expect(to).toBe(transcription?.at);
  });

  it.each([
    ['yesNo', 'well I would', 352],
    ['yesNo', 'yes please', 288],
    ['choice', 'the blue one', 352],
    ['question', 'I have a question', 448],
    ['name', 'Ana Silva', 608],
    ['phone', '555', 960],
    ['phone', '202 555 0144', 448],
    ['phone', 'two oh two five five five oh one four four', 448],
    ['email', 'it says Ana', 960],
    ['email', 'ana at example dot com', 448],
    ['date', 'the fourth of May', 960],
    ['question', 'my number is', 1_312],
    ['question', 'On Monday,', 1_312],
    ['yesNo', 'yes and', 1_312],
    ['question', 'well um', 1_312],
  ] as const)('in a %s step ends with "%s" after about %i ms', (expects, words, silence) => {
    const measured = silenceAfter(words, expects);
    expect(measured).toBeGreaterThan(silence - 32);
    expect(measured).toBeLessThanOrEqual(silence + 32);
  });

  it('goes on through the pauses between groups of digits', () => {
    const call = asked('phone');
    call.speaks(900, 'My number is two oh two');
    call.passes(800);
    call.speaks(900, 'My number is two oh two five five five');
    call.passes(800);
    call.speaks(900, 'My number is two oh two five five five oh one four four');
    call.passes(2_000);
    expect(call.news()).toEqual(['send My number is two oh two five five five oh one four four']);
  });

  it('is transcribed early, and again only if the caller goes on', () => {
    const call = asked('phone');
    const count = () => call.log.filter(({ what }) => what.startsWith('transcribe')).length;
    call.speaks(900, 'two oh two');
    call.passes(250);
    expect(count()).toBe(1);
    call.passes(300);
    expect(count()).toBe(1);
    call.speaks(900, 'two oh two five');
    call.passes(900);
    expect(count()).toBe(2);
    expect(call.news()).toEqual([]);
    call.passes(200);
    expect(count()).toBe(2);
    expect(call.news()).toEqual(['send two oh two five']);
  });

  it('waits for the transcription of its latest version', () => {
    const call = asked();
    call.recognitionTakes = 600;
    call.speaks(900, 'I would');
    call.passes(300);
    call.speaks(900, 'I would like to pay');
    call.passes(750);
    expect(call.news()).toEqual([]);
    call.passes(100);
    expect(call.news()).toEqual(['send I would like to pay']);
  });

  it('ignores the text of a version that the caller has gone on from', () => {
    const call = asked();
    call.recognitionTakes = 1_500;
    call.speaks(900, 'I would');
    call.passes(300);
    call.speaks(900, 'I would like to pay');
    call.passes(1_600);
    expect(call.news()).toEqual([]);
    call.passes(200);
    expect(call.news()).toEqual(['send I would like to pay']);
  });

  it('is not delayed by a click', () => {
    const call = asked();
    call.speaks(900, 'I have a question');
    call.passes(300);
    call.sounds(32, 0.9);
    call.passes(250);
    expect(call.news()).toEqual(['send I have a question']);
    expect(call.log.filter(({ what }) => what.startsWith('transcribe'))).toHaveLength(1);
  });

  it('does not start with a click, or with speech that is not probable enough', () => {
    const call = asked();
    call.sounds(64, 0.9);
    call.passes(200);
    call.sounds(1_000, 0.49);
    call.passes(500);
    expect(call.log.some(({ what }) => what.startsWith('transcribe'))).toBe(false);
  });

  it('goes on while speech is between the two thresholds', () => {
    const call = asked();
    call.speaks(200, 'A soft voice');
    call.sounds(2_000, 0.4);
    expect(call.log.some(({ what }) => what.startsWith('transcribe'))).toBe(false);
    call.passes(500);
    expect(call.news()).toEqual(['send A soft voice']);
  });

  it('is silence if speech comes back without words', () => {
    const call = asked();
    call.speaks(350, '');
    call.passes(600);
    expect(call.news()).toEqual(['send silence']);
  });

  it('is nothing if a short sound comes back without words', () => {
    const call = asked();
    call.speaks(128, '');
    call.passes(1_000);
    expect(call.news()).toEqual([]);
  });

  it('ends if no audio arrives any more', () => {
    const call = asked();
    call.speaks(900, 'I have a question');
    call.stopsAudio();
    call.passes(900);
    expect(call.news()).toEqual([]);
    call.passes(300);
    expect(call.news()).toEqual(['send I have a question']);
  });

  it('does not end because the process was busy while the caller spoke', () => {
    const call = asked();
    call.speaks(900, 'I have');
    call.stalls(800);
    call.speaks(1_700, 'I have a question');
    expect(call.news()).toEqual([]);
    call.passes(500);
    expect(call.news()).toEqual(['send I have a question']);
  });

  it('is sent after 30 s if the sound never stops, and what follows is a turn of its own', () => {
    const call = asked();
    call.speaks(30_500, 'A long story');
    expect(call.news()).toEqual(['send A long story']);
    call.speaks(2_000, 'and its end');
    call.parley([line('I see.')]);
    call.passes(1_400);
    expect(call.news()).toEqual(['send and its end']);
  });

  it('is silence if the transcription never comes', () => {
    const call = asked();
    call.recognitionTakes = Number.POSITIVE_INFINITY;
    call.speaks(900, 'Hello');
    call.passes(10_000);
    expect(call.news()).toEqual([]);
    call.passes(300);
    expect(call.news()).toEqual(['send silence']);
  });
});

describe('an interruption', () => {
  it('pauses at once, and cuts when words come', () => {
    const call = speaking();
    call.speaks(150, 'Wait, I have a question');
    expect(call.news()).toEqual([]);
    call.speaks(64);
    expect(call.news()).toEqual(['pause']);
    call.speaks(500);
    call.passes(600);
    expect(call.news()).toEqual(['cut', 'send Wait, I have a question']);
    call.parley([line('Sure.')]);
    expect(call.news()).toEqual(['play Sure.']);
  });

  it.each(['yeah', 'Mhm.', 'Okay, okay.', 'uh-huh', 'I see', 'hello?', ''])(
    'by "%s" only pauses',
    (words) => {
      const call = speaking('phone');
      call.speaks(300, words);
      call.passes(450);
      expect(call.news()).toEqual(['pause', 'resume']);
      call.passes(12_000);
      expect(call.news()).toEqual(['play Next']);
    },
  );

  it('ends after 1,500 ms of quiet without words, and words that come later still cut', () => {
    const call = speaking();
    call.recognitionTakes = 2_500;
    call.speaks(500, 'Wait, stop');
    const quietSince = call.at;
    call.passes(2_000);
    expect(call.news()).toEqual(['pause', 'resume']);
    expect(call.when('resume') - quietSince).toBeLessThanOrEqual(1_532);
    call.passes(1_000);
    expect(call.news()).toEqual(['cut', 'send Wait, stop']);
  });

  it('ends after 1,500 ms even if no audio arrives any more', () => {
    const call = speaking();
    call.recognitionTakes = 5_000;
    call.speaks(500, 'Wait, stop');
    call.stopsAudio();
    call.passes(1_480);
    expect(call.news()).toEqual(['pause']);
    call.passes(40);
    expect(call.news()).toEqual(['resume']);
  });

  it('by one short word cuts without a pause', () => {
    const call = speaking();
    call.speaks(128, 'No!');
    call.passes(600);
    expect(call.news()).toEqual(['cut', 'send No!']);
  });

  it('answers a yes-or-no question that still plays with "yes", but not with "yeah"', () => {
    const early = speaking('yesNo');
    early.speaks(300, 'Yes.');
    early.passes(600);
    expect(early.news()).toEqual(['pause', 'cut', 'send Yes.']);
    const listening = speaking('yesNo');
    listening.speaks(300, 'Yeah.');
    listening.passes(600);
    expect(listening.news()).toEqual(['pause', 'resume']);
  });

  it('counts as an answer if the line ends before the words do', () => {
    const call = speaking();
    call.passes(9_900);
    expect(call.news()).toEqual(['play Next']);
    call.speaks(400, 'Okay.');
    call.passes(600);
    expect(call.news()).toEqual(['send Okay.']);
  });

  it('holds the next line while the caller speaks', () => {
    const call = speaking();
    call.passes(7_900);
    call.speaks(150, 'mhm');
    expect(call.news()).toEqual([]);
    call.passes(300);
    expect(call.news()).toEqual([]);
    call.passes(300);
    expect(call.news()).toEqual(['play Next']);
  });

  it('drops the lines that had not started, but not those that the caller must hear', () => {
    const call = new Call();
    call.parley([line('One'), line('Two'), notice('This call is recorded.', 3_000), line('Four')]);
    call.passes(500);
    call.speaks(600, 'Stop, please');
    call.passes(1_000);
    expect(call.news()).toEqual(['play One', 'pause', 'cut', 'play This call is recorded.']);
    call.passes(3_000);
    expect(call.news()).toEqual(['send Stop, please']);
  });

  it('drops lines that Parley says after the cut', () => {
    const call = new Call();
    call.say(line('One'));
    call.passes(500);
    call.speaks(600, 'Stop, please');
    call.passes(600);
    expect(call.news()).toEqual(['play One', 'pause', 'cut']);
    call.parley([line('Two'), notice('Recorded.')]);
    call.passes(2_100);
    expect(call.news()).toEqual(['play Recorded.', 'send Stop, please']);
  });
});

describe('a line that the caller must hear', () => {
  it('is never paused, and what the caller says meanwhile is sent after it', () => {
    const call = new Call();
    call.parley([notice('I am an assistant.', 4_000), line('How can I help?')]);
    call.passes(500);
    call.speaks(1_500, 'I want to book');
    call.passes(1_900);
    expect(call.news()).toEqual(['play I am an assistant.']);
    call.passes(200);
    expect(call.news()).toEqual(['send I want to book']);
  });

  it.each(['okay', 'yes', 'hello', ''])('loses "%s" that is said meanwhile', (words) => {
    const call = new Call();
    call.parley([notice('May I record this call?', 4_000)], 'yesNo');
    call.passes(500);
    call.speaks(500, words);
    call.passes(6_000);
    expect(call.news()).toEqual(['play May I record this call?']);
  });

  it('ends before a sound that began during it is known to be no word', () => {
    const call = new Call();
    call.parley([notice('This call is recorded.', 2_000)]);
    call.passes(1_500);
    call.speaks(400, '');
    call.passes(2_000);
    expect(call.news()).toEqual(['play This call is recorded.']);
  });

  it('starts even if the caller is speaking', () => {
    const call = new Call();
    call.speaks(500, 'Hello?');
    call.parley([notice('I am an assistant.')]);
    expect(call.news()).toEqual(['play I am an assistant.']);
  });
});

describe('while Parley has a turn', () => {
  it('holds what the caller adds, and sends it once the turn is done', () => {
    const call = asked('phone');
    call.speaks(900, '202 555');
    call.passes(1_100);
    expect(call.news()).toEqual(['send 202 555']);
    call.passes(200);
    call.speaks(900, '0144');
    call.parley([line('That number is too short.')], 'phone');
    call.passes(900);
    expect(call.news()).toEqual([]);
    call.passes(100);
    expect(call.news()).toEqual(['send 0144']);
  });

  it('counts "okay" within 700 ms as words, and drops it later', () => {
    const soon = asked();
    soon.speaks(900, 'Monday');
    soon.passes(600);
    soon.speaks(300, 'okay');
    soon.passes(600);
    soon.parley([line('Fine.')]);
    expect(soon.news()).toEqual(['send Monday', 'send okay']);
    const late = asked();
    late.speaks(900, 'Monday');
    late.passes(1_400);
    late.speaks(300, 'okay');
    late.passes(600);
    late.parley([line('Fine.')]);
    expect(late.news()).toEqual(['send Monday', 'play Fine.']);
  });

  it('drops an "okay" before the first line of the call', () => {
    const call = new Call();
    call.speaks(300, 'okay');
    call.passes(600);
    call.parley([line('Hello!')]);
    expect(call.news()).toEqual(['play Hello!']);
  });

  it('sends the words that it holds even if a sound without words follows', () => {
    const call = asked();
    call.speaks(900, 'Monday');
    call.passes(600);
    call.speaks(900, 'or Tuesday');
    call.passes(600);
    call.speaks(400, '');
    call.parley([line('Fine.')]);
    call.passes(600);
    expect(call.news()).toEqual(['send Monday', 'send or Tuesday']);
  });

  it('hangs up if a line is never reported as played', () => {
    const call = new Call();
    call.parley([line('Hello!', Number.POSITIVE_INFINITY)]);
    call.passes(179_900);
    expect(call.news()).toEqual(['play Hello!']);
    call.passes(200);
    expect(call.news()).toEqual(['hangUp']);
  });

  it('listens for what it expected before, if the turn fails after Parley has named the next step', () => {
    const call = asked('phone');
    call.speaks(900, '202 555 0144');
    call.passes(700);
    call.take({ kind: 'listen', at: call.at, expects: 'yesNo', silence: 3 });
    expect(call.outcome.state.listening.expects).toBe('yesNo');
    call.take({ kind: 'turnFailed', at: call.at });
    expect(call.outcome.state.listening.expects).toBe('phone');
  });

  it('hangs up only if no turn succeeds between the failures', () => {
    const call = asked('question', { silence: 2 });
    let turns = 0;
    call.onSend = () => {
      if (++turns === 3) call.parley([], 'question', { silence: 2 });
      else call.take({ kind: 'turnFailed', at: call.at });
    };
    call.passes(9_500);
    expect(turns).toBe(5);
    expect(call.isOver).toBe(false);
    call.passes(2_000);
    expect(call.isOver).toBe(true);
  });

  it('joins what the caller says in several utterances', () => {
    const call = asked();
    call.speaks(900, 'Monday');
    call.passes(700);
    call.speaks(900, 'or Tuesday');
    call.passes(1_500);
    call.speaks(900, 'whatever you have');
    call.passes(1_500);
    call.parley([line('Fine.')]);
    expect(call.news()).toEqual(['send Monday', 'send or Tuesday whatever you have']);
  });

  it('plays the goodbye to its end if Parley ends the call instead', () => {
    const call = asked();
    call.speaks(900, 'Monday');
    call.passes(600);
    call.speaks(900, 'or Tuesday');
    call.passes(600);
    call.ends([line('You are booked for Monday.'), line('Goodbye.')]);
    call.passes(5_000);
    expect(call.news()).toEqual([
      'send Monday',
      'play You are booked for Monday.',
      'play Goodbye.',
      'hangUp',
    ]);
  });

  it('hangs up if Parley reports nothing for 60 s', () => {
    const call = asked();
    call.speaks(900, 'Monday');
    call.passes(30_000);
    call.say(line('One moment.'));
    call.passes(59_900);
    expect(call.isOver).toBe(false);
    call.passes(200);
    expect(call.news()).toEqual(['send Monday', 'play One moment.', 'hangUp']);
  });

  it('listens again if the turn fails, and hangs up after three failures in a row', () => {
    const call = asked('phone', { silence: 5 });
    call.onSend = () => call.later(100, () => call.take({ kind: 'turnFailed', at: call.at }));
    call.speaks(900, '202 555 0144');
    call.passes(700);
    expect(call.outcome.state.listening.expects).toBe('phone');
    call.passes(5_000);
    expect(call.news()).toEqual(['send 202 555 0144', 'send silence']);
    call.speaks(900, '202 555 0144');
    call.passes(700);
    expect(call.news()).toEqual(['send 202 555 0144', 'hangUp']);
  });
});

describe('keys', () => {
  const digits = { most: 4, pause: 2 };

  it.each([
    ['427#', 0, '427'],
    ['4271', 0, '4271'],
    ['42719', 0, '4271'],
    ['42', 2_050, '42'],
    ['*1#', 0, '*1'],
  ])('%s are sent after %i ms as %s', (keys, wait, sent) => {
    const call = asked('number', { digits });
    call.presses(keys);
    call.passes(wait);
    expect(call.news()).toEqual([`send keys ${sent}`]);
  });

  it('wait for the pause after the last one', () => {
    const call = asked('number', { digits });
    call.presses('4');
    call.passes(1_900);
    call.presses('2');
    call.passes(1_900);
    expect(call.news()).toEqual([]);
    call.passes(200);
    expect(call.news()).toEqual(['send keys 42']);
  });

  it('cut a line at once, and drop the next', () => {
    const call = new Call();
    call.parley([line('Enter your code'), line('or say it.')], 'number', { digits });
    call.passes(500);
    call.presses('4');
    expect(call.news()).toEqual(['play Enter your code', 'cut']);
    call.presses('27#');
    expect(call.news()).toEqual(['send keys 427']);
  });

  it('wait for a line that the caller must hear', () => {
    const call = new Call();
    call.parley([notice('This call is recorded.'), line('Your code?')], 'number', { digits });
    call.passes(500);
    call.presses('427#');
    call.passes(1_400);
    expect(call.news()).toEqual(['play This call is recorded.']);
    call.passes(200);
    expect(call.news()).toEqual(['send keys 427']);
  });

  it('count only as activity if the step takes none', () => {
    const call = asked('question', { silence: 5 });
    call.passes(3_000);
    call.presses('1');
    call.passes(4_900);
    expect(call.news()).toEqual([]);
    call.passes(200);
    expect(call.news()).toEqual(['send silence']);
  });

  it('win over speech at the same time', () => {
    const call = asked('number', { digits });
    call.recognise = () => 'four';
    call.presses('4');
    call.speaks(500);
    call.presses('2');
    call.speaks(2_010);
    expect(call.news()).toEqual(['send keys 42']);
  });

  it('do nothing until Parley says what the next step takes', () => {
    const call = asked('number', { digits });
    call.presses('42#');
    call.say(line('Thanks.'));
    call.presses('7');
    expect(call.news()).toEqual(['send keys 42', 'play Thanks.']);
    call.parley([], 'number', { digits });
    call.passes(4_500);
    expect(call.news()).toEqual([]);
  });

  it('end the speech before them: one more window of it starts nothing', () => {
    const call = asked('number', { digits: { most: 1, pause: 2 } });
    call.speaks(1_000, 'four');
    call.presses('4');
    call.parley([]);
    call.speaks(32, 'four');
    call.passes(3_000);
    expect(call.news()).toEqual(['send keys 4']);
  });

  it('are no entry if the first is the terminator', () => {
    const call = asked('number', { digits });
    call.presses('#');
    call.passes(4_000);
    expect(call.news()).toEqual([]);
  });
});

describe('silence', () => {
  it('starts when the last line was played', () => {
    const call = new Call();
    call.parley([line('One', 4_000), line('Two', 4_000)], 'question', { silence: 5 });
    call.passes(12_900);
    expect(call.news()).toEqual(['play One', 'play Two']);
    call.passes(200);
    expect(call.news()).toEqual(['send silence']);
    expect(call.when('send silence')).toBe(13_000);
  });

  it('starts with the last line even if the turn is stored later', () => {
    const call = new Call();
    call.say(line('One', 1_000));
    call.take({ kind: 'listen', at: call.at, expects: 'question', silence: 5 });
    call.passes(3_000);
    call.done();
    call.passes(4_000);
    expect(call.when('send silence')).toBe(6_000);
  });

  it('is not sent while the caller speaks', () => {
    const call = asked('question', { silence: 5 });
    call.passes(3_500);
    call.speaks(3_000, 'A long answer');
    call.passes(500);
    expect(call.news()).toEqual(['send A long answer']);
  });

  it('starts again after a turn without a line', () => {
    const call = asked('question', { silence: 5 });
    call.onSend = () => call.parley([], 'question', { silence: 3 });
    call.passes(10_100);
    expect(call.news()).toEqual(['send silence', 'send silence', 'send silence']);
  });
});

describe('the end', () => {
  it('hangs up 300 ms after the last line', () => {
    const call = asked();
    call.speaks(900, 'Thanks');
    call.passes(600);
    call.ends([line('Goodbye.', 1_000)]);
    const at = call.at;
    call.passes(5_000);
    expect(call.news()).toEqual(['send Thanks', 'play Goodbye.', 'hangUp']);
    expect(call.when('hangUp')).toBe(at + 1_300);
  });

  it('goes on if the caller speaks or presses keys, and sends nothing more', () => {
    const call = asked('number', { digits: { pause: 1 } });
    call.presses('1#');
    call.ends([line('Goodbye.', 3_000)]);
    call.passes(500);
    call.speaks(1_000, 'Wait, one more question');
    call.presses('1#');
    call.passes(3_000);
    expect(call.news()).toEqual(['send keys 1', 'play Goodbye.', 'hangUp']);
  });

  it('resumes a line that the caller had paused', () => {
    const call = new Call();
    call.say(line('Goodbye.', 3_000));
    call.passes(1_000);
    call.speaks(300, 'One moment');
    call.take({ kind: 'end', at: call.at });
    expect(call.news()).toEqual(['play Goodbye.', 'pause', 'resume']);
    call.passes(3_000);
    expect(call.news()).toEqual(['hangUp']);
  });

  it('sends nothing after the caller has hung up', () => {
    const call = asked();
    call.speaks(900, 'I have a question');
    call.take({ kind: 'hungUp', at: call.at });
    call.passes(20_000);
    call.take({ kind: 'digit', at: call.at, digit: '1' });
    expect(call.news()).toEqual([]);
    expect(call.outcome.wakeAt).toBeUndefined();
  });

  it('comes after an hour at the latest', () => {
    const call = asked('question', { silence: 60 });
    call.stopsAudio();
    call.onSend = () => call.parley([line('Are you there?')], 'question', { silence: 60 });
    call.passes(3_600_000);
    expect(call.news().at(-1)).toBe('hangUp');
    expect(call.when('hangUp')).toBe(3_600_000);
  });
});
