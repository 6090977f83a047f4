import type { FieldValues } from '../../catalogue/field-values.ts';
import { fieldProblems } from '../../catalogue/field-values.ts';
import { filledDesign } from '../../catalogue/fill.ts';
import { templateOf } from '../../catalogue/templates/index.ts';
import type { Design } from '../../design/schema/design.ts';
import { ToolError } from '../../errors.ts';
import type { InputProblem } from '../../tool/define.ts';

/** The template that a new conversation is made from, and what stands in its fields. */
interface TemplateChoice {
  readonly design?: Design | undefined;
  readonly templateKey?: string | undefined;
  readonly templateFields?: FieldValues | undefined;
}

/** What is wrong with a choice, but for a key that no template has. */
export function choiceProblems({ design, templateKey, templateFields }: TemplateChoice): InputProblem[] {
  if (templateKey === undefined)
    return templateFields === undefined
      ? []
      : [{ path: ['templateFields'], message: 'Needs a templateKey, whose fields these are.' }];
  if (design !== undefined)
    return [{ path: ['templateKey'], message: 'A conversation starts from a design or from a template.' }];
  const template = templateOf(templateKey);
  if (template === undefined || templateFields === undefined) return [];
  return fieldProblems(template, templateFields).map(({ field, message }) => ({
    path: ['templateFields', field],
    message,
  }));
}

/**
 * The design that a new conversation was given, or its template's; undefined where it has neither.
 * @throws ToolError `not_found` where there is no such template.
 */
export function chosenDesign({ design, templateKey, templateFields }: TemplateChoice): Design | undefined {
  if (templateKey === undefined) return design;
  const template = templateOf(templateKey);
  if (template === undefined)
    throw new ToolError('not_found', `There is no template ${JSON.stringify(templateKey)}.`, {
      hint: 'list_templates shows the keys.',
    });
  return filledDesign(template, templateFields ?? {});
}
