import { isDeepStrictEqual } from 'node:util';
import type { Design } from '../../design/schema/design.ts';
import type { ToolContext } from '../../environment/context.ts';
import { longestPlay, personaOf } from '../simulations/play.ts';
import { type Playable, playScenarios, resultOf } from './play.ts';
import type { ScenarioContent } from './schema.ts';
import type { PlayedScenario } from './store.ts';

/** What the scenarios that a conversation requires did on a design that is to go live. */
export interface Trial {
  readonly design: Design;
  readonly results: readonly PlayedScenario[];
  /** Why the others were not played, by name. */
  readonly skipped: ReadonlyMap<string, string>;
}

/**
 * Plays the scenarios of a conversation on a design that is to go live, if the conversation requires them. Without locks: a
 * result counts only if the scenario is still the same when it is kept.
 * @param version leaves out those that have passed on it
 */
export async function tryScenarios(
  context: ToolContext,
  conversationId: string,
  design: () => Promise<Design>,
  version?: number,
): Promise<Trial | undefined> {
  const { stores, services } = context;
  const unmet = version === undefined ? undefined : await unmetNames(context, conversationId, version);
  if (unmet ? unmet.size === 0 : !(await stores.conversations.requiresScenarios(conversationId)))
    return undefined;
  const [all, project, played] = await Promise.all([
    stores.scenarios.withContent(conversationId, undefined),
    stores.projects.current(),
    design(),
  ]);
  const skipped = new Map<string, string>();
  const scenarios = all.filter(({ name, content }) => {
    if (unmet?.has(name) === false) return false;
    const reason =
      project.status === 'active'
        ? !services.promptModel && needsModel(content as ScenarioContent) && 'no model is configured'
        : `the project is ${project.status}`;
    if (reason !== false) skipped.set(name, reason);
    return reason === false;
  });
  const { outcomes } = await playScenarios(context, played, scenarios.map(playable));
  const results = scenarios.flatMap((scenario, place) => {
    const outcome = outcomes[place];
    if (outcome && !outcome.isPlayed) skipped.set(scenario.name, `the ${longestPlay} s were over`);
    return outcome ? (resultOf(scenario, outcome) ?? []) : [];
  });
  return { design: played, results, skipped };
}

/** The trial if it was one of this design; else another version was stored while the scenarios were played. */
export function trialOf(trial: Trial | undefined, design: Design): Trial | undefined {
  return trial && isDeepStrictEqual(trial.design, design) ? trial : undefined;
}

async function unmetNames({ stores }: ToolContext, conversationId: string, version: number) {
  return new Set((await stores.scenarios.unmet(conversationId, version)).map(({ name }) => name));
}

function playable({ name, content }: { readonly name: string; readonly content: unknown }): Playable {
  return { name, content: content as ScenarioContent };
}

function needsModel({ caller, expect = [] }: ScenarioContent): boolean {
  return personaOf(caller) !== undefined || expect.some((one) => 'judge' in one);
}
