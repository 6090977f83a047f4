import type { FieldKind, Template } from './template.ts';

/** A problem with the value of a template's field. */
export interface FieldProblem {
  readonly field: string;
  readonly message: string;
}

/** Values of a template's fields, by key. */
export type FieldValues = Readonly<Record<string, string>>;

/** Characters. Two values of maximum length still fit into one text of a design (10,000). */
const maximumLength: Readonly<Record<FieldKind, number>> = {
  text: 200,
  longText: 4000,
  phone: 16,
  url: 2000,
};

/** Every problem with the values of a template's fields: unknown keys, and values that do not fit their kind. */
export function fieldProblems({ fields }: Template, values: FieldValues): FieldProblem[] {
  const kinds = new Map(fields.map(({ key, kind }) => [key, kind]));
  const keys = fields.map(({ key }) => key).join(', ');
  return Object.entries(values).flatMap(([field, text]) => {
    const kind = kinds.get(field);
    const message =
      kind === undefined
        ? `The template has no field ${JSON.stringify(field)}. Its fields are: ${keys}.`
        : textProblem(kind, text);
    return message === undefined ? [] : [{ field, message }];
  });
}

/** Why a text does not fit the kind of a field. A value must not add variables, lines or hosts of its own to a design. */
export function textProblem(kind: FieldKind, text: string): string | undefined {
  const maximum = maximumLength[kind];
  if (text.trim() === '') return 'Expected text that is not blank. Leave the field out to keep its sample.';
  const { length } = Array.from(text);
  if (length > maximum) return `Expected at most ${maximum} characters, received ${length}.`;
  if (/[{}]/.test(text)) return 'Expected text without { and }, which mark variables in a design.';
  if (kind === 'phone' && !/^\+[1-9]\d{6,14}$/.test(text))
    return 'Expected a number with its country code, such as +12025550143.';
  if (kind === 'url' && !isWebUrl(text))
    return 'Expected a URL that starts with https:// or http:// and has no user name.';
  const controls = kind === 'longText' ? /[^\P{Cc}\n\r\t]/u : /[\p{Cc}\p{Zl}\p{Zp}]/u;
  if (controls.test(text))
    return kind === 'longText'
      ? 'Contains a control character other than a tab or line break.'
      : 'Expected one line of text.';
  return undefined;
}

/** An http or https URL without user name and password. */
function isWebUrl(text: string): boolean {
  if (!/^https?:\/\/\S+$/i.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}
