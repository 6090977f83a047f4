import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { ref } from '../../src/operation/reference.ts';
import { versionChoice } from '../../src/resources/conversations/schema.ts';
import {
  RestoredVersions,
  restorationErrors,
  restorationInWords,
  restore,
} from '../../src/resources/version-control/restoration.ts';
import { Activate, activateAccess } from '../../src/resources/versions/activation.ts';

export const restoreFlowVersion = defineTool({
  name: 'restore_flow_version',
  title: 'Restore a flow version',
  description:
    'Stores an old version of a flow again as the newest one, a draft unless activate is true. Over MCP, restore_version with flowId does this.',
  rest: { method: 'POST', path: '/v1/flows/{flowId}/versions/{version}/restore', status: 201 },
  input: v.strictObject({
    flowId: ref('flow'),
    version: versionChoice('The version to restore.'),
    activate: Activate,
  }),
  output: RestoredVersions,
  access: 'draft',
  effect: { readOnly: false, destructive: true, idempotent: false, transaction: 'own' },
  inputAccess: { activate: activateAccess },
  errors: restorationErrors,
  consequences: (context, { version, ...rest }) => restorationInWords(context, { ...rest, chosen: version }),
  handler: (context, { version, ...rest }) => restore(context, { ...rest, chosen: version }),
});
