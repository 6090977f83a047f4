import type * as v from 'valibot';
import { mostProblems } from '../platform/errors.ts';
import type { JsonProblem } from './json.ts';
import type { JsonObject } from './result.ts';

/** The message for a member that a closed object does not have. */
export function unknownMember(names: readonly string[]): string {
  return names.length ? `Is not known here; known are ${names.join(', ')}.` : 'Is not known here.';
}

/**
 * Finds what valibot accepts or reports only in part: a list instead of an object, every unknown member of a closed
 * object at any level, and members called `constructor` or `prototype`, which it silently drops. It also finds lists that
 * are too long, which valibot reports only after all of their items.
 */
export function structureProblems(schema: v.GenericSchema, value: unknown): JsonProblem[] {
  const walk: Walk = { path: [], problems: [] };
  visit(schema, value, walk);
  return walk.problems;
}

/** The place of a walk, and the problems found so far; the path is copied for each problem. */
interface Walk {
  readonly path: (string | number)[];
  readonly problems: JsonProblem[];
}

function visit(schema: v.GenericSchema, value: unknown, walk: Walk): void {
  if (typeof value !== 'object' || value === null || isFull(walk)) return;
  if ('wrapped' in schema) visit(schema.wrapped as v.GenericSchema, value, walk);
  else if (Array.isArray(value)) visitItems(schema, value, walk);
  else if ('entries' in schema) visitObject(schema as ObjectSchema, value, walk);
  else if ('chosenBy' in schema) visitChosen(schema as ChosenSchema, value, walk);
  else if (schema.type === 'variant') {
    const option = chosenOption(schema as VariantSchema, value);
    if (option) visitObject(option, value, walk);
  } else if (schema.type === 'record') {
    const { value: member } = schema as RecordSchema;
    for (const name of Object.keys(value)) {
      if (isFull(walk)) return;
      step(member, name, (value as JsonObject)[name], walk);
    }
  }
}

function visitItems(schema: v.GenericSchema, items: readonly unknown[], walk: Walk): void {
  if ('item' in schema) {
    const most = maximumLength(schema);
    if (items.length > most) tell(`Expected at most ${most} ${most === 1 ? 'item' : 'items'}.`, walk);
    else
      for (let index = 0; index < items.length && !isFull(walk); index++)
        step(schema.item as v.GenericSchema, index, items[index], walk);
  } else if (['record', 'variant'].includes(schema.type) || 'entries' in schema || 'chosenBy' in schema)
    tell('Expected an object.', walk);
}

/** The most items that a list may have; infinite if its schema has no bound. */
function maximumLength(schema: v.GenericSchema): number {
  const { pipe = [] } = schema as { pipe?: readonly { type: string; requirement?: unknown }[] };
  const bound = pipe.find(({ type }) => type === 'max_length');
  return bound ? Number(bound.requirement) : Number.POSITIVE_INFINITY;
}

function visitChosen({ options, choose }: ChosenSchema, value: object, walk: Walk): void {
  const known = new Set(options.flatMap(({ entries }) => Object.keys(entries)));
  visitObject(choose(value), value, walk, [...known]);
}

function visitObject(
  { type, entries, rest }: ObjectSchema,
  value: object,
  walk: Walk,
  known: readonly string[] = Object.keys(entries),
): void {
  const closed = type === 'strict_object' || rest?.type === 'never';
  for (const name of Object.keys(value)) {
    if (isFull(walk)) return;
    const entry = Object.hasOwn(entries, name) ? entries[name] : undefined;
    if (entry) step(entry, name, (value as JsonObject)[name], walk);
    else if (closed) {
      walk.path.push(name);
      tell(known.includes(name) ? 'Cannot be combined with the other members.' : unknownMember(known), walk);
      walk.path.pop();
    }
  }
}

function step(schema: v.GenericSchema, key: string | number, value: unknown, walk: Walk): void {
  walk.path.push(key);
  visit(schema, value, walk);
  walk.path.pop();
}

function tell(message: string, { path, problems }: Walk): void {
  problems.push({ path: [...path], message });
}

function isFull({ problems }: Walk): boolean {
  return problems.length >= mostProblems;
}

type RecordSchema = v.GenericSchema & { readonly value: v.GenericSchema };

type VariantSchema = v.GenericSchema & { readonly key: string; readonly options: readonly ObjectSchema[] };

/** One of several objects, chosen by whether it has a member. */
type ChosenSchema = v.GenericSchema & {
  readonly chosenBy: string;
  readonly options: readonly ObjectSchema[];
  readonly choose: (value: unknown) => ObjectSchema;
};

type ObjectSchema = v.GenericSchema & {
  readonly entries: Readonly<Record<string, v.GenericSchema>>;
  readonly rest?: v.GenericSchema;
};

/** The option whose discriminator the value carries. */
function chosenOption({ key, options }: VariantSchema, value: object) {
  const sent = Object.hasOwn(value, key) ? (value as Readonly<Record<string, unknown>>)[key] : undefined;
  return options.find(({ entries }) => {
    const discriminator = entries[key];
    return discriminator !== undefined && 'literal' in discriminator && discriminator.literal === sent;
  });
}
