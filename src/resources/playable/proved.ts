import type { Property } from '../../design/proof/properties.ts';
import type { ToolContext } from '../../environment/context.ts';
import { greetingWarnings } from '../designs/greeting.ts';
import type { ProvedVersions } from '../designs/proof-result.ts';
import {
  type ProvenVersions,
  proveVersions,
  type ReadVersion,
  readVersions,
  versionsIn,
} from '../designs/version-proof.ts';
import type { DesignOwner } from '../record/design-owner.ts';
import { type CompiledVersion, meaninglessFlow, readCompiled } from './compiled-version.ts';

/**
 * Proves versions of a conversation, or of a flow with the designs that they become.
 * @throws ToolError `not_found`, 501 like `loadDesign`, and `invalid_request` for a name that no version has
 */
export async function proved(
  context: ToolContext,
  owner: DesignOwner,
  version: ProvenVersions,
  properties: readonly Property[],
): Promise<ProvedVersions> {
  const versions =
    'flowId' in owner
      ? await readFlowVersions(context, owner.flowId, version)
      : await readVersions(context, owner.conversationId, version);
  return proveVersions(context, owner, versions, properties);
}

async function readFlowVersions(
  { caller, stores, services }: ToolContext,
  flowId: string,
  version: ProvenVersions,
): Promise<ReadVersion[]> {
  const read = new Map<number, ReadVersion>();
  for (const choice of versionsIn(version)) {
    const compiled = await services.readInTurn(caller, () => readCompiled(stores, flowId, choice));
    read.set(compiled.version, asRead(compiled));
  }
  return [...read.values()];
}

function asRead({ version, tag, isActive, design, flowSchema }: CompiledVersion): ReadVersion {
  const which = { version, tag, isActive, design };
  if (!design) return { ...which, note: meaninglessFlow };
  return greetingWarnings(flowSchema).length > 0
    ? { ...which, note: 'Parley adds the sentence that discloses the AI: the flow has none.' }
    : which;
}
