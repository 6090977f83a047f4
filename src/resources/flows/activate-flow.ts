import { found } from '../../operation/found.ts';
import type { Stores } from '../../store/stores.ts';
import { requireSimpleAgent } from '../agent-profiles/simple-agent.ts';
import { requireDisclosedGreeting } from '../designs/greeting.ts';
import { answersOf } from '../versions/activation.ts';
import { refuseRejected } from '../versions/rejection.ts';
import type { FlowVersion } from './version-store.ts';

/**
 * Makes a version of a flow the one that calls use, in the transaction of a change.
 * @returns the version, and where callers meet it
 * @throws ToolError `not_found`; `flow_schema_invalid` or `simple_agent_invalid` if it must not go live; `version_rejected`
 */
export async function activateFlow(
  stores: Stores,
  versionId: string,
): Promise<FlowVersion & { readonly answers: string[] }> {
  // The act comes before its gates: it locks the flow and returns the version in one round trip, and the gate of the agent
  // profile reads what is live after it. A gate that refuses rolls it back with the transaction.
  const activated = await stores.flowVersions.activate(versionId);
  const { version, agentProfileId } = found(activated, 'flowVersion', versionId);
  await requireDisclosedGreeting(stores, version.flowSchema);
  if (agentProfileId !== null) await requireSimpleAgent(stores, agentProfileId);
  const flow = { kind: 'flow', id: version.flowId } as const;
  await refuseRejected(stores, flow, { version: version.version, document: version.flowSchema });
  return { ...version, answers: await answersOf(stores, flow) };
}
