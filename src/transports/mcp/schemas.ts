import type * as v from 'valibot';
import type { McpTool } from '../../environment/mcp-view.ts';
import { documentOf } from '../../operation/document.ts';
import { convert } from '../../operation/json-schema.ts';
import { numberOrWordOf } from '../../operation/number-or-word.ts';
import { kindDescribedBy, referenceKinds, takesNames } from '../../operation/reference.ts';
import { type JsonObject, without } from '../../operation/result.ts';
import { leftOutOnMcp } from './lean.ts';
import { shortened, withOpenObjects } from './widen-schema.ts';

/**
 * A tool's input as JSON Schema (draft 2020-12) for MCP: no `$ref`, no combiner at the root, and short
 * (`shortened`), because every client pays for it in tokens. Calls are checked against the whole schema.
 * @throws if the schema cannot be converted; adapters convert at start
 */
export function inputJsonSchema(tool: McpTool): JsonObject & { type: 'object' } {
  const schema = convert(tool.input, 'input', withWords, withName);
  const { inputs, required = [], leavesOut, implied = {}, enteredOnPage } = tool.mcp;
  const details = leavesOut === undefined ? {} : { [detailsInput]: detailsOf(leavesOut) };
  const isShown = (name: string) => name !== impliedInput && !Object.hasOwn(implied, name);
  const properties = Object.entries({ ...(schema['properties'] as JsonObject), ...inputs });
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

/** The input on MCP that adds a member. */
function detailsOf(member: string): JsonObject {
  return { type: 'boolean', description: `True adds ${member}, up to 40 KB.` };
}

/**
 * A tool's output as JSON Schema for MCP; a top-level array becomes the member `items`. Objects stay open, so that a
 * client that has listed the tools before an update accepts what the update adds.
 */
export function outputJsonSchema(tool: McpTool): JsonObject & { type: 'object' } {
  const schema = withOpenObjects(
    shortened(convert(tool.output, 'output', (at) => (isPlain(at) ? { type: 'object' } : undefined))),
  );
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
