import { disclosureLines } from '../../design/checks/disclosure.ts';
import { keptVerdict } from '../../design/complete.ts';
import { type DisclosureRuling, ruleOnDisclosure } from '../../design/disclosure/rule.ts';
import type { Design } from '../../design/schema/design.ts';
import { ToolError } from '../../errors.ts';
import type { ToolContext } from '../../tool/context.ts';

/**
 * Rules on the lines of a design that have no verdict yet: by the rule, and where a model is configured to confirm
 * it, by that model on what the rule lets pass.
 * @throws ToolError `validation_unavailable` where the model cannot be reached.
 */
export async function disclosureOf(
  { services: { confirmDisclosure }, signal }: Pick<ToolContext, 'services' | 'signal'>,
  design: Design | undefined,
  base: Design | undefined,
): Promise<(line: string) => DisclosureRuling> {
  if (confirmDisclosure === undefined || design === undefined) return ruleOnDisclosure;
  const unsettled = disclosureLines(design).filter((line) => !keptVerdict(line, base));
  const passed = new Set(
    unsettled.map(({ text }) => text).filter((text) => ruleOnDisclosure(text).discloses),
  );
  const confirmed = await confirmDisclosure([...passed], signal);
  return (line) => {
    const ruling = ruleOnDisclosure(line);
    if (!ruling.discloses) return ruling;
    const confirmation = confirmed.get(line);
    // The version before was another one when the model was asked: the caller's next try asks about this line too.
    if (!confirmation)
      throw new ToolError('validation_unavailable', 'The line was not put to the model.', { retryAfter: 1 });
    return confirmation;
  };
}
