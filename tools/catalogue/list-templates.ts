import * as v from 'valibot';
import { availabilities, skillsOf } from '../../src/catalogue/skills.ts';
import { fieldKinds } from '../../src/catalogue/template.ts';
import { templates } from '../../src/catalogue/templates/index.ts';
import type { Project } from '../../src/store/projects.ts';
import { defineTool } from '../../src/tool/define.ts';

/** Template catalogue entry, `service-api` part 2. */
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
          'True: fill it for real calls; left out, it keeps a sample that is good for trying out.',
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
    'Lists complete conversations to start from, and the fields that each takes. create_conversation makes one, with templateKey and templateFields.',
  rest: { method: 'GET', path: '/v1/catalogue/templates', from: {} },
  input: v.strictObject({}),
  output: v.strictObject({ templates: v.array(TemplateEntry) }),
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  async handler({ stores }) {
    return { templates: entriesFor(await stores.projects.current()) };
  },
});
