import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { checkDesign } from '../../../src/design/check.ts';
import type { Facts } from '../../../src/design/facts.ts';
import { builtInProperties } from '../../../src/design/proof/properties.ts';
import { prove } from '../../../src/design/proof/prove.ts';
import { Design } from '../../../src/design/schema/design.ts';
import { ruleOnDisclosure } from '../../../src/disclosure/index.ts';
import { fieldProblems } from '../../../src/resources/catalogue/field-values.ts';
import { filledDesign } from '../../../src/resources/catalogue/fill.ts';
import { templateOf, templates } from '../../../src/resources/catalogue/templates/index.ts';
import { planLimits } from '../../../src/resources/projects/plan-limits.ts';
import { textsOf } from './texts.ts';

/** A new project on the free plan, without records that a design could name. */
const facts: Facts = {
  integrationKinds: new Map(),
  knowledgeBaseIds: new Set(),
  hasOpeningHours: true,
  conversationIds: new Set(),
  secretBindings: new Map(),
  base: undefined,
  stepLimit: planLimits.free.steps,
  plan: 'free',
  disclosure: ruleOnDisclosure,
  models: { names: [], takesOthers: false },
};

const matchesOf = (design: Design, pattern: RegExp) =>
  new Set(textsOf(design).flatMap(([, text]) => [...text.matchAll(pattern)].map(([, name = '']) => name)));

/** The system variables of `test/designs/README.md` that the templates use in texts. */
const systemVariables = ['callerPhone'];

test('have unique keys that find their template', () => {
  expect(templates.length).toBeGreaterThanOrEqual(6);
  expect(new Set(templates.map(({ key }) => key)).size).toBe(templates.length);
  for (const template of templates) expect(templateOf(template.key)).toBe(template);
  expect(templateOf('constructor')).toBeUndefined();
});

describe.each(templates)('$key', (template) => {
  const design = filledDesign(template, {});

  test('passes every check on the free plan, without a warning', () => {
    expect(v.safeParse(Design, design).issues).toBeUndefined();
    expect(checkDesign(design, facts)).toStrictEqual([]);
  });

  test('has every built-in property', () => {
    const broken = prove(design, builtInProperties).filter(({ holds }) => !holds);
    expect(broken).toStrictEqual([]);
  });

  test('uses every field in the design, and has a field for every placeholder', () => {
    const keys = template.fields.map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
    expect(matchesOf(template.design, /\[\[(.*?)\]\]/g)).toEqual(new Set(keys));
  });

  test('is filled by its samples, which are valid values', () => {
    expect(textsOf(design).filter(([, text]) => /\[\[|\]\]/.test(text))).toStrictEqual([]);
    const samples = Object.fromEntries(template.fields.map(({ key, sample }) => [key, sample]));
    expect(fieldProblems(template, samples)).toStrictEqual([]);
    expect(filledDesign(template, samples)).toStrictEqual(design);
  });

  test('refers only to known variables, and uses all that it declares', () => {
    const declared = design.variables?.map(({ id }) => id) ?? [];
    const named = matchesOf(design, /\{\{(.*?)\}\}/g);
    for (const name of named) expect([...declared, ...systemVariables]).toContain(name);
    const used = textsOf(design).flatMap(([at, text]) => (at.endsWith('/variableId') ? [text] : []));
    expect([...used, ...named]).toEqual(expect.arrayContaining(declared));
  });

  test('has a step for every entry point of its hooks', () => {
    for (const hook of [design.hooks?.before, design.hooks?.after])
      for (const stepId of Object.keys(hook?.entryPoints ?? {}))
        expect(Object.keys(design.steps)).toContain(stepId);
    expect(design.entry.stepId in design.steps).toBe(true);
  });

  test('has only reserved numbers and hosts in its samples', () => {
    for (const { kind, sample } of template.fields) {
      if (kind === 'phone') expect(sample).toMatch(/^\+120255501\d\d$/);
      if (kind === 'url') expect(new URL(sample).hostname).toMatch(/\.example$/);
      expect(sample).toMatch(/\S/);
    }
  });
});

test('logs no call of a caller who declines to be recorded', () => {
  const template = templateOf('support-call-log');
  if (!template) throw new Error('there is no such template');
  const design = filledDesign(template, {});
  const logged = Object.keys(design.hooks?.after?.entryPoints ?? {});
  expect(logged.length).toBeGreaterThan(0);
  expect(design.hooks?.after).not.toHaveProperty('prematureHangupNodeId');
  const { consent } = design.steps;
  if (consent?.kind !== 'recordingConsent') throw new Error('it asks for no consent');
  // If every caller declines, no call may reach a step after which it is logged.
  const declined = { ...consent, on: { next: consent.on.declined ?? consent.on.next } };
  const proofs = prove(
    { ...design, steps: { ...design.steps, consent: declined } },
    logged.map((step) => ({ property: 'neverAfter', never: { step }, after: { step: 'consent' } })),
  );
  expect(proofs.filter(({ holds }) => !holds)).toStrictEqual([]);
});
