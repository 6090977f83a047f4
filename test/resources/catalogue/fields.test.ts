import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { Design } from '../../../src/design/schema/design.ts';
import { secretReferences } from '../../../src/design/secrets.ts';
import { fieldProblems } from '../../../src/resources/catalogue/field-values.ts';
import { filledDesign } from '../../../src/resources/catalogue/fill.ts';
import type { FieldKind, Template } from '../../../src/resources/catalogue/template.ts';
import { templates } from '../../../src/resources/catalogue/templates/index.ts';
import { textsOf } from './texts.ts';

const inAll = (template: Template, text: (kind: FieldKind) => string) =>
  Object.fromEntries(template.fields.map(({ key, kind }) => [key, text(kind)]));

const longest: Readonly<Record<FieldKind, string>> = {
  text: 'x'.repeat(200),
  longText: 'x'.repeat(4000),
  phone: '+123456789012345',
  url: `https://${'x'.repeat(60)}.example/${'x'.repeat(1923)}`,
};

/** Texts that would do harm if they were interpreted. */
const hostile = [
  '"],"steps":{}',
  "'; drop table x; --",
  '\\"\\u0000\\n',
  "$& $1 $` $'",
  '[[businessName]]',
  '[[nothing]] ]] [[',
  '<script>alert(1)</script>',
  '\u202eright to left\u200d',
  'عيادة الشمس 🦷',
  'one\ntwo',
  'https://example.com/?a="b"&c=[[businessName]]',
];

const unfit = [
  '',
  ' \n',
  'x'.repeat(10_000),
  'a\0b',
  'a\u0007b',
  '{{secret.CRM_TOKEN}}',
  '{{callerName}}',
  'https://shop.example/{{secret.CRM_TOKEN}}',
  '{',
  '}',
];

describe.each(templates)('$key', (template) => {
  const samples = new Map(template.fields.map(({ key, sample }) => [key, sample]));

  test('fills an accepted text in unchanged, and changes nothing else', () => {
    let taken = 0;
    for (const text of hostile)
      for (const { key } of template.fields) {
        if (fieldProblems(template, { [key]: text }).length > 0) continue;
        taken += 1;
        const filled = filledDesign(template, { [key]: text });
        expect(textsOf(filled)).toStrictEqual(
          textsOf(template.design).map(([at, original]) => [at, expectedText(original, key, text)]),
        );
        expect(secretReferences(filled)).toStrictEqual([]);
      }
    expect(taken).toBeGreaterThan(hostile.length);
  });

  /** A text of the template, split at its placeholders. */
  function expectedText(original: string, key: string, text: string): string {
    const parts = original.split(/\[\[(.*?)\]\]/);
    return parts
      .map((part, index) => (index % 2 === 0 ? part : part === key ? text : samples.get(part)))
      .join('');
  }

  test('accepts texts of maximum length, which make a valid design, and refuses longer ones', () => {
    const values = inAll(template, (kind) => longest[kind]);
    expect(fieldProblems(template, values)).toStrictEqual([]);
    expect(v.safeParse(Design, filledDesign(template, values)).issues).toBeUndefined();
    const longer = inAll(template, (kind) => `${longest[kind]}0`);
    expect(fieldProblems(template, longer).map(({ field }) => field)).toStrictEqual(Object.keys(values));
  });

  test('refuses a text that is blank, too long, or has a meaning in a design', () => {
    for (const text of unfit) {
      const problems = fieldProblems(
        template,
        inAll(template, () => text),
      );
      expect(problems, JSON.stringify(text).slice(0, 50)).toHaveLength(template.fields.length);
    }
  });
});

test.each<[kind: FieldKind, right: string[], wrong: string[]]>([
  ['text', ['Müller & Söhne', '99 % "fun"'], ['one\ntwo', 'tab\there', 'a\u2028b', 'a\u0085b']],
  ['longText', ['one\r\ntwo\tthree', '- a\n- b'], ['a\u001bb', 'a\u0085b']],
  ['phone', ['+442079460123', '+1202555'], ['2025550143', '+0123456789', '+1 202 555 0143', '+1202555014x']],
  [
    'url',
    ['https://shop.example/a?b=c#d', 'HTTP://127.0.0.1:8080'],
    [
      'shop.example',
      'ftp://shop.example',
      'javascript:alert(1)',
      'https://',
      'https://user@shop.example',
      'https://user:word@shop.example',
      ' https://shop.example',
      'https://shop.example/a b',
      'https://shop\n.example',
    ],
  ],
])('a field of kind %s', (kind, right, wrong) => {
  const template = templates.find(({ fields }) => fields.some((field) => field.kind === kind));
  const key = template?.fields.find((field) => field.kind === kind)?.key ?? '';
  if (!template) throw new Error(`no template has a field of kind ${kind}`);
  for (const text of right) expect(fieldProblems(template, { [key]: text }), text).toStrictEqual([]);
  for (const text of wrong)
    expect(fieldProblems(template, { [key]: text }), JSON.stringify(text)).toHaveLength(1);
});
