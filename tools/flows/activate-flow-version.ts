import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { ref } from '../../src/operation/reference.ts';
import { simpleAgentErrors } from '../../src/resources/agent-profiles/simple-agent.ts';
import { Version } from '../../src/resources/conversations/schema.ts';
import { greetingWarnings } from '../../src/resources/designs/greeting.ts';
import { Warnings } from '../../src/resources/designs/schema.ts';
import { activateFlow } from '../../src/resources/flows/activate-flow.ts';
import { flowLossInWords, readVersion } from '../../src/resources/flows/activation-loss.ts';
import { FlowVersion } from '../../src/resources/flows/schema.ts';
import { lockVersion } from '../../src/resources/flows/version.ts';
import { Answers } from '../../src/resources/versions/activation.ts';
import { warningsOfLive } from '../../src/resources/versions/rejection.ts';

export const activateFlowVersion = defineTool({
  name: 'activate_flow_version',
  title: 'Activate a flow version',
  description:
    'Makes a version the one that calls use, and the one before inactive. Activate an older version to roll back. Takes flowId and version, or versionId.',
  rest: {
    method: 'POST',
    path: '/v1/flow-versions/{versionId}/activate',
    omitsInputs: ['flowId', 'version'],
    omits: ['answers', 'warnings'],
  },
  input: v.strictObject({
    versionId: v.exactOptional(ref('flowVersion')),
    flowId: v.exactOptional(ref('flow')),
    version: v.exactOptional(Version),
  }),
  output: v.strictObject({ ...FlowVersion.entries, answers: Answers, warnings: Warnings }),
  access: 'publish',
  effect: { readOnly: false, destructive: true, idempotent: true },
  errors: {
    ...simpleAgentErrors,
    409: ['version_rejected'],
    422: ['flow_schema_invalid', 'simple_agent_invalid'],
  },
  mcp: {
    leavesOut: ['flowSchema'],
    warn: ({ flowSchema }) => greetingWarnings(flowSchema),
  },
  check: ({ versionId, flowId, version }) => {
    if (versionId === undefined)
      return Object.entries({ flowId, version }).flatMap(([name, given]) =>
        given === undefined ? [{ path: [name] as const, message: 'Is required without versionId.' }] : [],
      );
    return Object.entries({ flowId, version }).flatMap(([name, given]) =>
      given === undefined
        ? []
        : [{ path: [name] as const, message: 'Leave it out: versionId names the version.' }],
    );
  },
  async consequences({ stores }, { versionId, flowId = '', version = 'newest' }) {
    const next =
      versionId === undefined
        ? await readVersion(stores, flowId, version)
        : await stores.flowVersions.find(versionId);
    return next && flowLossInWords(stores, next.flowId, next.flowSchema, `version ${next.version}`);
  },
  async handler({ stores }, { versionId, flowId = '', version = 'newest' }) {
    const id = versionId ?? (await lockVersion(stores, flowId, version)).base.id;
    const activated = await activateFlow(stores, id);
    return { ...activated, ...(await warningsOfLive(stores, [{ kind: 'flow', id: activated.flowId }])) };
  },
});
