import { stepOf } from '../design/exits.ts';
import type { Step } from '../design/schema/design.ts';
import { ruleOnDisclosure } from '../disclosure/index.ts';
import { fillDestination } from './addresses.ts';
import { requestAnswer, requestPassages } from './answering.ts';
import { answersAside } from './aside.ts';
import type { Call } from './call.ts';
import {
  askAgain,
  collectFinished,
  enterCollect,
  heardByCollect,
  noteCorrections,
  notedBefore,
} from './collecting.ts';
import type { Json } from './json-value.ts';
import { linesIn } from './lines.ts';
import { calendarFinished, requestCalendar } from './scheduling.ts';
import { answerIn, asksIn, consentIn, optionIn, passagesIn, saysNothing, textIn } from './understood.ts';

/** How many questions an answer takes, if the design says nothing. */
const defaultQuestions = 1;

type StepOf<Kind extends Step['kind']> = Extract<Step, { kind: Kind }>;

/** How a kind of step plays. A member that is missing cannot happen to the kind. */
interface Play<Kind extends Step['kind']> {
  enter(call: Call, step: StepOf<Kind>): void;
  /** The caller's turn; null: silence. */
  heard?(call: Call, step: StepOf<Kind>, text: string | null): void;
  /** Keys of a telephone, if they mean something else than the same digits in words. */
  keyed?(call: Call, step: StepOf<Kind>, digits: string): void;
  /** An effect of the step has finished; undefined: it has failed. */
  finished?(call: Call, step: StepOf<Kind>, result: Json | undefined): void;
  /** Goes on after the caller has asked for something else. Without it, the step listens. */
  resume?(call: Call, step: StepOf<Kind>): void;
}

const greeting: Play<'greeting'> = {
  enter(call, { introLine, on }) {
    call.say(introLine);
    call.leaveToStep('next', on.next, 'said');
  },
};

const recordingConsent: Play<'recordingConsent'> = {
  enter(call, { line }) {
    call.say(line);
    call.listen();
  },
  resume(call, { line }) {
    call.say(line);
    call.listen();
  },
  heard(call, step, text) {
    if (text === null && call.pauses()) {
      call.speak(linesIn(call.language).stillThere);
      this.resume?.(call, step);
    } else if (text === null) this.finished?.(call, step, { consent: null });
    else call.request({ kind: 'understand', reads: 'consent', step: call.here, text, history: call.history });
  },
  finished(call, { line, on }, result) {
    const consent = consentIn(result);
    if (consent === null && asksIn(result) && answersAside(call)) return;
    const isQuestion = consent === null && asksIn(result);
    if (isQuestion && call.pauses()) {
      // The line says what the recording is for.
      call.say(line);
      call.listen();
      return;
    }
    if (consent === null && call.progress.count === 0) {
      call.say(line);
      call.listen({ count: 1 });
      return;
    }
    if (consent === true) call.leaveToStep('next', on.next, 'the caller agreed');
    else
      call.leaveToStep(
        'declined',
        on.declined ?? on.next,
        consent === null ? 'twice unclear' : 'the caller declined',
      );
  },
};

const message: Play<'message'> = {
  enter(call, { text, mode = 'exact', on }) {
    // A generated text never replaces a disclosure.
    if (mode === 'generated' && !ruleOnDisclosure(text).discloses) {
      const { here: step, history } = call;
      call.request({
        kind: 'understand',
        reads: 'message',
        step,
        text: '',
        instruction: text,
        values: call.valuesIn(text),
        history,
      });
      return;
    }
    call.say(text);
    call.leaveToStep('next', on.next, 'said');
  },
  finished(call, { text, on }, result) {
    const written = textIn(result);
    if (written === undefined) call.say(text);
    else call.speak(written);
    call.leaveToStep('next', on.next, 'said');
  },
};

const collect: Play<'collect'> = {
  enter: enterCollect,
  heard: heardByCollect,
  finished: collectFinished,
  resume: askAgain,
};

const route: Play<'route'> = {
  resume(call, step) {
    call.say(step.prompt);
    call.listen();
  },
  enter(call, step) {
    const last = call.history.at(-1);
    call.say(step.prompt);
    // Without a prompt, the step decides on what the caller has just said.
    if (step.prompt === undefined && last?.who === 'caller') this.heard?.(call, step, last.text);
    else call.listen();
  },
  heard(call, step, text) {
    if (text === null) {
      if (call.pauses()) {
        call.speak(linesIn(call.language).stillThere);
        this.resume?.(call, step);
      } else this.finished?.(call, step, { option: null });
      return;
    }
    const options = step.options.map(({ id, title = id, description = '', target }) => ({
      id,
      title,
      description,
      ...(target === undefined && { speaks: true }),
    }));
    call.request({
      kind: 'understand',
      reads: 'route',
      step: call.here,
      text,
      options,
      history: call.history,
      // Without a prompt, the caller was not asked, and the turn was read before.
      ...(step.prompt !== undefined && notedBefore(call)),
    });
  },
  keyed(call, step, digits) {
    // "For sales, press 2": the second option.
    const option = /^[1-9]\d?$/.test(digits) ? step.options[Number(digits) - 1] : undefined;
    this.finished?.(call, step, { option: option?.id ?? null });
  },
  finished(call, step, result) {
    const id = optionIn(result);
    const isQuestion = id === null && asksIn(result);
    if (noteCorrections(call, result) && id === null && !isQuestion) {
      this.resume?.(call, step);
      return;
    }
    const option = step.options.find(
      (one) => one.id === id || (isQuestion && leadsToAnswer(call, one.target)),
    );
    const fallback = step.on?.fallback;
    if (option?.target !== undefined) {
      call.leaveToStep(option.id, option.target, `chose ${option.title ?? option.id}`);
    } else if (option) {
      // An option that only speaks stays in its step.
      call.say(option.description);
      call.listen();
    } else if (isQuestion && !leadsToAnswer(call, fallback) && answersAside(call)) {
      // The answer comes first, and then the prompt again.
    } else if (call.progress.count === 0 && asksAgain(call, step, result)) {
      if (fallback !== undefined) call.speak(linesIn(call.language).notUnderstood);
      call.say(step.prompt);
      call.listen({ count: 1 });
    } else if (fallback !== undefined) call.leaveToStep('fallback', fallback, 'none of the options');
    else {
      const first = step.options.find(({ target }) => target !== undefined);
      if (first?.target === undefined) call.end('failed');
      else call.leaveToStep(first.id, first.target, 'twice none of the options');
    }
  },
};

/** True if a route asks once more: not without a prompt, not after a failed reading, and not if its fallback takes questions. */
function asksAgain(call: Call, { prompt, on }: StepOf<'route'>, result: Json | undefined): boolean {
  const fallback = on?.fallback;
  if (fallback === undefined) return true;
  if (prompt === undefined || result === undefined) return false;
  return !leadsToAnswer(call, fallback) || saysNothing(result);
}

/** A question belongs to an answer step, even if none of the options names it. */
function leadsToAnswer(call: Call, stepId: string | undefined): boolean {
  return stepId !== undefined && stepOf(call.design, stepId)?.kind === 'answer';
}

const answer: Play<'answer'> = {
  enter(call, step) {
    const last = call.history.at(-1);
    if (last?.who === 'caller') requestPassages(call, step, { stage: 'search' }, { stage: 'answer' });
    else call.listen();
  },
  heard(call, step, text) {
    if (text === null) {
      call.leaveToStep('next', step.on.next, 'the caller asked nothing');
      return;
    }
    requestPassages(call, step, { stage: 'search' }, { stage: 'answer' });
  },
  finished(call, step, result) {
    const { on, maxTurns = defaultQuestions } = step;
    if (call.progress.stage === 'search') {
      requestAnswer(call, step, passagesIn(result), { stage: 'answer' });
      return;
    }
    const { answered, text, done } = answerIn(result);
    const questions = call.progress.count + 1;
    call.speak(text);
    if (done) call.leaveToStep('next', on.next, 'the caller asked nothing more');
    else if (!answered && questions > 1 && saysNothing(result))
      call.leaveToStep('next', on.next, 'the caller asked nothing more');
    else if (!answered) call.leaveToStep('noAnswer', on.noAnswer ?? on.next, 'nothing to answer from');
    else if (questions >= maxTurns) call.leaveToStep('next', on.next, `answered ${questions}`);
    else call.listen({ count: questions, stage: '' });
  },
};

const appointment: Play<'appointment'> = {
  enter(call, { line, calendar: use }) {
    call.say(line);
    requestCalendar(call, call.here, use);
  },
  finished(call, { on, calendar: use }, result) {
    const way = calendarFinished(call, use, result);
    if (way === 'next') call.leaveToStep('next', on.next, 'the calendar agreed');
    else if (way === 'taken' && on.taken !== undefined)
      call.leaveToStep('taken', on.taken, 'the time is not free');
    else
      call.leaveToStep(
        'none',
        on.none,
        result === undefined ? 'the calendar failed' : 'the calendar has nothing',
      );
  },
};

const transfer: Play<'transfer'> = {
  enter(call, step) {
    const { line, destination, mode = 'cold' } = step;
    call.say(line);
    const filled = fillDestination(destination, (name) => call.textOf(name));
    if ('refused' in filled) {
      call.fail('transfer', filled.refused);
      this.finished?.(call, step, undefined);
      return;
    }
    call.request({ kind: 'transfer', destination: { kind: destination.kind, value: filled.value }, mode });
  },
  finished(call, { on, destination }, result) {
    if (result !== undefined) call.end('transferred');
    else if (on?.failed === undefined) call.end('transferFailed');
    else call.leaveToStep('failed', on.failed, `the transfer to ${destination.value} failed`);
  },
};

const end: Play<'end'> = {
  enter(call, { line }) {
    call.say(line);
    call.end('completed');
  },
};

const plays: { readonly [Kind in Step['kind']]: Play<Kind> } = {
  greeting,
  recordingConsent,
  message,
  collect,
  route,
  answer,
  appointment,
  transfer,
  end,
};

/** How a step plays. The step has to be of the kind that is passed to what this returns. */
export function playOf({ kind }: Step): Play<Step['kind']> {
  return plays[kind] as Play<Step['kind']>;
}
