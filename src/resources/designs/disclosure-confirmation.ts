import { disclosureLines } from '../../design/checks/disclosure.ts';
import { keptVerdict } from '../../design/complete.ts';
import { type DisclosureRuling, ruleOnDisclosure } from '../../design/disclosure/rule.ts';
import type { Design } from '../../design/schema/design.ts';
import { ToolError } from '../../errors.ts';
import type { ToolContext } from '../../tool/context.ts';

/**
 * Returns the function that rules on a line of the design: the rule alone, or if a model is configured, the rule and
 * then the model. The model is asked here, once, about the lines that pass the rule and have no verdict yet.
 * @throws ToolError `validation_unavailable` if the model cannot be reached.
 */
export async function confirmDisclosures(
  { services: { confirmDisclosure }, signal }: Pick<ToolContext, 'services' | 'signal'>,
  design: Design | undefined,
  base: Design | undefined,
): Promise<(line: string) => DisclosureRuling> {
  if (confirmDisclosure === undefined || design === undefined) return ruleOnDisclosure;
  const withoutVerdict = disclosureLines(design).filter((line) => !keptVerdict(line, base));
  const passing = new Set(
    withoutVerdict.map(({ text }) => text).filter((text) => ruleOnDisclosure(text).discloses),
  );
  const confirmed = await confirmDisclosure([...passing], signal);
  return (line) => {
    const ruling = ruleOnDisclosure(line);
    if (!ruling.discloses) return ruling;
    const confirmation = confirmed.get(line);
    // Another version was stored while the model was asked. A retry asks about this line too.
    if (!confirmation)
      throw new ToolError('validation_unavailable', 'The model was not asked about a line.', {
        retryAfter: 1,
      });
    return confirmation;
  };
}
