import { nodesOf, targetsOf } from '../exits.ts';
import { type Problem, problem, someOf, warning } from '../problem.ts';
import type { Design, HookPhase } from '../schema/design.ts';

/** `design_invalid`: a target with two members set, or one that names no node of its hook. */
export function checkTargets(design: Design): Problem[] {
  const known = (phase: HookPhase) =>
    `The nodes of hooks.${phase} are ${someOf(Object.keys(design.hooks?.[phase]?.nodes ?? {}))}.`;
  const hints = { before: known('before'), after: known('after') };
  return [...nodesOf(design)].flatMap(({ phase, node, place: at }) => {
    const nodes = design.hooks?.[phase]?.nodes ?? {};
    return targetsOf(node, at).flatMap(({ target, place }) => {
      const { hookNode, step, end } = target;
      const set = [
        hookNode !== undefined && 'hookNode',
        step !== undefined && 'step',
        end === true && 'end',
      ].filter((name) => name !== false);
      if (set.length > 1)
        return [problem('design_invalid', place, `Has ${set.join(' and ')} set.`, 'Keep one of them.')];
      if (set.length === 0)
        return [warning(place, 'Names nothing, so the chain ends here.', 'Say so with "end": true.')];
      if (hookNode === undefined || Object.hasOwn(nodes, hookNode)) return [];
      return [
        problem(
          'design_invalid',
          [...place, 'hookNode'],
          `There is no node ${someOf([hookNode])} in hooks.${phase}.`,
          hints[phase],
        ),
      ];
    });
  });
}
