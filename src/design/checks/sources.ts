import { nodesOf } from '../exits.ts';
import { type Place, type Problem, warning } from '../problem.ts';
import type { Design, HookNode } from '../schema/design.ts';

/** Warns about values without a source: a missing member, recipient, variable or block. */
export function* checkSources(design: Design): Generator<Problem> {
  for (const { node, place } of nodesOf(design)) {
    for (const [at, items] of valueLists(node, place))
      for (const [index, item] of items.entries()) yield* withoutValue(item, [...at, index]);
    for (const [at, reference] of references(node, place)) yield* withoutVariable(reference, at);
    yield* operationsWithoutBlock(node, place);
  }
}

interface Valued {
  readonly source: 'variable' | 'custom' | 'ai';
  readonly systemVariable?: string;
  readonly variableId?: string;
  readonly value?: string;
  readonly aiPrompt?: string;
}

function valueLists(node: HookNode, at: Place): [Place, readonly Valued[]][] {
  return [
    [[...at, 'webhook', 'payload'], node.webhook?.payload ?? []],
    [[...at, 'fetch', 'body'], node.fetch?.body ?? []],
    [
      [...at, 'crmWrite', 'updateContact', 'propertyMappings'],
      node.crmWrite?.updateContact?.propertyMappings ?? [],
    ],
  ];
}

function withoutValue(item: Valued, at: Place): Problem[] {
  const { source, systemVariable, variableId, value, aiPrompt } = item;
  const given = { variable: systemVariable ?? variableId, custom: value, ai: aiPrompt }[source];
  if (given !== undefined) return [];
  const wanted = { variable: 'systemVariable or variableId', custom: 'value', ai: 'aiPrompt' }[source];
  return [
    warning(at, `The source is ${source}, but ${wanted} is missing.`, `Add ${wanted}, or change source.`),
  ];
}

type Reference = {
  readonly systemVariable?: string;
  readonly variableId?: string;
  readonly literalString?: string;
};

function references({ sendSms, crmWrite, condition }: HookNode, at: Place): [Place, Reference][] {
  return [
    ...(sendSms ? [[[...at, 'sendSms', 'to'], sendSms.to] satisfies [Place, Reference]] : []),
    ...(crmWrite
      ? [[[...at, 'crmWrite', 'contactIdSource'], crmWrite.contactIdSource] satisfies [Place, Reference]]
      : []),
    ...(condition?.branches ?? []).flatMap((branch, index): [Place, Reference][] =>
      'predicate' in branch
        ? [[[...at, 'condition', 'branches', index, 'predicate', 'variable'], branch.predicate.variable]]
        : [],
    ),
  ];
}

function withoutVariable({ systemVariable, variableId, literalString }: Reference, at: Place): Problem[] {
  if ((systemVariable ?? variableId ?? literalString) !== undefined) return [];
  return [warning(at, 'This reference names no variable.', 'Add systemVariable or variableId.')];
}

const blockOf = { log_call: 'logCall', create_note: 'createNote', update_contact: 'updateContact' } as const;

function* operationsWithoutBlock({ crmWrite }: HookNode, at: Place): Generator<Problem> {
  for (const [index, operation] of (crmWrite?.operations ?? []).entries()) {
    const block = blockOf[operation];
    if (crmWrite?.[block] === undefined)
      yield warning(
        [...at, 'crmWrite', 'operations', index],
        `operations has ${operation}, but ${block} is missing.`,
        `Add ${block}, or remove ${operation}.`,
      );
  }
}
