import { nodesOf, targetsOf } from '../exits.ts';
import { type Problem, problem, someOf, warning } from '../problem.ts';
import type { Design, HookPhase } from '../schema/design.ts';

/** `design_invalid`: a target with more than one member, or with an unknown node. Warns about an empty target. */
export function checkTargets(design: Design): Problem[] {
  const hintFor = (phase: HookPhase) =>
    `Use a node of hooks.${phase}: ${someOf(Object.keys(design.hooks?.[phase]?.nodes ?? {}))}.`;
  const hints = { before: hintFor('before'), after: hintFor('after') };
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
        return [
          problem(
            'design_invalid',
            place,
            `This target has ${set.join(' and ')}; only one is allowed.`,
            'Remove all but one.',
          ),
        ];
      if (set.length === 0)
        return [
          warning(
            place,
            'This target is empty, so the chain ends here.',
            'Write "end": true if that is intended.',
          ),
        ];
      if (hookNode === undefined || Object.hasOwn(nodes, hookNode)) return [];
      return [
        problem(
          'design_invalid',
          [...place, 'hookNode'],
          `hooks.${phase} has no node ${someOf([hookNode])}.`,
          hints[phase],
        ),
      ];
    });
  });
}
