import type { Place } from './problem.ts';
import type { Design } from './schema/design.ts';

/**
 * The part of a document that can be checked although some of it has a wrong shape: steps and hook nodes that are
 * wrong stand there as ends, so that what names them is right. Undefined where the wrong places leave nothing to
 * check.
 * @param wrong the places whose shape is wrong; at least one.
 */
export function usablePart(document: unknown, wrong: readonly Place[]): Design | undefined {
  const copy = structuredClone(document) as Design;
  for (const [first, second, third, fourth] of wrong)
    if (first === 'steps' && second !== undefined) copy.steps[second] = { kind: 'end' };
    else if (first === 'hooks' && third === 'nodes' && fourth !== undefined) {
      const nodes = copy.hooks?.[second === 'after' ? 'after' : 'before']?.nodes;
      if (nodes) nodes[fourth] = { id: String(fourth) };
    } else if (first === 'layout' || first === 'compliance') delete copy[first];
    else return undefined;
  return copy;
}
