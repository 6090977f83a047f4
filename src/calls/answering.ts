import type { Step } from '../design/schema/design.ts';
import type { Call } from './call.ts';
import type { Progress } from './call-state.ts';

export type Answer = Extract<Step, { kind: 'answer' }>;

/**
 * Looks for what answers the caller's last question: searches the knowledge bases of the step, if it has any.
 * @param searching the progress while the search runs
 * @param answering the progress while the answer is made
 */
export function requestPassages(
  call: Call,
  step: Answer,
  searching: Partial<Progress>,
  answering: Partial<Progress>,
): void {
  const ids = new Set(step.knowledgeIds);
  const knowledgeIds = (call.design.knowledge ?? [])
    .filter(({ id }) => ids.has(id))
    .map(({ knowledgeBaseId }) => knowledgeBaseId);
  const query = lastQuestion(call);
  if (knowledgeIds.length > 0) call.request({ kind: 'search', query, knowledgeIds }, searching);
  else requestAnswer(call, step, [], answering);
}

/** Answers the caller's last question from the passages that were found, and from the facts of the step. */
export function requestAnswer(
  call: Call,
  step: Answer,
  found: readonly string[],
  answering: Partial<Progress>,
): void {
  const { here, history } = call;
  const { instruction, facts = '', model } = step;
  const isEntered = call.progress.count === 0 && call.progress.aside === '';
  call.request(
    {
      kind: 'understand',
      reads: 'answer',
      step: here,
      text: lastQuestion(call),
      instruction,
      values: call.valuesIn(instruction),
      ...(model !== undefined && { model }),
      passages: [...found, ...linesOf(call.filled(facts))],
      ...(isEntered && { earlier: earlierTurns(call) }),
      history,
    },
    answering,
  );
}

function earlierTurns({ history }: Call): string[] {
  return history
    .flatMap(({ who, text }) => (who === 'caller' ? [text] : []))
    .slice(0, -1)
    .toReversed();
}

function lastQuestion({ history }: Call): string {
  return history.findLast(({ who }) => who === 'caller')?.text ?? '';
}

function linesOf(text: string): string[] {
  return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
}
