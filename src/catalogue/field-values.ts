import type { FieldKind, Template } from './template.ts';

/** Something wrong with what was given for a field of a template. */
export interface FieldProblem {
  readonly field: string;
  readonly message: string;
}

/** What is given for the fields of a template, by their keys. */
export type FieldValues = Readonly<Record<string, string>>;

/** Characters; two of the longest in one text still fit into what a design allows. */
const mostCharacters: Readonly<Record<FieldKind, number>> = {
  text: 200,
  longText: 4000,
  phone: 16,
  url: 2000,
};

/** Everything that is wrong with what is given for a template's fields. */
export function fieldProblems({ fields }: Template, values: FieldValues): FieldProblem[] {
  const kinds = new Map(fields.map(({ key, kind }) => [key, kind]));
  const known = fields.map(({ key }) => key).join(', ');
  return Object.entries(values).flatMap(([field, text]) => {
    const kind = kinds.get(field);
    const message =
      kind === undefined ? `The template has no such field; it has ${known}.` : textProblem(kind, text);
    return message === undefined ? [] : [{ field, message }];
  });
}

/** What is wrong with the text of a field. Nothing of it may mean more than itself to whoever runs the design. */
export function textProblem(kind: FieldKind, text: string): string | undefined {
  const most = mostCharacters[kind];
  if (text.trim() === '') return 'Expected some text; a field that is left out keeps its sample.';
  if (text.length > most) return `Expected at most ${most} characters.`;
  if (/[{}]/.test(text)) return 'Expected text without { and }, which a design takes for a variable.';
  if (kind === 'phone' && !/^\+[1-9]\d{6,14}$/.test(text))
    return 'Expected a number with its country code, such as +12025550143.';
  if (kind === 'url' && !isWebAddress(text))
    return 'Expected an address that starts with https:// or http://.';
  const controls = kind === 'longText' ? /[^\P{Cc}\n\r\t]/u : /[\p{Cc}\p{Zl}\p{Zp}]/u;
  if (controls.test(text))
    return kind === 'longText' ? 'Holds a control character.' : 'Expected one line of text.';
  return undefined;
}

/** An address of the web without a user name, just as it would be called. */
function isWebAddress(text: string): boolean {
  if (!/^https?:\/\/\S+$/i.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}
