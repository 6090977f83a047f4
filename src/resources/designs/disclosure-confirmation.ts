import { keptVerdict } from '../../design/complete.ts';
import { disclosureLines } from '../../design/disclosure-lines.ts';
import type { Design } from '../../design/schema/design.ts';
import { type DisclosureRuling, ruleOnDisclosure } from '../../disclosure/index.ts';
import type { ToolContext } from '../../environment/context.ts';
import { mostProblems, ToolError } from '../../platform/errors.ts';

type Rule = (line: string) => DisclosureRuling;

/** Milliseconds after which the rule leaves the event loop to other requests: a design has up to 4,000 lines. */
const turn = 5;

/**
 * Returns the function that rules on a line of the design: the rule alone, or if a model is configured, the rule and
 * then the model. The lines without a verdict are ruled on here, once. The model is asked here, once, about those
 * that pass the rule.
 * @throws ToolError `validation_unavailable` if the model cannot be reached.
 */
export async function confirmDisclosures(
  { services: { confirmDisclosure }, signal }: Pick<ToolContext, 'services' | 'signal'>,
  design: Design | undefined,
  base: Design | undefined,
): Promise<Rule> {
  if (design === undefined) return ruleOnDisclosure;
  const withoutVerdict = disclosureLines(design).filter((line) => !keptVerdict(line, base));
  const texts = new Set(withoutVerdict.map(({ text }) => text));
  // An error lists no more lines, so the others need no ruling. The model needs to know all that pass.
  const most = confirmDisclosure === undefined ? mostProblems : texts.size;
  const rulings = await rulingsOn(texts, most, signal);
  const rule: Rule = (line) => rulings.get(line) ?? ruleOnDisclosure(line);
  if (confirmDisclosure === undefined) return rule;
  const passing = [...rulings].filter(([, { discloses }]) => discloses).map(([text]) => text);
  const confirmed = await confirmDisclosure(passing, signal);
  return (line) => {
    const ruling = rule(line);
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

/** Rules on texts in turns with other requests, until `most` of them do not disclose. */
async function rulingsOn(
  texts: ReadonlySet<string>,
  most: number,
  signal: AbortSignal,
): Promise<Map<string, DisclosureRuling>> {
  const rulings = new Map<string, DisclosureRuling>();
  let refused = 0;
  let end = performance.now() + turn;
  for (const text of texts) {
    if (performance.now() > end) {
      await new Promise((resolve) => setImmediate(resolve));
      signal.throwIfAborted();
      end = performance.now() + turn;
    }
    const ruling = ruleOnDisclosure(text);
    rulings.set(text, ruling);
    if (!ruling.discloses && ++refused === most) break;
  }
  return rulings;
}
