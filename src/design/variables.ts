import { calendarUsesOf, variablesSetBy } from './calendars.ts';
import { nodesOf } from './exits.ts';
import type { Design } from './schema/design.ts';

/** The ids of all variables that a call through the design can set: declared, collected, or written by a hook. */
export function variableIdsOf(design: Design): ReadonlySet<string> {
  const { steps, variables = [] } = design;
  const collected = Object.values(steps).flatMap((step) => (step.kind === 'collect' ? step.collect : []));
  const written = [...nodesOf(design)].flatMap(({ node: { setVariable, fetch, webhook, crmLookup } }) => [
    ...(setVariable ? [setVariable.variableId] : []),
    ...(webhook?.responseVariableId === undefined ? [] : [webhook.responseVariableId]),
    ...[...(fetch?.responseMappings ?? []), ...(crmLookup?.fieldMappings ?? [])].map(
      ({ variableId }) => variableId,
    ),
  ]);
  return new Set([
    ...variables.map(({ id }) => id),
    ...collected.map(({ variableId }) => variableId),
    ...written,
    ...calendarUsesOf(design).flatMap(({ use }) => variablesSetBy(use)),
  ]);
}
