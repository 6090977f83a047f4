import { endsOpenly, targetsOf } from '../exits.ts';
import { type Problem, problem, someOf } from '../problem.ts';
import type { Design, HookNode, Target } from '../schema/design.ts';

/** `design_invalid`: a cycle of hook nodes that no path leaves. The hook would never end. */
export function checkHookCycles({ hooks }: Design): Problem[] {
  return (['before', 'after'] as const).flatMap((phase) => {
    const nodes = hooks?.[phase]?.nodes ?? {};
    const trapped = trappedNodes(nodes);
    const [first] = trapped;
    if (first === undefined) return [];
    return [
      problem(
        'design_invalid',
        ['hooks', phase, 'nodes', first],
        `The hook never ends from ${someOf(trapped)}, because these nodes only lead to each other.`,
        'Give one of them a target with "end": true or a step.',
      ),
    ];
  });
}

/** The nodes from which the hook can never end. */
function trappedNodes(nodes: Readonly<Record<string, HookNode>>): string[] {
  const predecessors = new Map<string, string[]>();
  const leaving: string[] = [];
  for (const [key, node] of Object.entries(nodes)) {
    const following = followingNodes(node, nodes);
    if (following === undefined) leaving.push(key);
    for (const next of following ?? []) {
      const from = predecessors.get(next);
      if (from) from.push(key);
      else predecessors.set(next, [key]);
    }
  }
  const ending = new Set(leaving);
  for (const key of ending) for (const from of predecessors.get(key) ?? []) ending.add(from);
  return Object.keys(nodes).filter((key) => !ending.has(key));
}

/** The nodes that a node leads to; undefined if it can end the hook, or lead to a step or an unknown node. */
function followingNodes(node: HookNode, nodes: object): string[] | undefined {
  const targets = targetsOf(node, []).map(({ target }) => target);
  const leaves = ({ hookNode, step, end }: Target) =>
    hookNode === undefined || !Object.hasOwn(nodes, hookNode) || step !== undefined || end === true;
  if (endsOpenly(node) || targets.some(leaves)) return undefined;
  return targets.flatMap(({ hookNode }) => hookNode ?? []);
}
