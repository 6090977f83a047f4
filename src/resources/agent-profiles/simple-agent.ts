import type { ToolErrors } from '../../operation/define.ts';
import { isJsonObject } from '../../operation/json.ts';
import { callText, isDatabaseUnable, jsonPointer, ToolError } from '../../platform/errors.ts';
import type { Stores } from '../../store/stores.ts';
import { type ListedSkill, skillProblems } from '../catalogue/skill-settings.ts';
import type { SpokenFlow } from './store.ts';

const maximumIssues = 100;

/** The errors of `requireSimpleAgent`. */
export const simpleAgentErrors = {
  422: ['simple_agent_invalid'],
  503: ['agent_config_unavailable'],
} as const satisfies ToolErrors;

/**
 * Holds an agent profile to what a project of mode `simple` allows (decisions#agent-profiles): at most one flow, of type
 * simple, whose active version enables no skill that the plan locks and gives known skills valid settings. Call it in
 * the transaction of a change, after the change, so that it sees the result.
 * @throws ToolError `simple_agent_invalid`; `agent_config_unavailable` if the database cannot read the flow's
 * configuration now. Both undo the change.
 */
export async function requireSimpleAgent(stores: Stores, agentProfileId: string): Promise<void> {
  const { mode, plan } = await stores.projects.current();
  if (mode !== 'simple') return;
  const [flow, ...more] = await spokenBy(stores, agentProfileId);
  if (!flow) return;
  if (more.length > 0 || flow.type === 'graph')
    throw new ToolError(
      'simple_agent_invalid',
      'An agent of a simple project speaks at most one flow, of type simple.',
    );
  const problems = skillProblems(skillsIn(flow.configuration), plan);
  const [issue, ...others] = problems
    .slice(0, maximumIssues)
    .map(({ path, message }) => ({ path: jsonPointer(['skills', ...path]), message }));
  if (!issue) return;
  const and = others.length > 0 ? ` (and ${problems.length - 1} more)` : '';
  throw new ToolError(
    'simple_agent_invalid',
    `The agent cannot speak the flow ${flow.id}: ${issue.path}: ${issue.message}${and}`,
    {
      details: { issues: [issue, ...others] },
      hint: `details.issues point into the flowSchema. Correct it with ${callText('edit_flow', { flowId: flow.id, version: 'newest' })}, and activate that version before an agent speaks the flow.`,
    },
  );
}

async function spokenBy(stores: Stores, agentProfileId: string): Promise<SpokenFlow[]> {
  try {
    return await stores.agentProfiles.spoken(agentProfileId, 2);
  } catch (error) {
    if (!isDatabaseUnable(error)) throw error;
    throw new ToolError('agent_config_unavailable', 'The configuration of its flow cannot be read now.', {
      cause: error,
      retryAfter: 1,
    });
  }
}

/** Operations check configurations before they store them, but an imported one may be anything. */
function skillsIn(configuration: unknown): ListedSkill[] {
  const listed = isJsonObject(configuration) ? configuration['skills'] : undefined;
  return Array.isArray(listed) ? listed.filter(isListedSkill) : [];
}

function isListedSkill(skill: unknown): skill is ListedSkill {
  if (!isJsonObject(skill) || typeof skill['key'] !== 'string') return false;
  return skill['settings'] === undefined || isJsonObject(skill['settings']);
}
