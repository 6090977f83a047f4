import { isJsonObject } from '../../operation/json.ts';
import type { JsonObject } from '../../operation/result.ts';

// Every function here returns a schema that accepts whatever the given schema accepts. It leaves a keyword out only if the
// schema then accepts more, so schemas under `not`, `oneOf`, `if` and `contains` stay as they are.

/** Keywords whose value is a schema, or a list or an object of schemas, that a value or its parts have to match. */
const [ofOne, ofEach, ofNamed] = [
  new Set(['items', 'additionalProperties']),
  new Set(['allOf', 'anyOf', 'prefixItems']),
  new Set(['properties']),
];

/** What a model can do without: an error names the limit that a call has broken. */
const limits = new Set([
  'pattern',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'propertyNames',
]);

/** Keywords that describe a schema, and refuse nothing. */
const annotations = new Set(['title', 'description', 'default', 'examples']);

/** Keywords that null always fulfils: they refuse nothing, or only values of another type. */
const openToNull = new Set([
  ...annotations,
  ...limits,
  'format',
  'contentEncoding',
  'multipleOf',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'prefixItems',
  'uniqueItems',
]);

/** The schema in fewer tokens. */
export function shortened(schema: JsonObject): JsonObject {
  return widened(
    withNullAsType(schema),
    shortened,
    (keyword, value) => limits.has(keyword) || isEmpty(keyword, value),
  );
}

/** The schema with objects that may have more members. */
export function withOpenObjects(schema: JsonObject): JsonObject {
  return widened(
    schema,
    withOpenObjects,
    (keyword, value) => keyword === 'additionalProperties' && value === false,
  );
}

/** The schema without some keywords, and with `change` made to the schemas in it. */
function widened(
  schema: JsonObject,
  change: (part: JsonObject) => JsonObject,
  isLeftOut: (keyword: string, value: unknown) => boolean,
): JsonObject {
  const part = (value: unknown) => (isJsonObject(value) ? change(value) : value);
  const changed = (keyword: string, value: unknown) => {
    if (ofOne.has(keyword)) return part(value);
    if (ofEach.has(keyword) && Array.isArray(value)) return value.map(part);
    if (ofNamed.has(keyword) && isJsonObject(value))
      return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, part(member)]));
    return value;
  };
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([keyword, value]) => !isLeftOut(keyword, value))
      .map(([keyword, value]) => [keyword, changed(keyword, value)]),
  );
}

/** True for a keyword that refuses nothing. */
function isEmpty(keyword: string, value: unknown): boolean {
  if (keyword === 'required') return Array.isArray(value) && value.length === 0;
  return keyword === 'additionalProperties' && isJsonObject(value) && Object.keys(value).length === 0;
}

/** One schema with two types in place of `anyOf: [{type}, {type: 'null'}]`, if that means the same. */
function withNullAsType(schema: JsonObject): JsonObject {
  const { anyOf, ...described } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema;
  const [first, second] = anyOf as unknown[];
  if (!isJsonObject(first) || !isJsonObject(second) || second['type'] !== 'null') return schema;
  const { type, enum: values, ...others } = first;
  const isSame =
    typeof type === 'string' &&
    type !== 'null' &&
    Object.keys(second).length === 1 &&
    Object.keys(described).every((keyword) => annotations.has(keyword)) &&
    Object.keys(others).every((keyword) => openToNull.has(keyword));
  if (!isSame) return schema;
  return {
    ...first,
    ...(Array.isArray(values) && { enum: [...(values as unknown[]), null] }),
    type: [type, 'null'],
    ...described,
  };
}
