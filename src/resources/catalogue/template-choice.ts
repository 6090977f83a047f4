import type { FieldValues } from '../../catalogue/field-values.ts';
import { fieldProblems } from '../../catalogue/field-values.ts';
import { filledDesign } from '../../catalogue/fill.ts';
import { templateOf } from '../../catalogue/templates/index.ts';
import type { Design } from '../../design/schema/design.ts';
import { ToolError } from '../../errors.ts';
import type { InputProblem } from '../../tool/define.ts';

/** What a new conversation starts from: a design, or a template and the values of its fields. */
interface TemplateChoice {
  readonly design?: Design | undefined;
  readonly templateKey?: string | undefined;
  readonly templateFields?: FieldValues | undefined;
}

/** Input problems of a choice. An unknown template key is not one of them: {@link chosenDesign} throws 404 for it. */
export function choiceProblems({ design, templateKey, templateFields }: TemplateChoice): InputProblem[] {
  if (templateKey === undefined)
    return templateFields === undefined
      ? []
      : [{ path: ['templateFields'], message: 'Requires templateKey, whose fields it fills.' }];
  if (design !== undefined)
    return [{ path: ['templateKey'], message: 'Cannot be combined with design. Send one of them.' }];
  const template = templateOf(templateKey);
  if (template === undefined || templateFields === undefined) return [];
  return fieldProblems(template, templateFields).map(({ field, message }) => ({
    path: ['templateFields', field],
    message,
  }));
}

/**
 * The given design, or the filled template; undefined if neither was given.
 * @throws ToolError `not_found` if no template has the key.
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
