import { examplesFor } from '../../disclosure/index.ts';
import { stepOf } from '../exits.ts';
import type { Facts } from '../facts.ts';
import { type Problem, problem } from '../problem.ts';
import type { Design, Step } from '../schema/design.ts';

export interface DisclosureLine {
  readonly stepId: string;
  readonly member: 'introLine' | 'line';
  readonly text: string;
}

/** The lines that must disclose the AI: `introLine` of greetings and `line` of recording consents. */
export function disclosureLines({ steps }: Design): DisclosureLine[] {
  return Object.entries(steps).flatMap(([stepId, step]) => {
    const text = lineOf(step);
    if (text === undefined) return [];
    return [{ stepId, member: step.kind === 'greeting' ? 'introLine' : 'line', text } as const];
  });
}

/** True if the line differs from the line of the same step in the version before. */
export function isChanged({ stepId, text }: DisclosureLine, base: Design | undefined): boolean {
  const before = base && stepOf(base, stepId);
  return before === undefined || lineOf(before) !== text;
}

/** The line of a step that must disclose the AI, if the step has one. */
export function lineOf(step: Step): string | undefined {
  if (step.kind === 'greeting') return step.introLine;
  return step.kind === 'recordingConsent' ? step.line : undefined;
}

/** `ai_disclosure_required`: a new or changed line does not say clearly that the caller speaks with an AI. */
export function* checkDisclosure(design: Design, { base, disclosure }: Facts): Generator<Problem> {
  for (const line of disclosureLines(design)) {
    if (!isChanged(line, base)) continue;
    const ruling = disclosure(line.text);
    if (ruling.discloses) continue;
    yield problem(
      'ai_disclosure_required',
      ['steps', line.stepId, line.member],
      `This line does not say clearly that the caller speaks with an AI: ${ruling.reason}.`,
      `Add one sentence about the speaker, such as ${examplesFor(line.text)
        .map((example) => JSON.stringify(example))
        .join(' or ')}.`,
    );
  }
}
