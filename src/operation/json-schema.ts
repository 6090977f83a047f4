import { toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import type { Tool } from './define.ts';
import { documentOf } from './document.ts';
import { numberOrWordOf } from './number-or-word.ts';
import { type JsonObject, without } from './result.ts';
import { isUploadSchema } from './upload.ts';

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
  const schema = convert(tool.output, 'output');
  const { omits } = tool.rest;
  if (omits.length === 0) return schema;
  const { properties, required } = schema as { properties: JsonObject; required: string[] };
  const shown = without(properties, omits);
  return {
    ...schema,
    properties: shown,
    required: Object.keys(shown).filter((name) => required.includes(name)),
  };
}

/**
 * A schema as JSON Schema. A document becomes a reference into the components of the OpenAPI document, unless `override`
 * replaces it. `describe` may replace what an action of a pipe, `v.description`, says.
 */
export function convert(
  schema: v.GenericSchema,
  typeMode: 'input' | 'output',
  override: (at: object) => JsonObject | undefined = () => undefined,
  describe: (action: object) => string | undefined = () => undefined,
): JsonObject {
  const { $schema: _, ...converted } = toJsonSchema(schema, {
    typeMode,
    errorMode: 'throw',
    target: 'draft-2020-12',
    ignoreActions: ['metadata'],
    overrideAction({ valibotAction, jsonSchema }) {
      if (valibotAction.type === 'max_code_points')
        return {
          ...jsonSchema,
          maxLength: (valibotAction as v.MaxCodePointsAction<string, number, undefined>).requirement,
        };
      const description = describe(valibotAction);
      return description === undefined ? undefined : { ...jsonSchema, description };
    },
    overrideSchema: ({ valibotSchema }) => override(valibotSchema) ?? standIn(valibotSchema),
  });
  return converted;
}

function standIn(schema: object): JsonObject | undefined {
  if (isUploadSchema(schema)) return { type: 'string', contentEncoding: 'base64' };
  const held = 'wrapped' in schema ? undefined : numberOrWordOf(schema);
  if (held) return { ...convert(held.number, 'input'), description: held.description };
  const document = documentOf(schema);
  return document && { $ref: `#/components/schemas/${document.name}` };
}
