import { toJsonSchema } from '@valibot/to-json-schema';
import type { Tool } from './define.ts';
import { isJsonObject } from './json.ts';
import { Cuid } from './reference.ts';
import type { JsonObject } from './result.ts';

const idPattern = convert(Cuid, 'input')['pattern'];

/** Every input of a tool with its JSON Schema (draft 2020-12), and the names of those that are required. */
export function inputSchemas(tool: Tool): { properties: Record<string, JsonObject>; required: string[] } {
  const { properties, required = [] } = convert(tool.input, 'input') as {
    properties: Record<string, JsonObject>;
    required?: string[];
  };
  return { properties, required };
}

/** A tool's output as JSON Schema (draft 2020-12), as REST answers it. */
export function outputSchema(tool: Tool): JsonObject {
  return convert(tool.output, 'output');
}

/**
 * A tool's input as JSON Schema (draft 2020-12) for MCP: no `$ref`, no combiner at the root, ids as plain
 * strings (their pattern is checked, and would cost every client its tokens).
 * @throws where the schema cannot be converted: at start, not at a call.
 */
export function inputJsonSchema(tool: Tool): JsonObject & { type: 'object' } {
  const schema = convert(tool.input, 'input');
  const properties = withoutIdPatterns(schema['properties']) as JsonObject;
  return { ...schema, properties: { ...properties, ...tool.mcp.inputs }, type: 'object' };
}

function withoutIdPatterns(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutIdPatterns);
  if (!isJsonObject(schema)) return schema;
  const { maxLength: _, pattern, ...rest } = schema;
  const kept = pattern === idPattern ? rest : schema;
  return Object.fromEntries(Object.entries(kept).map(([name, member]) => [name, withoutIdPatterns(member)]));
}

/** A tool's output as JSON Schema; a top-level array stands under `items`. */
export function outputJsonSchema(tool: Tool): JsonObject & { type: 'object' } {
  const schema = convert(tool.output, 'output');
  if (schema['type'] !== 'array') return { ...schema, type: 'object' };
  return { type: 'object', properties: { items: schema }, required: ['items'], additionalProperties: false };
}

function convert(schema: Tool['output'], typeMode: 'input' | 'output'): JsonObject {
  const { $schema: _, ...converted } = toJsonSchema(schema, {
    typeMode,
    errorMode: 'throw',
    target: 'draft-2020-12',
    ignoreActions: ['metadata'],
  });
  return converted;
}
