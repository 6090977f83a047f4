import { stepOf } from '../exits.ts';
import type { Facts } from '../facts.ts';
import { type Problem, problem } from '../problem.ts';
import type { Design, Step } from '../schema/design.ts';

/** A line that has to tell that an AI speaks. */
export interface DisclosureLine {
  readonly stepId: string;
  readonly member: 'introLine' | 'line';
  readonly text: string;
}

/** The greetings' intro lines and the lines that ask for consent to record. */
export function disclosureLines({ steps }: Design): DisclosureLine[] {
  return Object.entries(steps).flatMap(([stepId, step]) => {
    const text = lineOf(step);
    if (text === undefined) return [];
    return [{ stepId, member: step.kind === 'greeting' ? 'introLine' : 'line', text } as const];
  });
}

/** True where the line differs from the one that this step had in the version before. */
export function isChanged({ stepId, text }: DisclosureLine, base: Design | undefined): boolean {
  const before = base && stepOf(base, stepId);
  return before === undefined || lineOf(before) !== text;
}

function lineOf(step: Step): string | undefined {
  if (step.kind === 'greeting') return step.introLine;
  return step.kind === 'recordingConsent' ? step.line : undefined;
}

/** `ai_disclosure_required`: a changed line does not clearly tell that the caller speaks with an AI. */
export function checkDisclosure(design: Design, { base, disclosure }: Facts): Problem[] {
  return disclosureLines(design)
    .filter((line) => isChanged(line, base))
    .flatMap(({ stepId, member, text }) => {
      const ruling = disclosure(text);
      if (ruling.discloses) return [];
      return [
        problem(
          'ai_disclosure_required',
          ['steps', stepId, member],
          `Does not clearly tell that the caller speaks with an AI: ${ruling.reason}.`,
          'Say it of the speaker in one sentence, such as "I am the AI assistant of …", in the language of the line.',
        ),
      ];
    });
}
