import type * as v from 'valibot';
import type { McpTool } from '../../environment/mcp-view.ts';
import { documentOf } from '../../operation/document.ts';
import { isJsonObject } from '../../operation/json.ts';
import { convert } from '../../operation/json-schema.ts';
import { numberOrWordOf } from '../../operation/number-or-word.ts';
import { listDescription, type ReferenceKind, referenceKinds } from '../../operation/reference.ts';
import { type JsonObject, without } from '../../operation/result.ts';
import { leftOutOnMcp } from './lean.ts';

/**
 * A tool's input as JSON Schema (draft 2020-12) for MCP: no `$ref`, no combiner at the root, and short
 * (`shortened`), because every client pays for it in tokens. Calls are checked against the whole schema.
 * @throws if the schema cannot be converted; adapters convert at start
 */
export function inputJsonSchema(tool: McpTool): JsonObject & { type: 'object' } {
  const schema = convert(tool.input, 'input', onMcp);
  const { inputs, required = [], leavesOut, implied = {}, enteredOnPage } = tool.mcp;
  const details = leavesOut === undefined ? {} : { [detailsInput]: detailsOf(leavesOut) };
  const isShown = (name: string) => name !== impliedInput && !Object.hasOwn(implied, name);
  const properties = Object.entries({ ...takingNames(tool, schema['properties'] as JsonObject), ...inputs });
  const needed = [...((schema['required'] as string[] | undefined) ?? []), ...required];
  const published = {
    ...schema,
    properties: {
      ...Object.fromEntries(properties.filter(([name]) => isShown(name))),
      ...details,
    },
    required: needed.filter((name) => isShown(name) && name !== enteredOnPage?.at[0]),
  };
  return { ...shortened(published), type: 'object' };
}

/** The inputs, of which those that refer to a record take its name on MCP. */
function takingNames({ references }: McpTool, properties: JsonObject): JsonObject {
  const named = references.flatMap(({ path: [input = '', ...deeper], name }) => {
    const property = properties[input];
    const { namedBy: description = listDescription(name) }: ReferenceKind = referenceKinds[name];
    return deeper.length === 0 && isJsonObject(property) && property['description'] === listDescription(name)
      ? [[input, { ...property, description }] as const]
      : [];
  });
  return { ...properties, ...Object.fromEntries(named) };
}

/** The input that MCP does not show: the project of the key, unless a call names one. */
export const impliedInput = 'projectId';

/** A number with the words that may stand for it, in few tokens: its bounds are checked all the same. */
function onMcp(schema: object): JsonObject | undefined {
  const held = 'wrapped' in schema ? undefined : numberOrWordOf(schema);
  if (!held) return undefined;
  const { describedWithWords: description, takesList } = held;
  const one = ['integer', 'string'];
  return takesList
    ? { type: [...one, 'array'], items: { type: one }, description }
    : { type: one, description };
}

/** The input that asks for what is left out otherwise: for some reads in REST, and for `leavesOut` on MCP. */
export const detailsInput = 'details';

/** The input on MCP that adds a member. */
function detailsOf(member: string): JsonObject {
  return { type: 'boolean', description: `True adds ${member}, up to 40 KB.` };
}

/** What a model can do without: an error names the limit that a call has broken. */
const leftOut = new Set([
  'pattern',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'propertyNames',
]);

/** A schema that accepts all that the given one accepts, in fewer tokens. */
function shortened(schema: JsonObject): JsonObject {
  const { anyOf } = schema;
  if (Array.isArray(anyOf)) {
    const [first, second] = anyOf as JsonObject[];
    // A value or null: one schema with both types.
    if (anyOf.length === 2 && second?.['type'] === 'null' && typeof first?.['type'] === 'string') {
      const { anyOf: _, ...others } = schema;
      const values = Array.isArray(first['enum']) ? { enum: [...(first['enum'] as unknown[]), null] } : {};
      return shortened({ ...first, ...values, type: [first['type'], 'null'], ...others });
    }
  }
  const kept = Object.entries(schema).filter(
    ([keyword, value]) =>
      !leftOut.has(keyword) &&
      !(keyword === 'required' && Array.isArray(value) && value.length === 0) &&
      !(keyword === 'additionalProperties' && isJsonObject(value) && Object.keys(value).length === 0),
  );
  return Object.fromEntries(
    kept.map(([keyword, value]) => {
      if (keyword === 'properties' && isJsonObject(value))
        return [keyword, mapMembers(value, (property) => shortenedPart(property))];
      return [keyword, keyword === 'default' || keyword === 'enum' ? value : shortenedPart(value)];
    }),
  );
}

function shortenedPart(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(shortenedPart);
  return isJsonObject(part) ? shortened(part) : part;
}

function mapMembers(members: JsonObject, change: (member: unknown) => unknown): JsonObject {
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, change(member)]));
}

/**
 * A tool's output as JSON Schema for MCP; a top-level array becomes the member `items`. Objects stay open, so that a
 * client that has listed the tools before an update accepts what the update adds.
 */
export function outputJsonSchema(tool: McpTool): JsonObject & { type: 'object' } {
  const schema = withOpenObjects(
    shortened(convert(tool.output, 'output', (at) => (isPlain(at) ? { type: 'object' } : undefined))),
  ) as JsonObject;
  if (schema['type'] !== 'array') {
    const { properties, required } = schema as { properties?: JsonObject; required?: string[] };
    const { never, ifNull } = leftOutOnMcp(tool);
    const optional = [...never, ...ifNull, tool.mcp.leavesOut];
    const needed = required?.filter((name) => !optional.includes(name));
    return {
      ...schema,
      ...(properties && { properties: without(properties, never) }),
      ...(needed && { required: needed }),
      type: 'object',
    };
  }
  return { type: 'object', properties: { items: schema }, required: ['items'] };
}

/** True for what an output shows as a plain object: a document, and an object that comes in variants. */
function isPlain(schema: object): boolean {
  return documentOf(schema) !== undefined || (schema as v.GenericSchema).type === 'variant';
}

function withOpenObjects(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withOpenObjects);
  if (!isJsonObject(schema)) return schema;
  const kept = Object.entries(schema).filter(
    ([keyword, value]) => !(keyword === 'additionalProperties' && value === false),
  );
  return Object.fromEntries(kept.map(([keyword, value]) => [keyword, withOpenObjects(value)]));
}
