import type * as v from 'valibot';
import { isJsonObject, type JsonProblem } from './json.ts';

/** What is said of a member that a closed object does not have. */
export function unknownMember(names: readonly string[]): string {
  return names.length ? `Is not known here; known are ${names.join(', ')}.` : 'Is not known here.';
}

/**
 * What valibot lets pass or tells only in part: a list where an object is wanted, every unknown member of a
 * closed object at every level, and members called `constructor` or `prototype`, which it drops in silence.
 */
export function structureProblems(
  schema: v.GenericSchema,
  value: unknown,
  path: readonly (string | number)[] = [],
): JsonProblem[] {
  if ('wrapped' in schema)
    return value === null ? [] : structureProblems(schema.wrapped as v.GenericSchema, value, path);
  if ('item' in schema && Array.isArray(value))
    return value.flatMap((item, index) =>
      structureProblems(schema.item as v.GenericSchema, item, [...path, index]),
    );
  if (schema.type === 'record' || schema.type === 'variant' || 'entries' in schema) {
    if (Array.isArray(value)) return [{ path, message: 'Expected an object.' }];
    if (isJsonObject(value)) return memberProblems(schema, value, path);
  }
  return [];
}

function memberProblems(
  schema: v.GenericSchema,
  value: Readonly<Record<string, unknown>>,
  path: readonly (string | number)[],
): JsonProblem[] {
  if ('entries' in schema) return objectProblems(schema as ObjectSchema, value, path);
  if (schema.type === 'variant') {
    const option = chosenOption(schema as VariantSchema, value);
    return option ? objectProblems(option, value, path) : [];
  }
  const { value: member } = schema as RecordSchema;
  return Object.entries(value).flatMap(([name, one]) => structureProblems(member, one, [...path, name]));
}

type RecordSchema = v.GenericSchema & { readonly value: v.GenericSchema };

type VariantSchema = v.GenericSchema & { readonly key: string; readonly options: readonly ObjectSchema[] };

/** The option whose discriminator the value carries. */
function chosenOption({ key, options }: VariantSchema, value: Readonly<Record<string, unknown>>) {
  return options.find(({ entries }) => {
    const discriminator = entries[key];
    return discriminator !== undefined && 'literal' in discriminator && discriminator.literal === value[key];
  });
}

type ObjectSchema = v.GenericSchema & {
  readonly entries: Readonly<Record<string, v.GenericSchema>>;
  readonly rest?: v.GenericSchema;
};

function objectProblems(
  { type, entries, rest }: ObjectSchema,
  value: Readonly<Record<string, unknown>>,
  path: readonly (string | number)[],
): JsonProblem[] {
  const closed = type === 'strict_object' || rest?.type === 'never';
  return Object.entries(value).flatMap(([name, member]) => {
    const entry = Object.hasOwn(entries, name) ? entries[name] : undefined;
    if (entry) return structureProblems(entry, member, [...path, name]);
    return closed ? [{ path: [...path, name], message: unknownMember(Object.keys(entries)) }] : [];
  });
}
