import { endsOpenly, targetsOf } from '../exits.ts';
import { type Problem, problem, someOf } from '../problem.ts';
import type { Design, HookNode, Target } from '../schema/design.ts';

/** `design_invalid`: a cycle of hook nodes that no path leaves, so that the hook would never end. */
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
        `From ${someOf(trapped)} the hook never ends: the nodes only lead to each other.`,
        'Let one of them end, with "end": true, or lead to a step.',
      ),
    ];
  });
}

/** The nodes from which nothing but other nodes can be reached, without end. */
function trappedNodes(nodes: Readonly<Record<string, HookNode>>): string[] {
  const leadsHere = new Map<string, string[]>();
  const free: string[] = [];
  for (const [key, node] of Object.entries(nodes)) {
    const following = followingNodes(node, nodes);
    if (following === undefined) free.push(key);
    for (const next of following ?? []) {
      const from = leadsHere.get(next);
      if (from) from.push(key);
      else leadsHere.set(next, [key]);
    }
  }
  const ending = new Set(free);
  for (const key of ending) for (const from of leadsHere.get(key) ?? []) ending.add(from);
  return Object.keys(nodes).filter((key) => !ending.has(key));
}

/** The nodes that a node leads to; undefined where it can end, or lead to a step or to what is not there. */
function followingNodes(node: HookNode, nodes: object): string[] | undefined {
  const targets = targetsOf(node, []).map(({ target }) => target);
  const isOpen = ({ hookNode, step, end }: Target) =>
    hookNode === undefined || !Object.hasOwn(nodes, hookNode) || step !== undefined || end === true;
  if (endsOpenly(node) || targets.some(isOpen)) return undefined;
  return targets.flatMap(({ hookNode }) => hookNode ?? []);
}
