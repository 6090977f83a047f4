import type * as v from 'valibot';

/** A part of a pipe: an action, or the schema that comes first, which may be a pipe as well. */
interface Action {
  readonly type: string;
  readonly description?: string;
  readonly pipe?: readonly Action[];
}

interface Shape {
  readonly type: string;
  readonly literal?: unknown;
  readonly options?: readonly unknown[];
  readonly item?: v.GenericSchema;
  readonly value?: v.GenericSchema;
  readonly wrapped?: v.GenericSchema;
  readonly entries?: Readonly<Record<string, v.GenericSchema>>;
  readonly pipe?: readonly Action[];
}

/**
 * A schema in one line, for a model: `{kind: "end", line?: text}`. It takes half of the tokens of JSON Schema.
 * @param parts what stands for schemas that are described elsewhere
 */
export function shortForm(schema: v.GenericSchema, parts: ReadonlyMap<unknown, string>): string {
  const part = parts.get(schema);
  if (part !== undefined) return part;
  const shape = schema as unknown as Shape;
  const said = shape.pipe?.findLast(({ type }) => type === 'description')?.description;
  const form = formOf(shape, parts);
  return said === undefined ? form : `${form} (${said})`;
}

function formOf(shape: Shape, parts: ReadonlyMap<unknown, string>): string {
  const inner = (schema: v.GenericSchema) => shortForm(schema, parts);
  const { type, literal, options = [], item, value, wrapped, entries } = shape;
  switch (type) {
    case 'literal':
      return JSON.stringify(literal);
    case 'picklist':
      return options.map((option) => JSON.stringify(option)).join(' | ');
    case 'string':
      return cannotBeEmpty(shape) ? 'id' : 'text';
    case 'array':
      return item ? `[${inner(item)}]` : type;
    case 'record':
      return value ? `{<id>: ${inner(value)}}` : type;
    case 'exact_optional':
      return wrapped ? inner(wrapped) : type;
    case 'strict_object': {
      const members = Object.entries(entries ?? {}).map(([name, entry]) => {
        const isOptional = (entry as unknown as Shape).type === 'exact_optional';
        return `${name}${isOptional ? '?' : ''}: ${inner(entry)}`;
      });
      return `{${members.join(', ')}}`;
    }
    default:
      return type;
  }
}

/** True for ids: the texts of a design may be empty. */
function cannotBeEmpty({ pipe = [] }: { readonly pipe?: readonly Action[] }): boolean {
  return pipe.some((action) => action.type === 'min_length' || cannotBeEmpty(action));
}
