import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { Project } from '../../src/resources/projects/schema.ts';

export const listProjects = defineTool({
  name: 'list_projects',
  title: 'List projects',
  description: 'Lists the project of the key in use, with its plan and status.',
  rest: { method: 'GET', path: '/v1/projects' },
  input: v.strictObject({}),
  output: v.strictObject({ projects: v.array(Project) }),
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  async handler({ stores }) {
    return { projects: [await stores.projects.current()] };
  },
});
