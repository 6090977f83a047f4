import { stepOf } from './exits.ts';
import type { Design, Step } from './schema/design.ts';

/** A line that must disclose the AI, with its place in the design. */
export interface DisclosureLine {
  readonly stepId: string;
  readonly member: 'introLine' | 'line';
  readonly text: string;
}

/** The lines that must disclose the AI: `introLine` of greetings and `line` of recording consents. */
export function disclosureLines({ steps }: Design): DisclosureLine[] {
  return Object.entries(steps).flatMap(([stepId, step]) => {
    const text = disclosureLineOf(step);
    if (text === undefined) return [];
    return [{ stepId, member: step.kind === 'greeting' ? 'introLine' : 'line', text } as const];
  });
}

/** True if the line differs from the line of the same step in the version before. */
export function isChanged({ stepId, text }: DisclosureLine, base: Design | undefined): boolean {
  const before = base && stepOf(base, stepId);
  return before === undefined || disclosureLineOf(before) !== text;
}

/** The line of a step that must disclose the AI, if the step has one. */
export function disclosureLineOf(step: Step): string | undefined {
  if (step.kind === 'greeting') return step.introLine;
  return step.kind === 'recordingConsent' ? step.line : undefined;
}
