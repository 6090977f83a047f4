import * as v from 'valibot';
import { shortName } from '../../src/design/problem.ts';
import { defineTool } from '../../src/environment/define-tool.ts';
import { ref } from '../../src/operation/reference.ts';
import { Project } from '../../src/resources/projects/schema.ts';

const { status, channels } = Project.entries;

export const updateProject = defineTool({
  name: 'update_project',
  title: 'Update a project',
  description:
    'Changes a project; what is left out stays. status paused refuses web sessions and model calls, archived every write but this one and revoke_key.',
  rest: { method: 'PATCH', path: '/v1/projects/{projectId}' },
  input: v.strictObject({
    projectId: ref('project'),
    name: v.optional(
      v.pipe(
        v.string(),
        v.minLength(1),
        v.maxCodePoints(200),
        v.description('What people call the project.'),
      ),
    ),
    description: v.optional(
      v.pipe(
        v.nullable(v.pipe(v.string(), v.maxCodePoints(5000))),
        v.description('What the project is for; null clears it.'),
      ),
    ),
    status: v.optional(v.pipe(status, v.description('active lifts paused and archived.'))),
    channels: v.optional(
      v.pipe(channels, v.maxLength(2), v.description('Where callers reach it; the whole list.')),
    ),
    industry: v.optional(
      v.pipe(
        v.nullable(v.pipe(v.string(), v.maxCodePoints(200))),
        v.description('Line of business, such as dentistry; null clears it.'),
      ),
    ),
    requireDisclosure: v.optional(
      v.pipe(v.boolean(), v.description('True: no flow goes live unless its greeting discloses the AI.')),
    ),
    sessionRetentionDays: v.optional(
      v.pipe(
        v.number(),
        v.integer(),
        v.minValue(1),
        v.maxValue(365),
        v.description('Days that sessions are kept.'),
      ),
    ),
  }),
  output: v.strictObject({
    ...Project.entries,
    requireDisclosure: v.boolean(),
    sessionRetentionDays: v.number(),
  }),
  access: 'admin',
  effect: { readOnly: false, destructive: true, idempotent: true },
  special: { projectStatus: ['active', 'paused', 'archived'] },
  async consequences({ stores }, { status: wanted }) {
    if (wanted === undefined || wanted === 'active') return undefined;
    const project = await stores.projects.current();
    if (project.status === wanted) return undefined;
    const effect =
      wanted === 'paused'
        ? 'Web agents start no sessions and models answer no calls until status is active again.'
        : 'Besides that, every change is refused until status is active again.';
    return `Set the project ${shortName(project.name)} to ${wanted}? ${effect}`;
  },
  handler: ({ stores }, { projectId: _, ...change }) => stores.projects.update(change),
});
