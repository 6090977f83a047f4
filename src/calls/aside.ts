import type { Design, Step } from '../design/schema/design.ts';
import { type Answer, requestAnswer, requestPassages } from './answering.ts';
import type { Call } from './call.ts';
import type { Json } from './json-value.ts';
import { linesIn } from './lines.ts';
import { answerIn, passagesIn } from './understood.ts';

/**
 * A question that a caller asks at a step which asks for something else. The facts of the design's first answer step answer
 * it, and then the step goes on. `progress.aside` says how far the answer is.
 */

/** Answers the caller's question, if the design has facts. Returns false if it has none, or if there were too many questions. */
export function answersAside(call: Call): boolean {
  const facts = factsOf(call.design);
  if (!facts || !call.pauses()) return false;
  requestPassages(call, facts, { aside: 'searching' }, { aside: 'answering' });
  return true;
}

/** A search or an answer of an aside has finished. Returns false if the step goes on now. */
export function asideFinished(call: Call, result: Json | undefined): boolean {
  const facts = factsOf(call.design);
  if (call.progress.aside === 'searching' && facts) {
    requestAnswer(call, facts, passagesIn(result), { aside: 'answering' });
    return true;
  }
  const { answered, text } = answerIn(result);
  call.speak(answered && text !== '' ? text : linesIn(call.language).unanswered);
  call.progress = { ...call.progress, aside: '' };
  return false;
}

function factsOf({ steps }: Design): Answer | undefined {
  return Object.values(steps).find((step: Step) => step.kind === 'answer');
}
