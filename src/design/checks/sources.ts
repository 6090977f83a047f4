import { nodesOf } from '../exits.ts';
import { type Place, type Problem, warning } from '../problem.ts';
import type { Design, HookNode } from '../schema/design.ts';

/** Warns about values without a source: a missing member, recipient, variable or block. */
export function checkSources(design: Design): Problem[] {
  return [...nodesOf(design)].flatMap(({ node, place }) => [
    ...valueLists(node, place).flatMap(([at, items]) =>
      items.flatMap((item, index) => withoutValue(item, [...at, index])),
    ),
    ...references(node, place).flatMap(([at, reference]) => withoutVariable(reference, at)),
    ...operationsWithoutBlock(node, place),
  ]);
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
    ...(condition?.branches ?? []).map(({ predicate }, index): [Place, Reference] => [
      [...at, 'condition', 'branches', index, 'predicate', 'variable'],
      predicate.variable,
    ]),
  ];
}

function withoutVariable({ systemVariable, variableId, literalString }: Reference, at: Place): Problem[] {
  if ((systemVariable ?? variableId ?? literalString) !== undefined) return [];
  return [warning(at, 'This reference names no variable.', 'Add systemVariable or variableId.')];
}

const blockOf = { log_call: 'logCall', create_note: 'createNote', update_contact: 'updateContact' } as const;

function operationsWithoutBlock({ crmWrite }: HookNode, at: Place): Problem[] {
  return (crmWrite?.operations ?? []).flatMap((operation, index) => {
    const block = blockOf[operation];
    if (crmWrite?.[block] !== undefined) return [];
    const place = [...at, 'crmWrite', 'operations', index];
    return [
      warning(
        place,
        `operations has ${operation}, but ${block} is missing.`,
        `Add ${block}, or remove ${operation}.`,
      ),
    ];
  });
}
