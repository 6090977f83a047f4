import { toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import type { Tool } from './define.ts';
import { documentOf } from './document.ts';
import { isJsonObject } from './json.ts';
import { Cuid } from './reference.ts';
import type { JsonObject } from './result.ts';
import { isUploadSchema } from './upload.ts';

const idPattern = convert(Cuid, 'input')['pattern'];

/** A schema as JSON Schema (draft 2020-12). `parts` replaces the schemas that are its keys. */
export function jsonSchemaOf(
  schema: v.GenericSchema,
  parts?: ReadonlyMap<v.GenericSchema, JsonObject>,
): JsonObject {
  return convert(schema, 'input', (at) => parts?.get(at as v.GenericSchema));
}

/** Every document in the inputs and outputs of the tools, by name, as JSON Schema. */
export function documentSchemas(tools: readonly Tool[]): Record<string, JsonObject> {
  const schemas: Record<string, JsonObject> = {};
  const note = (at: object) => {
    const held = documentOf(at);
    if (held) schemas[held.name] ??= jsonSchemaOf(held.schema);
    return undefined;
  };
  for (const { input, output } of tools) for (const schema of [input, output]) convert(schema, 'input', note);
  return schemas;
}

/** The JSON Schema (draft 2020-12) of every input of a tool, and the names of the required ones. */
export function inputSchemas(tool: Tool): { properties: Record<string, JsonObject>; required: string[] } {
  const { properties, required = [] } = convert(tool.input, 'input') as {
    properties: Record<string, JsonObject>;
    required?: string[];
  };
  return { properties, required };
}

/** A tool's output as JSON Schema (draft 2020-12) for REST. */
export function outputSchema(tool: Tool): JsonObject {
  return convert(tool.output, 'output');
}

/**
 * A tool's input as JSON Schema (draft 2020-12) for MCP: no `$ref`, no combiner at the root, ids as plain
 * strings (their pattern is checked, and publishing it would cost every client tokens).
 * @throws if the schema cannot be converted; adapters convert at start
 */
export function inputJsonSchema(tool: Tool): JsonObject & { type: 'object' } {
  const schema = convert(tool.input, 'input');
  const properties = withoutIdPatterns(schema['properties']) as JsonObject;
  const { inputs, required = [], leavesOut } = tool.mcp;
  const more = leavesOut === undefined ? {} : { [inclusion(leavesOut)]: includeSchema(leavesOut) };
  const needed = [...((schema['required'] as string[] | undefined) ?? []), ...required];
  return {
    ...schema,
    properties: { ...properties, ...inputs, ...more },
    ...(needed.length > 0 && { required: needed }),
    type: 'object',
  };
}

/** The input that asks for a member that MCP leaves out by default: `includeDesign` for `design`. */
export function inclusion(member: string): string {
  return `include${member.charAt(0).toUpperCase()}${member.slice(1)}`;
}

function includeSchema(member: string): JsonObject {
  return { type: 'boolean', description: `True answers ${member} too, up to 40 KB.` };
}

function withoutIdPatterns(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutIdPatterns);
  if (!isJsonObject(schema)) return schema;
  const { pattern, ...rest } = schema;
  const kept = pattern === idPattern ? rest : schema;
  return Object.fromEntries(Object.entries(kept).map(([name, member]) => [name, withoutIdPatterns(member)]));
}

/** A tool's output as JSON Schema for MCP; a top-level array becomes the member `items`. */
export function outputJsonSchema(tool: Tool): JsonObject & { type: 'object' } {
  const schema = convert(tool.output, 'output', (at) => documentOf(at) && { type: 'object' });
  if (schema['type'] !== 'array') {
    const required = (schema['required'] as string[] | undefined)?.filter(
      (name) => name !== tool.mcp.leavesOut,
    );
    return { ...schema, ...(required && { required }), type: 'object' };
  }
  return { type: 'object', properties: { items: schema }, required: ['items'], additionalProperties: false };
}

/** A document becomes a reference into the components of the OpenAPI document, unless `override` replaces it. */
function convert(
  schema: v.GenericSchema,
  typeMode: 'input' | 'output',
  override: (at: object) => JsonObject | undefined = () => undefined,
): JsonObject {
  const { $schema: _, ...converted } = toJsonSchema(schema, {
    typeMode,
    errorMode: 'throw',
    target: 'draft-2020-12',
    ignoreActions: ['metadata'],
    overrideAction: ({ valibotAction, jsonSchema }) =>
      valibotAction.type === 'max_code_points'
        ? {
            ...jsonSchema,
            maxLength: (valibotAction as v.MaxCodePointsAction<string, number, undefined>).requirement,
          }
        : undefined,
    overrideSchema: ({ valibotSchema }) => override(valibotSchema) ?? standIn(valibotSchema),
  });
  return converted;
}

function standIn(schema: object): JsonObject | undefined {
  if (isUploadSchema(schema)) return { type: 'string', contentEncoding: 'base64' };
  const held = documentOf(schema);
  return held && { $ref: `#/components/schemas/${held.name}` };
}
