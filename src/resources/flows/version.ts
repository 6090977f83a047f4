import { found } from '../../operation/found.ts';
import { callText, ToolError } from '../../platform/errors.ts';
import type { Stores } from '../../store/stores.ts';
import type { VersionChoice } from '../conversations/schema.ts';
import type { FlowVersion, NumberedFlow } from './version-store.ts';

/** A flow that is locked, a version of it, and the newest. */
export interface LockedVersion {
  readonly flow: NumberedFlow;
  readonly base: FlowVersion;
  readonly newest: FlowVersion;
}

/**
 * Locks a flow, so that this transaction may write its next version, and reads one of its versions.
 * @throws ToolError `not_found`
 */
export async function lockVersion(
  stores: Stores,
  flowId: string,
  version: VersionChoice,
): Promise<LockedVersion> {
  const flow = found(await stores.flowVersions.lockNumberedFlow(flowId), 'flow', flowId);
  const { newestVersion, activeVersion } = flow;
  const number = version === 'newest' ? newestVersion : version === 'active' ? activeVersion : version;
  const [base, newest] = await Promise.all([
    stores.flowVersions.findNumber(flowId, number),
    number === newestVersion ? undefined : stores.flowVersions.findNumber(flowId, newestVersion),
  ]);
  if (!base) throw flowVersionNotFound(flowId, number);
  return { flow, base, newest: newest ?? base };
}

/** 404 for a version of a flow that does not exist. */
export function flowVersionNotFound(flowId: string, number: number): ToolError {
  return new ToolError('not_found', `The flow ${flowId} has no version ${number}.`, {
    hint: `${callText('list_flow_versions', { flowId })} shows the numbers.`,
  });
}
