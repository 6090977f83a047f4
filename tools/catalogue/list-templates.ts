import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { availabilities, skillsOf } from '../../src/resources/catalogue/skills.ts';
import { fieldKinds, type Template } from '../../src/resources/catalogue/template.ts';
import { knownTemplate, TemplateKey } from '../../src/resources/catalogue/template-choice.ts';
import { templates } from '../../src/resources/catalogue/templates/index.ts';
import type { Project } from '../../src/resources/projects/store.ts';

/** An entry of the template catalogue (`service-api#template`). */
const TemplateEntry = v.strictObject({
  key: v.string(),
  name: v.string(),
  description: v.string(),
  icon: v.string(),
  skills: v.array(v.strictObject({ key: v.string(), availability: v.picklist(availabilities) })),
  fields: v.array(
    v.strictObject({
      key: v.string(),
      label: v.string(),
      kind: v.picklist(fieldKinds),
      required: v.pipe(
        v.boolean(),
        v.description(
          'True: fill it before real calls. A missing field keeps its sample, which is for trials only.',
        ),
      ),
    }),
  ),
});

type Entry = v.InferOutput<typeof TemplateEntry>;

const entryFor = (
  { key, name, description, icon, fields, design }: Template,
  project: Pick<Project, 'mode' | 'plan'>,
): Entry => ({
  key,
  name,
  description,
  icon,
  skills: skillsOf(design, project),
  fields: fields.map(({ sample: _, ...field }) => field),
});

export const listTemplates = defineTool({
  name: 'list_templates',
  title: 'List templates',
  description: 'Lists the templates for create_conversation, with the fields that each requires and takes.',
  rest: { method: 'GET', path: '/v1/catalogue/templates' },
  input: v.strictObject({
    templateKey: v.exactOptional(v.pipe(TemplateKey, v.description('Shows one, with all its fields.'))),
  }),
  output: v.strictObject({ templates: v.array(TemplateEntry) }),
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  errors: { 404: ['not_found'] },
  mcp: {
    outputSchema: false,
    brief: ({ templates: entries }, { templateKey }) => ({
      templates: templateKey === undefined ? (entries as Entry[]).map(briefly) : entries,
    }),
  },
  async handler({ stores }, { templateKey }) {
    const chosen = templateKey === undefined ? templates : [knownTemplate(templateKey)];
    const project = await stores.projects.current();
    return { templates: chosen.map((template) => entryFor(template, project)) };
  },
});

function briefly({ key, name, description, fields }: Entry) {
  const keysOf = (isRequired: boolean) =>
    fields.filter(({ required }) => required === isRequired).map((field) => field.key);
  return { key, name, description, required: keysOf(true), optional: keysOf(false) };
}
