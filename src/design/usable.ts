import type { Place } from './problem.ts';
import type { Design } from './schema/design.ts';

/**
 * Makes a document that violates the schema checkable: invalid steps and hook nodes are replaced with ends, so that
 * references to them still resolve. Returns undefined if other parts are invalid.
 * @param invalid the places that violate the schema; at least one.
 */
export function usablePart(document: unknown, invalid: readonly Place[]): Design | undefined {
  if (!invalid.every(isReplaceable)) return undefined;
  const { steps, hooks, ...rest } = document as Design;
  const nodesOf = (phase: 'before' | 'after') =>
    hooks?.[phase] && { [phase]: { ...hooks[phase], nodes: { ...hooks[phase].nodes } } };
  const commands = hooks?.commands && { commands: { ...hooks.commands } };
  // A copy of all that may be replaced. A whole copy of a design with large values takes longer than its checks.
  const copy: Design = {
    ...rest,
    steps: { ...steps },
    ...(hooks && { hooks: { ...hooks, ...commands, ...nodesOf('before'), ...nodesOf('after') } }),
  };
  for (const [first, second, third, fourth] of invalid)
    if (first === 'steps') copy.steps[String(second)] = { kind: 'end' };
    else if (first === 'hooks' && second === 'commands') delete copy.hooks?.commands?.[String(third)];
    else if (first === 'hooks') {
      const nodes = copy.hooks?.[second === 'after' ? 'after' : 'before']?.nodes;
      if (nodes) nodes[String(fourth)] = { id: String(fourth) };
    } else delete copy[first as 'layout' | 'compliance'];
  return copy;
}

function isReplaceable([first, second, third, fourth]: Place): boolean {
  if (first === 'steps') return second !== undefined;
  if (first === 'hooks' && second === 'commands') return third !== undefined;
  if (first === 'hooks') return third === 'nodes' && fourth !== undefined;
  return first === 'layout' || first === 'compliance';
}
