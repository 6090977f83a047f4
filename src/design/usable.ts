import type { Place } from './problem.ts';
import type { Design } from './schema/design.ts';

/**
 * Makes a document that violates the schema checkable: invalid steps and hook nodes are replaced with ends, so that
 * references to them still resolve. Returns undefined if other parts are invalid.
 * @param invalid the places that violate the schema; at least one.
 */
export function usablePart(document: unknown, invalid: readonly Place[]): Design | undefined {
  const copy = structuredClone(document) as Design;
  for (const [first, second, third, fourth] of invalid)
    if (first === 'steps' && second !== undefined) copy.steps[second] = { kind: 'end' };
    else if (first === 'hooks' && third === 'nodes' && fourth !== undefined) {
      const nodes = copy.hooks?.[second === 'after' ? 'after' : 'before']?.nodes;
      if (nodes) nodes[fourth] = { id: String(fourth) };
    } else if (first === 'layout' || first === 'compliance') delete copy[first];
    else return undefined;
  return copy;
}
