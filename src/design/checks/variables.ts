import { calendarResults, calendarSources, calendarUsesOf } from '../calendars.ts';
import { nodesOf } from '../exits.ts';
import { type Place, type Problem, problem, someOf } from '../problem.ts';
import type { Design, HookNode } from '../schema/design.ts';

/** `design_invalid`: a reference to an undeclared variable. */
export function* checkVariables(design: Design): Generator<Problem> {
  const declared = new Set((design.variables ?? []).map(({ id }) => id));
  const used = [
    ...Object.entries(design.steps).flatMap(([stepId, step]) =>
      step.kind === 'collect' ? usesIn(step.collect, ['steps', stepId, 'collect']) : [],
    ),
    ...[...nodesOf(design)].flatMap(({ node, place }) => usesInNode(node, place)),
    ...usesInCalendars(design),
  ];
  const hint = `Declare it in variables, or use one that is declared: ${someOf(declared)}.`;
  for (const { variableId, place } of used)
    if (!declared.has(variableId))
      yield problem('design_invalid', place, `variables has no entry ${someOf([variableId])}.`, hint);
}

interface Use {
  readonly place: Place;
  readonly variableId: string;
}

type VariableUser = { readonly variableId?: string };

function usesIn(items: readonly VariableUser[] | undefined, at: Place, ...place: string[]): Use[] {
  return (items ?? []).flatMap((item, index) => usesOf(item, [...at, ...place, index]));
}

function usesOf(item: VariableUser | undefined, at: Place): Use[] {
  return item?.variableId === undefined
    ? []
    : [{ place: [...at, 'variableId'], variableId: item.variableId }];
}

function usesInCalendars(design: Design): Use[] {
  return calendarUsesOf(design).flatMap(({ use, place }) => [
    ...calendarSources.flatMap((member) => usesOf(use[member], [...place, member])),
    ...calendarResults.flatMap((member) => {
      const variableId = use[member];
      return variableId === undefined ? [] : [{ place: [...place, member], variableId }];
    }),
  ]);
}

function usesInNode(node: HookNode, at: Place): Use[] {
  const { webhook, fetch, condition, setVariable, sendSms, crmLookup, crmWrite } = node;
  const response = webhook?.responseVariableId;
  return [
    ...usesIn(webhook?.payload, at, 'webhook', 'payload'),
    ...(response === undefined
      ? []
      : [{ place: [...at, 'webhook', 'responseVariableId'], variableId: response }]),
    ...usesIn(fetch?.body, at, 'fetch', 'body'),
    ...usesIn(fetch?.responseMappings, at, 'fetch', 'responseMappings'),
    ...(condition?.branches ?? []).flatMap((branch, index) =>
      'predicate' in branch
        ? usesOf(branch.predicate.variable, [...at, 'condition', 'branches', index, 'predicate', 'variable'])
        : [],
    ),
    ...usesOf(setVariable, [...at, 'setVariable']),
    ...usesOf(sendSms?.to, [...at, 'sendSms', 'to']),
    ...usesOf(crmLookup?.phoneSource, [...at, 'crmLookup', 'phoneSource']),
    ...usesOf(crmLookup?.emailSource, [...at, 'crmLookup', 'emailSource']),
    ...usesIn(crmLookup?.fieldMappings, at, 'crmLookup', 'fieldMappings'),
    ...usesOf(crmWrite?.contactIdSource, [...at, 'crmWrite', 'contactIdSource']),
    ...usesIn(crmWrite?.updateContact?.propertyMappings, at, 'crmWrite', 'updateContact', 'propertyMappings'),
  ];
}
