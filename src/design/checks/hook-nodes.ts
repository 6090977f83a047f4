import { nodesOf } from '../exits.ts';
import { type Place, type Problem, problem, someOf } from '../problem.ts';
import type { Design } from '../schema/design.ts';

/** `design_invalid`: a hook starts at an unknown node, or a node's id differs from its key. */
export function* checkHookNodes(design: Design): Generator<Problem> {
  for (const phase of ['before', 'after'] as const) {
    const { nodes = {}, entryPoints = {}, ...named } = design.hooks?.[phase] ?? {};
    const starts: [place: Place, node: string][] = [
      ...Object.entries(named).map(([member, node]): [Place, string] => [[member], node]),
      ...Object.entries(entryPoints).map(([name, node]): [Place, string] => [['entryPoints', name], node]),
    ];
    const hint = `Use a node of this hook: ${someOf(Object.keys(nodes))}.`;
    for (const [place, node] of starts)
      if (!Object.hasOwn(nodes, node))
        yield problem(
          'design_invalid',
          ['hooks', phase, ...place],
          `The hook has no node ${someOf([node])}.`,
          hint,
        );
  }
  for (const { key, node, place } of nodesOf(design)) {
    if (node.id === key) continue;
    const message = `The id ${someOf([node.id])} differs from the node's key ${someOf([key])}.`;
    yield problem('design_invalid', [...place, 'id'], message, 'Set the id to the key.');
  }
}
