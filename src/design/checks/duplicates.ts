import { nodesOf } from '../exits.ts';
import { type Place, type Problem, problem, someOf } from '../problem.ts';
import type { Design, HookNode, Step } from '../schema/design.ts';

type Items = readonly { readonly id: string }[];

/** `design_invalid`: two items of one list have the same id. */
export function checkDuplicates(design: Design): Problem[] {
  const lists: [place: Place, items: Items | undefined][] = [
    [['knowledge'], design.knowledge],
    [['variables'], design.variables],
    [['integrations'], design.integrations],
    ...Object.entries(design.steps).flatMap(([stepId, step]) => listsOfStep(step, ['steps', stepId])),
    ...[...nodesOf(design)].flatMap(({ node, place }) => listsOfNode(node, place)),
  ];
  return lists.flatMap(([place, items]) => repeated(items ?? [], place));
}

function listsOfStep(step: Step, at: Place): [Place, Items][] {
  if (step.kind === 'route') return [[[...at, 'options'], step.options]];
  return step.kind === 'collect' ? [[[...at, 'collect'], step.collect]] : [];
}

function listsOfNode(node: HookNode, at: Place): [Place, Items | undefined][] {
  return [
    [[...at, 'webhook', 'payload'], node.webhook?.payload],
    [[...at, 'fetch', 'body'], node.fetch?.body],
    [[...at, 'fetch', 'responseMappings'], node.fetch?.responseMappings],
    [[...at, 'condition', 'branches'], node.condition?.branches],
    [[...at, 'crmLookup', 'fieldMappings'], node.crmLookup?.fieldMappings],
    [
      [...at, 'crmWrite', 'updateContact', 'propertyMappings'],
      node.crmWrite?.updateContact?.propertyMappings,
    ],
  ];
}

function repeated(items: Items, at: Place): Problem[] {
  const seen = new Set<string>();
  return items.flatMap(({ id }, index) => {
    if (!seen.has(id)) {
      seen.add(id);
      return [];
    }
    const message = `The id ${someOf([id])} occurs more than once in this list.`;
    return [
      problem('design_invalid', [...at, index, 'id'], message, 'Give each item of the list its own id.'),
    ];
  });
}
