import { callText, ToolError } from '../../platform/errors.ts';
import type { Stores } from '../../store/stores.ts';
import type { UnmetScenario } from './store.ts';
import type { Trial } from './trial.ts';

/** Scenarios that an error lists. */
const mostListed = 20;
/** Characters of what a scenario found that an error shows. */
const longestFound = 200;

/**
 * Refuses to activate a version whose scenarios were not played or have failed, if the conversation requires them.
 * @param trial what they did in the same call, which counts for the version from now on
 * @throws ToolError `design_invalid` that names them, those that failed first
 */
export async function requireScenariosPassed(
  stores: Stores,
  conversationId: string,
  version: number,
  trial: Trial | undefined,
): Promise<void> {
  if (trial) await stores.scenarios.keepResults(version, trial.results);
  const unmet = await stores.scenarios.unmet(conversationId, version);
  if (unmet.length === 0) return;
  const issues = unmet
    .slice(0, mostListed)
    .map((one) => ({ stepId: null, message: inWords(one, version, trial) }));
  const [first] = issues;
  const others = unmet.length > 1 ? ` (and ${unmet.length - 1} more)` : '';
  throw new ToolError('design_invalid', `${first?.message}${others}`, {
    details: { issues },
    hint: `${callText('run_scenarios', { conversationId, version })} plays them and shows what fails.`,
  });
}

function inWords({ name, found }: UnmetScenario, version: number, trial: Trial | undefined): string {
  const scenario = `Scenario ${JSON.stringify(name)}`;
  if (found !== null)
    return `${scenario} failed on version ${version}: ${Array.from(found).slice(0, longestFound).join('')}`;
  const reason = trial && (trial.skipped.get(name) ?? 'it was changed while the call ran');
  return `${scenario} was not played on version ${version}${reason === undefined ? '' : `: ${reason}`}.`;
}
