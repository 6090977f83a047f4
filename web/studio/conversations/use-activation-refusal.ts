import { useOperation } from '../../api/use-operation.ts';
import type { Conversation } from '../../versions/conversation.ts';
import { whyNotLive } from '../../versions/rejection.ts';
import { useVersions } from '../../versions/use-versions.ts';
import { noEdit } from './checks-tab.tsx';

/** Why a version of a conversation cannot go live, in words; undefined if nothing is known that keeps it. */
export function useActivationRefusal(
  { id, activeVersion }: Conversation,
  version: number,
): string | undefined {
  const judged = useVersions(id).data?.versions.find(({ n }) => n === version);
  const validation = useOperation('validate_design', { id, version, merge: noEdit });
  const scenarios = useOperation('list_scenarios', { id, limit: 200 });
  const rejected = whyNotLive(version, judged);
  // A rollback to a version that was live must work, whatever it lacks.
  if (rejected !== undefined || (version < activeVersion && judged?.liveAt)) return rejected;
  if (validation.error && 'status' in validation.error && validation.error.status === 501)
    return validation.error.message;
  if (validation.data?.valid === false) return `Version ${version} has problems that callers would meet.`;
  if (!scenarios.data?.requireScenarios) return undefined;
  const unmet = scenarios.data.scenarios.filter(({ result }) => result?.version !== version || !result.holds);
  if (unmet.length === 0) return undefined;
  return `This conversation requires its scenarios: ${unmet.length} of ${scenarios.data.scenarios.length} have not passed on version ${version}.`;
}
