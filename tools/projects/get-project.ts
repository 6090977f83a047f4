import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { ref } from '../../src/operation/reference.ts';
import { ProjectWithSettings } from '../../src/resources/projects/schema.ts';

export const getProject = defineTool({
  name: 'get_project',
  title: 'Get a project',
  description: 'Reads a project with its settings.',
  rest: { method: 'GET', path: '/v1/projects/{projectId}' },
  input: v.strictObject({ projectId: ref('project') }),
  output: ProjectWithSettings,
  access: 'read',
  effect: { readOnly: true, destructive: false, idempotent: true },
  handler: ({ stores }) => stores.projects.settings(),
});
