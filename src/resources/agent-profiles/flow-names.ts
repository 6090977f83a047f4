import type { Stores } from '../../store/stores.ts';
import type { AgentProfile } from './store.ts';

/** Adds to each profile the names of its flows, in the order of `flowIds`. Reads all names with one statement. */
export async function withFlowNames(
  stores: Stores,
  profiles: readonly AgentProfile[],
): Promise<(AgentProfile & { flowNames: string[] })[]> {
  const ids = [...new Set(profiles.flatMap(({ flowIds }) => flowIds))];
  const names = ids.length > 0 ? await stores.recordNames.ofIds('flow', ids) : new Map<string, string>();
  return profiles.map((profile) => ({
    ...profile,
    flowNames: profile.flowIds.map((id) => names.get(id) ?? ''),
  }));
}
