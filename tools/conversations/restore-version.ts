import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { ref } from '../../src/operation/reference.ts';
import { versionChoice } from '../../src/resources/conversations/schema.ts';
import { exactlyOneOf } from '../../src/resources/designs/edit.ts';
import { Moment, momentOf } from '../../src/resources/record/timestamp.ts';
import {
  RestoredVersions,
  restorationErrors,
  restorationInWords,
  restore,
} from '../../src/resources/version-control/restoration.ts';
import { Activate, activateAccess } from '../../src/resources/versions/activation.ts';
import { restoredPage } from '../../src/resources/versions/draft-link.ts';
import { restoreFlowVersion } from './restore-flow-version.ts';

export const restoreVersion = defineTool({
  name: 'restore_version',
  title: 'Restore a version',
  description:
    'Stores an old version of a conversation or flow again as the newest, a draft unless activate is true.',
  rest: {
    method: 'POST',
    path: '/v1/conversations/{id}/versions/{n}/restore',
    from: { conversationId: 'path:id', version: 'path:n' },
    status: 201,
    omitsInputs: ['flowId', 'before'],
  },
  input: v.strictObject({
    conversationId: v.exactOptional(ref('conversation')),
    flowId: v.exactOptional(ref('flow')),
    version: v.exactOptional(versionChoice('The version to restore.')),
    before: v.exactOptional(v.pipe(Moment, v.description('Instead of version: what was the newest then.'))),
    activate: Activate,
  }),
  output: RestoredVersions,
  access: 'draft',
  effect: { readOnly: false, destructive: true, idempotent: false, transaction: 'own' },
  inputAccess: { activate: activateAccess },
  errors: restorationErrors,
  mcp: { covers: [restoreFlowVersion], openWorld: true, link: restoredPage },
  check: ({ conversationId, flowId, version, before }) => [
    ...(conversationId === undefined && flowId === undefined
      ? [{ path: ['conversationId'] as const, message: 'One of conversationId, flowId is required.' }]
      : []),
    ...exactlyOneOf(['version', 'before'], { version, before }),
    ...(before !== undefined && momentOf(before) === undefined
      ? [{ path: ['before'] as const, message: 'Expected a time of the years 1970 to 9999.' }]
      : []),
  ],
  consequences: (context, { version, before, ...rest }) =>
    restorationInWords(context, { ...rest, chosen: version ?? timeOf(before) }),
  handler: (context, { version, before, ...rest }) =>
    restore(context, { ...rest, chosen: version ?? timeOf(before) }),
});

function timeOf(before = ''): Date {
  return new Date(Number(momentOf(before)));
}
