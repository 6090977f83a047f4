import { callText, ToolError } from '../../platform/errors.ts';
import type { Stores } from '../../store/stores.ts';

/** Names that an error lists. */
const mostListed = 20;

/**
 * Refuses to activate a version whose scenarios were not played or have failed, if the conversation requires them.
 * @throws ToolError `design_invalid` that names them
 */
export async function requireScenariosPassed(
  stores: Stores,
  conversationId: string,
  version: number,
): Promise<void> {
  const names = await stores.scenarios.unmet(conversationId, version);
  if (names.length === 0) return;
  const issues = names.slice(0, mostListed).map((name) => ({
    stepId: null,
    message: `Scenario ${JSON.stringify(name)} has not passed on version ${version}.`,
  }));
  const [first] = issues;
  const others = names.length > 1 ? ` (and ${names.length - 1} more)` : '';
  throw new ToolError('design_invalid', `${first?.message}${others}`, {
    details: { issues },
    hint: `${callText('run_scenarios', { conversationId, version })} plays them and shows what fails.`,
  });
}
