import * as v from 'valibot';
import { shortName } from '../../src/design/problem.ts';
import { defineTool } from '../../src/environment/define-tool.ts';
import { ref } from '../../src/operation/reference.ts';
import {
  ClosedDates,
  OpeningHours,
  TimeZone,
  timeProblems,
} from '../../src/resources/project-time/opening-hours.ts';
import { Project, ProjectWithSettings } from '../../src/resources/projects/schema.ts';

const { status, channels } = Project.entries;

export const updateProject = defineTool({
  name: 'update_project',
  title: 'Update a project',
  description:
    'Changes what you send. paused refuses web sessions and model calls, archived every write but this one and revoke_key.',
  rest: { method: 'PATCH', path: '/v1/projects/{projectId}' },
  input: v.strictObject({
    projectId: ref('project'),
    name: v.optional(
      v.pipe(v.string(), v.minLength(1), v.maxCodePoints(200), v.description('What people call it.')),
    ),
    description: v.optional(
      v.pipe(v.nullable(v.pipe(v.string(), v.maxCodePoints(5000))), v.description('null clears it.')),
    ),
    status: v.optional(v.pipe(status, v.description('active lifts both.'))),
    channels: v.optional(v.pipe(channels, v.maxLength(2), v.description('The whole list.'))),
    industry: v.optional(
      v.pipe(v.nullable(v.pipe(v.string(), v.maxCodePoints(200))), v.description('null clears it.')),
    ),
    requireDisclosure: v.optional(
      v.pipe(v.boolean(), v.description('No flow goes live unless it discloses the AI.')),
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
    timeZone: v.optional(v.pipe(TimeZone, v.description('Like Europe/Berlin.'))),
    openingHours: v.optional(
      v.pipe(
        v.nullable(OpeningHours),
        v.description(
          'The whole week, in the time zone: {"monday": [{"from": "09:00", "to": "17:00"}]}. A day that is left out is closed; null: always open.',
        ),
      ),
    ),
    closedOn: v.optional(
      v.pipe(ClosedDates, v.description('Holidays: 2026-12-25, or 12-25 for each year; the whole list.')),
    ),
  }),
  output: ProjectWithSettings,
  check: timeProblems,
  access: 'admin',
  effect: { readOnly: false, destructive: true, idempotent: true },
  mcp: {
    inputs: {
      timeZone: { type: 'string', description: 'Such as Europe/Berlin.' },
      openingHours: {
        type: ['object', 'null'],
        description: '{monday: [{from: "09:00", to: "17:00"}]}; null: always open.',
      },
      closedOn: { type: 'array', description: '2026-12-25, yearly 12-25.' },
    },
  },
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
