import { nodesOf } from '../exits.ts';
import { type Place, type Problem, problem, someOf } from '../problem.ts';
import type { Design } from '../schema/design.ts';

/** `design_invalid`: a hook starts at a node that it does not have, or a node's id is not its key. */
export function checkHookNodes(design: Design): Problem[] {
  const unknown = (['before', 'after'] as const).flatMap((phase) => {
    const { nodes = {}, entryPoints = {}, ...named } = design.hooks?.[phase] ?? {};
    const starts: [place: Place, node: string][] = [
      ...Object.entries(named).map(([member, node]): [Place, string] => [[member], node]),
      ...Object.entries(entryPoints).map(([name, node]): [Place, string] => [['entryPoints', name], node]),
    ];
    const hint = `The nodes of this hook are ${someOf(Object.keys(nodes))}.`;
    return starts
      .filter(([, node]) => !Object.hasOwn(nodes, node))
      .map(([place, node]) =>
        problem('design_invalid', ['hooks', phase, ...place], `There is no node ${someOf([node])}.`, hint),
      );
  });
  const misnamed = [...nodesOf(design)].flatMap(({ key, node, place }) => {
    if (node.id === key) return [];
    const message = `The node ${someOf([key])} says that its id is ${someOf([node.id])}.`;
    return [problem('design_invalid', [...place, 'id'], message, 'Let the id be the same as the key.')];
  });
  return [...unknown, ...misnamed];
}
