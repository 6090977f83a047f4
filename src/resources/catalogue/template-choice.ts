import * as v from 'valibot';
import type { Design } from '../../design/schema/design.ts';
import type { InputProblem } from '../../operation/define.ts';
import { ToolError } from '../../platform/errors.ts';
import type { FieldValues } from './field-values.ts';
import { fieldProblems } from './field-values.ts';
import { filledDesign } from './fill.ts';
import type { Template } from './template.ts';
import { templateOf, templates } from './templates/index.ts';

export const TemplateKey = v.pipe(v.string(), v.minLength(1), v.maxCodePoints(100));

/** What a new conversation starts from: a design, or a template and the values of its fields. */
interface TemplateChoice {
  readonly design?: Design | undefined;
  readonly templateKey?: string | undefined;
  readonly templateFields?: FieldValues | undefined;
  /** Use the samples of the required fields that are not given. */
  readonly templateSamples?: boolean | undefined;
}

/** Input problems of a choice. An unknown template key is not one of them: {@link chosenDesign} throws 404 for it. */
export function choiceProblems({
  design,
  templateKey,
  templateFields,
  templateSamples,
}: TemplateChoice): InputProblem[] {
  if (templateKey === undefined && templateSamples !== undefined)
    return [{ path: ['templateSamples'], message: 'Requires templateKey, whose samples it uses.' }];
  if (templateKey === undefined)
    return templateFields === undefined
      ? []
      : [{ path: ['templateFields'], message: 'Requires templateKey, whose fields it fills.' }];
  if (design !== undefined)
    return [{ path: ['templateKey'], message: 'Cannot be combined with design. Send one of them.' }];
  const template = templateOf(templateKey);
  if (template === undefined) return [];
  const missing = template.fields.filter(
    ({ key, required }) => required && !Object.hasOwn(templateFields ?? {}, key),
  );
  const problems = [
    ...fieldProblems(template, templateFields ?? {}),
    ...(templateSamples === true ? [] : missing).map(({ key, label, sample }) => ({
      field: key,
      message: `Required: ${label}, such as ${JSON.stringify(sample)}. templateSamples: true makes a draft with samples.`,
    })),
  ];
  return problems.map(({ field, message }) => ({ path: ['templateFields', field], message }));
}

/**
 * The template with a key.
 * @throws ToolError `not_found`
 */
export function knownTemplate(key: string): Template {
  const template = templateOf(key);
  if (template) return template;
  throw new ToolError('not_found', `There is no template ${JSON.stringify(key)}.`, {
    hint: `The keys are ${templates.map((one) => one.key).join(', ')}.`,
  });
}

/**
 * The given design, or the filled template; undefined if neither was given.
 * @throws ToolError `not_found` if no template has the key.
 */
export function chosenDesign({ design, templateKey, templateFields }: TemplateChoice): Design | undefined {
  if (templateKey === undefined) return design;
  const template = knownTemplate(templateKey);
  // The samples of required fields are marked, so that they cannot go live (`checkSamples`).
  const samples = template.fields.flatMap(({ key, required, sample }) =>
    required ? [[key, `[[${key}: ${sample}]]`] as const] : [],
  );
  return filledDesign(template, { ...Object.fromEntries(samples), ...templateFields });
}
