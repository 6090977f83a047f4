import { nodesOf, targetsOf } from '../exits.ts';
import { type Problem, problem, someOf, warning } from '../problem.ts';
import type { Design, HookPhase, Target } from '../schema/design.ts';

/** `design_invalid`: a target with more than one member, or with an unknown node. */
export function* checkTargets(design: Design): Generator<Problem> {
  const hintFor = (phase: HookPhase) =>
    `Use a node of hooks.${phase}: ${someOf(Object.keys(design.hooks?.[phase]?.nodes ?? {}))}.`;
  const hints = { before: hintFor('before'), after: hintFor('after') };
  for (const { phase, node, place: at } of nodesOf(design)) {
    const nodes = design.hooks?.[phase]?.nodes ?? {};
    for (const { target, place } of targetsOf(node, at)) {
      const { hookNode } = target;
      const set = membersOf(target);
      if (set.length > 1)
        yield problem(
          'design_invalid',
          place,
          `This target has ${set.join(' and ')}; only one is allowed.`,
          'Remove all but one. In a merge patch, null removes a member.',
        );
      else if (hookNode !== undefined && !Object.hasOwn(nodes, hookNode))
        yield problem(
          'design_invalid',
          [...place, 'hookNode'],
          `hooks.${phase} has no node ${someOf([hookNode])}.`,
          hints[phase],
        );
    }
  }
}

/** Warns about each empty target. */
export function* checkEmptyTargets(design: Design): Generator<Problem> {
  for (const { node, place: at } of nodesOf(design))
    for (const { target, place } of targetsOf(node, at))
      if (membersOf(target).length === 0)
        yield warning(
          place,
          'This target is empty, so the chain ends here.',
          'Write "end": true if that is intended.',
        );
}

function membersOf({ hookNode, step, end }: Target): string[] {
  const set = [hookNode !== undefined && 'hookNode', step !== undefined && 'step', end === true && 'end'];
  return set.filter((name) => name !== false);
}
