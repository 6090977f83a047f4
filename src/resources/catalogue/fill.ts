import type { Design } from '../../design/schema/design.ts';
import type { FieldValues } from './field-values.ts';
import type { Template } from './template.ts';

const placeholder = /\[\[(\w+)\]\]/g;

/**
 * Fills the placeholders of a template's design with the given values, or else with the samples. Placeholders inside a
 * value are not filled.
 * @param values must have passed `fieldProblems`.
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
