import type { Design } from '../design/schema/design.ts';
import type { FieldValues } from './field-values.ts';
import type { Template } from './template.ts';

const placeholder = /\[\[(\w+)\]\]/g;

/**
 * The design of a template with texts in place of its placeholders: what is given, else the samples. A text is placed
 * as it is, once: what looks like a placeholder in it stays.
 * @param values without problems by `fieldProblems`.
 */
export function filledDesign({ key, fields, design }: Template, values: FieldValues): Design {
  const texts = new Map(
    fields.map(({ key: field, sample }) => [
      field,
      Object.hasOwn(values, field) ? (values[field] ?? sample) : sample,
    ]),
  );
  const textOf = (field: string) => {
    const text = texts.get(field);
    if (text === undefined) throw new TypeError(`the template ${key} has no field ${field}`);
    return text;
  };
  return filled(design, textOf) as Design;
}

function filled(value: unknown, textOf: (field: string) => string): unknown {
  if (typeof value === 'string') return value.replaceAll(placeholder, (_, field: string) => textOf(field));
  if (Array.isArray(value)) return value.map((item) => filled(item, textOf));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, filled(member, textOf)]));
}
