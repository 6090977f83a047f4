import { describe, expect, test } from 'vitest';
import type { McpTool } from '../../src/environment/mcp-view.ts';
import { placeOf, restName } from '../../src/operation/input.ts';
import { jsonSchemaOf, outputSchema } from '../../src/operation/json-schema.ts';
import { detailsInput, inputJsonSchema } from '../../src/transports/mcp/schemas.ts';
import { operations } from './registry.ts';

/** The paths in which the contract names a part otherwise than an operation names its input. */
const contractPaths = [
  '/v1/conversations/{id}/versions/{n}',
  '/v1/conversations/{id}',
  '/v1/keys/{id}',
  '/v1/numbers/{id}',
  '/v1/knowledge/{kbId}/sources/{id}',
  '/v1/knowledge/{kbId}',
  '/v1/voices/{voice_id}',
];

/** Each idea has one name. Members of the contract's documents, such as designs, are references and are not read. */
const ideas: readonly {
  readonly idea: string;
  readonly name: string;
  readonly others: RegExp;
  /** Where the contract has another name. */
  readonly contract?: readonly string[];
}[] = [
  {
    idea: 'the number of a version',
    name: 'version',
    others: /^(?:n|v|number|version_?(?:number|n|no)|base_?version|base|revision)$/i,
    // The list of a conversation's versions, and the number of a telephone.
    contract: [
      'list_conversation_versions versions.n',
      ...[
        'assign_conversation',
        'assign_flow',
        'get_phone_number',
        'import_phone_number',
        'update_phone_number',
      ].map((tool) => `${tool} number`),
      'list_phone_numbers phoneNumbers.number',
    ],
  },
  {
    idea: 'the version to compare with',
    name: 'against',
    others: /^(?:compare_?(?:to|with)?|other_?version|since_?version)$/i,
  },
  {
    idea: 'asking for the long form',
    name: detailsInput,
    others:
      /^(?:include|with|show|expand|embed)_?[A-Z]\w*$|^(?:include|expand|full|long|verbose|view|detail)$/,
  },
  {
    idea: 'the place to go on from',
    name: 'cursor',
    others: /^(?:page_?token|page|starting_?after|offset|continuation\w*)$/i,
  },
  { idea: 'the most items', name: 'limit', others: /^(?:page_?size|per_?page|max_?results|top|first)$/i },
];

/** A name in a schema, with its place: `versions.n`. */
interface Named {
  readonly name: string;
  readonly place: string;
}

function namesIn(schema: unknown, place: readonly string[] = []): Named[] {
  if (Array.isArray(schema)) return schema.flatMap((part) => namesIn(part, place));
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([keyword, part]) => {
    if (keyword !== 'properties')
      return ['enum', 'const', 'default', 'examples'].includes(keyword) ? [] : namesIn(part, place);
    return Object.entries(part as object).flatMap(([name, member]) => [
      { name, place: [...place, name].join('.') },
      ...namesIn(member, [...place, name]),
    ]);
  });
}

/** The names of the inputs and outputs of an operation, in REST and on MCP. */
const namesOf = (tool: McpTool): Named[] => [
  ...namesIn(jsonSchemaOf(tool.input)),
  ...namesIn(inputJsonSchema(tool)),
  ...namesIn(outputSchema(tool)),
];

describe('each idea has one name', () => {
  test.each(ideas)('$idea is $name', ({ name, others, contract = [] }) => {
    const found = operations.flatMap((tool) =>
      namesOf(tool).map((named) => ({ ...named, at: `${tool.name} ${named.place}` })),
    );
    expect(found.filter((named) => named.name === name).length).toBeGreaterThan(1);
    const second = found.filter((named) => others.test(named.name)).map(({ at }) => at);
    expect([...new Set(second)].toSorted()).toEqual(contract.toSorted());
  });

  test.each(operations)('$name takes version numbers as version or against', ({ numbersOrWords }) => {
    expect(numbersOrWords.filter((input) => !['version', 'against'].includes(input))).toEqual([]);
  });

  test.each(operations)(
    '$name has an input of another name in its path only where the contract has',
    (tool) => {
      const { path, from } = tool.rest;
      const inContract = contractPaths.find((known) => path === known || path.startsWith(`${known}/`)) ?? '';
      const renamed = Object.keys(from).filter((input) => restName(tool, input) !== input);
      expect(renamed.filter((input) => !inContract.includes(`{${restName(tool, input)}}`))).toEqual([]);
    },
  );
});

test('a PUT requires every member of its body, so that it merges nothing', () => {
  const puts = operations.filter(({ rest }) => rest.method === 'PUT');
  expect(puts.map(({ name }) => name)).toContain('replace_agent_profile');
  const optional = puts.flatMap((tool) => {
    const { properties, required = [] } = jsonSchemaOf(tool.input) as {
      properties: object;
      required?: string[];
    };
    const { ignoredMembers = [] } = tool.special;
    return Object.keys(properties)
      .filter((input) => placeOf(tool, input) === 'body')
      .filter((input) => !required.includes(input) && !ignoredMembers.includes(input))
      .map((input) => `${tool.name} ${input}`);
  });
  expect(optional).toEqual([]);
});
