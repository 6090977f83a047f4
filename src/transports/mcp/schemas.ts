import type * as v from 'valibot';
import type { McpTool } from '../../environment/mcp-view.ts';
import { documentOf } from '../../operation/document.ts';
import { isJsonObject } from '../../operation/json.ts';
import { convert } from '../../operation/json-schema.ts';
import { numberOrWordOf } from '../../operation/number-or-word.ts';
import { kindDescribedBy, referenceKinds, takesNames } from '../../operation/reference.ts';
import { type JsonObject, without } from '../../operation/result.ts';
import { leftOutOnMcp } from './lean.ts';
import { shortened, withOpenObjects } from './widen-schema.ts';

/** Clients of MCP refuse an input schema that has one of these at its root. */
const combiners = ['allOf', 'anyOf', 'oneOf', 'not', 'if'];

/**
 * A tool's input as JSON Schema (draft 2020-12) for MCP, without `$ref`. It accepts more than the tool does and is shorter
 * (`shortened`), because every client pays for it in tokens. Calls are checked against the tool's own schema.
 * @throws if the schema cannot be converted or has a combiner at its root; adapters convert at start
 */
export function inputJsonSchema(tool: McpTool): JsonObject & { type: 'object' } {
  const { inputs, leavesOut } = tool.mcp;
  const schema = convert(tool.input, 'input', withWords, withName);
  const combiner = combiners.find((keyword) => Object.hasOwn(schema, keyword));
  if (combiner !== undefined) throw new TypeError(`The input of ${tool.name} has ${combiner} at its root.`);
  const properties = {
    ...(schema['properties'] as JsonObject),
    ...inputs,
  };
  const shown = Object.entries(properties).filter(([name]) => isShown(tool, name));
  const details = leavesOut === undefined ? {} : { [detailsInput]: detailsOf(leavesOut) };
  const published = {
    ...schema,
    properties: { ...Object.fromEntries(shown), ...details },
    required: requiredInputs(tool, schema),
  };
  return { ...shortened(published), type: 'object' };
}

/** False for an input that the server fills in: the project of the key, and what the view of the tool implies. */
function isShown({ mcp: { implied = {} } }: McpTool, name: string): boolean {
  return name !== impliedInput && !Object.hasOwn(implied, name);
}

/** The inputs that a model has to send. A person enters a secret on a page in place of the model. */
function requiredInputs(tool: McpTool, schema: JsonObject): string[] {
  const { required = [], enteredOnPage } = tool.mcp;
  const all = [...((schema['required'] as string[] | undefined) ?? []), ...required];
  return all.filter((name) => isShown(tool, name) && name !== enteredOnPage?.at[0]);
}

/** The input that MCP does not show: the project of the key, unless a call names one. */
export const impliedInput = 'projectId';

/** How MCP describes an input for an id for which a name may stand. An input with words of its own keeps them. */
function withName(action: object): string | undefined {
  const kind = kindDescribedBy(action);
  return kind && takesNames(kind) ? referenceKinds[kind].namedBy : undefined;
}

/** A number with the words that may stand for it, in few tokens: its bounds are checked all the same. */
function withWords(schema: object): JsonObject | undefined {
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

/** The input on MCP that adds members. */
function detailsOf(members: readonly string[]): JsonObject {
  const names = members.map((member) => member.replaceAll('.*', '')).join(', ');
  return { type: 'boolean', description: `Adds ${names}, up to 40 KB.` };
}

/**
 * A tool's output as JSON Schema for MCP; a top-level array becomes the member `items`. Objects stay open, so that a
 * client that has listed the tools before an update accepts what the update adds.
 */
export function outputJsonSchema(tool: McpTool): JsonObject & { type: 'object' } {
  const schema = (tool.mcp.leavesOut ?? []).reduce<JsonObject>(
    (whole, member) => withOptional(whole, member.split('.')),
    withOpenObjects(
      shortened(convert(tool.output, 'output', (at) => (isPlain(at) ? { type: 'object' } : undefined))),
    ),
  );
  if (schema['type'] !== 'array') {
    const { properties, required } = schema as { properties?: JsonObject; required?: string[] };
    const { never, ifNull } = leftOutOnMcp(tool);
    const optional = [...never, ...ifNull];
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

/** A schema of objects in which the member at this place is optional; `*` stands for every member. */
function withOptional(schema: JsonObject, [name = '', ...within]: readonly string[]): JsonObject {
  const { required, properties, additionalProperties } = schema as {
    required?: readonly string[];
    properties?: JsonObject;
    additionalProperties?: unknown;
  };
  if (within.length === 0)
    return { ...schema, ...(required && { required: required.filter((one) => one !== name) }) };
  const inside = (one: unknown) => (isJsonObject(one) ? withOptional(one, within) : one);
  const isNamed = (one: string) => name === '*' || name === one;
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([one, member]) => [one, isNamed(one) ? inside(member) : member]),
      ),
    }),
    ...(name === '*' &&
      additionalProperties !== undefined && { additionalProperties: inside(additionalProperties) }),
  };
}

/** True for what an output shows as a plain object: a document, and an object that comes in variants. */
function isPlain(schema: object): boolean {
  return documentOf(schema) !== undefined || (schema as v.GenericSchema).type === 'variant';
}
