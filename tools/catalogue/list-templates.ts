import * as v from 'valibot';
import { availabilities, skillsOf } from '../../src/catalogue/skills.ts';
import { fieldKinds } from '../../src/catalogue/template.ts';
import { templates } from '../../src/catalogue/templates/index.ts';
import type { Project } from '../../src/store/projects.ts';
import { defineTool } from '../../src/tool/define.ts';

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

const entriesFor = (project: Pick<Project, 'mode' | 'plan'>) =>
  templates.map(({ key, name, description, icon, fields, design }) => ({
    key,
    name,
    description,
    icon,
    skills: skillsOf(design, project),
    fields: fields.map(({ sample: _, ...field }) => field),
  }));

export const listTemplates = defineTool({
  name: 'list_templates',
  title: 'List templates',
  description:
    'Lists the templates for new conversations, with the fields to fill in. Then call create_conversation with templateKey and templateFields.',
  rest: { method: 'GET', path: '/v1/catalogue/templates' },
  input: v.strictObject({}),
  output: v.strictObject({ templates: v.array(TemplateEntry) }),
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  async handler({ stores }) {
    return { templates: entriesFor(await stores.projects.current()) };
  },
});
