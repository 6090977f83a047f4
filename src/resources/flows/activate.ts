import type { FlowVersion } from '../../store/flow-versions.ts';
import type { Stores } from '../../store/stores.ts';
import { found } from '../../tool/found.ts';
import { answersOf } from '../activation.ts';
import { holdToSimpleAgent } from '../agent-profiles/simple-agent.ts';
import { refuseRejected } from '../rejection.ts';
import { holdToDisclosure } from './greeting.ts';

/**
 * Makes a version of a flow the one that calls use, in the transaction of a change.
 * @returns the version, and where callers meet it
 * @throws ToolError `not_found`; `flow_schema_invalid` or `simple_agent_invalid` if it must not go live; `version_rejected`
 */
export async function activateFlow(
  stores: Stores,
  versionId: string,
): Promise<FlowVersion & { readonly answers: string[] }> {
  const activated = await stores.flowVersions.activate(versionId);
  const { version, agentProfileId } = found(activated, 'flowVersion', versionId);
  await holdToDisclosure(stores, version.flowSchema);
  if (agentProfileId !== null) await holdToSimpleAgent(stores, agentProfileId);
  const flow = { kind: 'flow', id: version.flowId } as const;
  await refuseRejected(stores, flow, { version: version.version, document: version.flowSchema });
  return { ...version, answers: await answersOf(stores, flow) };
}
