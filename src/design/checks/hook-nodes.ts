import { nodesOf } from '../exits.ts';
import { type Place, type Problem, problem, someOf } from '../problem.ts';
import type { Design } from '../schema/design.ts';

/** `design_invalid`: a hook starts at a node that it does not have, or a node's id is not its key. */
export function checkHookNodes(design: Design): Problem[] {
  const { before, after } = design.hooks ?? {};
  const starts: [place: Place, node: string | undefined, nodes: object][] = [
    [['hooks', 'before', 'rootNodeId'], before?.rootNodeId, before?.nodes ?? {}],
    [['hooks', 'after', 'prematureHangupNodeId'], after?.prematureHangupNodeId, after?.nodes ?? {}],
  ];
  for (const [phase, hook] of Object.entries({ before, after }))
    for (const [name, node] of Object.entries(hook?.entryPoints ?? {}))
      starts.push([['hooks', phase, 'entryPoints', name], node, hook?.nodes ?? {}]);
  const unknown = starts.flatMap(([place, node, nodes]) => {
    if (node === undefined || Object.hasOwn(nodes, node)) return [];
    const hint = `The nodes of this hook are ${someOf(Object.keys(nodes))}.`;
    return [problem('design_invalid', place, `There is no node ${someOf([node])}.`, hint)];
  });
  const misnamed = [...nodesOf(design)].flatMap(({ key, node, place }) => {
    if (node.id === key) return [];
    const message = `The node ${someOf([key])} says that its id is ${someOf([node.id])}.`;
    return [problem('design_invalid', [...place, 'id'], message, 'Let the id be the same as the key.')];
  });
  return [...unknown, ...misnamed];
}
