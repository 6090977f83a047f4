import { examplesFor } from '../../disclosure/index.ts';
import { disclosureLines, isChanged } from '../disclosure-lines.ts';
import type { Facts } from '../facts.ts';
import { type Problem, problem } from '../problem.ts';
import type { Design } from '../schema/design.ts';

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
