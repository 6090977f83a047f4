import { type DisclosureLine, disclosureLines, isChanged } from './disclosure-lines.ts';
import { stepOf } from './exits.ts';
import type { Facts } from './facts.ts';
import type { Design, DisclosureVerdict } from './schema/design.ts';

/**
 * Completes a design for storage. A missing layout is copied from the version before, for the steps that remain.
 * `compliance.aiDisclosure` holds the service's own verdicts, whatever the client sent; an unchanged line keeps its
 * verdict. The other members keep their order.
 */
export function completeDesign(design: Design, { base, disclosure }: Facts): Design {
  const layout = design.layout ?? keptLayout(design, base);
  const aiDisclosure = Object.fromEntries(
    disclosureLines(design).map((line) => [
      line.stepId,
      keptVerdict(line, base) ?? verdictOn(line.text, disclosure),
    ]),
  );
  const { compliance: _, ...sent } = design;
  return {
    ...sent,
    ...(Object.keys(aiDisclosure).length > 0 && { compliance: { aiDisclosure } }),
    ...(layout && { layout }),
  };
}

function keptLayout(design: Design, base: Design | undefined): Design['layout'] {
  const kept = Object.entries(base?.layout ?? {}).filter(([stepId]) => stepOf(design, stepId));
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
}

/** The verdict of the version before, if the line has not changed. */
export function keptVerdict(line: DisclosureLine, base: Design | undefined): DisclosureVerdict | undefined {
  const verdicts = base?.compliance?.aiDisclosure ?? {};
  if (isChanged(line, base) || !Object.hasOwn(verdicts, line.stepId)) return undefined;
  return verdicts[line.stepId];
}

function verdictOn(text: string, disclosure: Facts['disclosure']): DisclosureVerdict {
  const { discloses, reason } = disclosure(text);
  return { status: discloses ? 'approved' : 'rejected', checkedText: text, reason };
}
