import { nodesOf } from '../exits.ts';
import { type Place, type Problem, problem, someOf } from '../problem.ts';
import type { Design, HookNode, Step } from '../schema/design.ts';

type Items = readonly { readonly id: string }[];

/** `design_invalid`: two items of one list have the same id. */
export function* checkDuplicates(design: Design): Generator<Problem> {
  const lists: [place: Place, items: Items | undefined][] = [
    [['knowledge'], design.knowledge],
    [['variables'], design.variables],
    [['integrations'], design.integrations],
    ...Object.entries(design.steps).flatMap(([stepId, step]) => listsOfStep(step, ['steps', stepId])),
    ...[...nodesOf(design)].flatMap(({ node, place }) => listsOfNode(node, place)),
  ];
  for (const [place, items] of lists) yield* repeated(items ?? [], place);
}

function listsOfStep(step: Step, at: Place): [Place, Items][] {
  if (step.kind === 'route') return [[[...at, 'options'], step.options]];
  return step.kind === 'collect' ? [[[...at, 'collect'], step.collect]] : [];
}

function listsOfNode(node: HookNode, at: Place): [Place, Items][] {
  const lists: [Place, Items][] = [];
  const add = (items: Items | undefined, ...place: string[]) => {
    if (items) lists.push([[...at, ...place], items]);
  };
  add(node.webhook?.payload, 'webhook', 'payload');
  add(node.fetch?.body, 'fetch', 'body');
  add(node.fetch?.responseMappings, 'fetch', 'responseMappings');
  add(node.condition?.branches, 'condition', 'branches');
  add(node.crmLookup?.fieldMappings, 'crmLookup', 'fieldMappings');
  add(node.crmWrite?.updateContact?.propertyMappings, 'crmWrite', 'updateContact', 'propertyMappings');
  return lists;
}

function* repeated(items: Items, at: Place): Generator<Problem> {
  const seen = new Set<string>();
  for (const [index, { id }] of items.entries()) {
    if (seen.has(id)) {
      const message = `The id ${someOf([id])} occurs more than once in this list.`;
      yield problem(
        'design_invalid',
        [...at, index, 'id'],
        message,
        'Give each item of the list its own id.',
      );
    }
    seen.add(id);
  }
}
