import type { Design } from '../../design/schema/design.ts';
import { type Issue, invalidRequest, mostProblems, ToolError } from '../../errors.ts';
import { type Coverage, coverageOf, placeName } from '../../runtime/coverage.ts';
import type { SimulationRun } from '../../runtime/simulate.ts';
import type { PlayedScenario } from '../../store/scenarios.ts';
import type { ToolContext } from '../../tool/context.ts';
import { personaOf, playedCalls } from '../simulations/play.ts';
import { preparedSimulation } from '../simulations/prepare.ts';
import type { ScenarioContent } from './schema.ts';

/** A scenario, as far as it is played. */
export interface Playable {
  readonly name: string;
  readonly content: ScenarioContent;
}

/** What a scenario did. */
export interface ScenarioOutcome {
  readonly name: string;
  readonly holds: boolean;
  readonly ended: string | null;
  /** The expectations that did not hold, with what the call did instead. */
  readonly failed: { found: string; [member: string]: unknown }[];
  /** undefined if the scenario names what the design does not have. */
  readonly run: SimulationRun | undefined;
  /** What it names and the design does not have. */
  readonly issues: readonly Issue[];
  readonly usesModel: boolean;
}

/** Scenarios that are played at once: with a model, each waits for it. */
const atOnce = 5;

/**
 * Plays scenarios on a design: with a model only what they leave open, and only if one is configured. A scenario that names
 * what the design does not have fails, with the reason.
 */
export async function playScenarios(
  context: ToolContext,
  design: Design,
  scenarios: readonly Playable[],
): Promise<ScenarioOutcome[]> {
  const outcomes: ScenarioOutcome[] = [];
  for (let start = 0; start < scenarios.length; start += atOnce) {
    context.signal.throwIfAborted();
    const batch = scenarios.slice(start, start + atOnce).map((one) => playScenario(context, design, one));
    outcomes.push(...(await Promise.all(batch)));
  }
  return outcomes;
}

async function playScenario(
  context: ToolContext,
  design: Design,
  { name, content }: Playable,
): Promise<ScenarioOutcome> {
  const { caller, expect } = content;
  try {
    const simulation = preparedSimulation(design, content);
    const played = await playedCalls(context, design, simulation, { persona: personaOf(caller), expect });
    const { run, expectations } = played.shown;
    // `holds` is false for all of them.
    const failed = expectations.flatMap(({ holds, ...told }) => (holds ? [] : [told]));
    return {
      name,
      holds: failed.length === 0,
      ended: run.ended?.reason ?? null,
      failed,
      run,
      issues: [],
      usesModel: played.model.calls > 0,
    };
  } catch (thrown) {
    const issues = issuesOf(thrown);
    const failed = issues.map(({ path, message }) => ({ found: `${path}: ${message}` }));
    return { name, holds: false, ended: null, failed, run: undefined, issues, usesModel: false };
  }
}

/** The issues of an `invalid_request`; throws every other error. */
function issuesOf(thrown: unknown): readonly Issue[] {
  if (!(thrown instanceof ToolError) || thrown.code !== 'invalid_request') throw thrown;
  return thrown.details?.['issues'] as readonly Issue[];
}

/** The places that a scenario passed, each once. */
export function touchedIn({ run }: ScenarioOutcome): string[] {
  return [...new Set(run?.path.map(placeName))];
}

/** What scenarios have seen of a design together. */
export function coverageOfAll(design: Design, outcomes: readonly ScenarioOutcome[]): Coverage {
  return coverageOf(design, ...outcomes.map(({ run }) => run?.path ?? []));
}

/** The outcome of a stored scenario, as it is kept. */
export function resultOf(
  { id, updatedAt }: Pick<PlayedScenario, 'id' | 'updatedAt'>,
  outcome: ScenarioOutcome,
): PlayedScenario {
  const { holds, failed, usesModel } = outcome;
  return { id, updatedAt, holds, failed, model: usesModel ? usedModel : null, touches: touchedIn(outcome) };
}

/** The model of simulations: that which the operator puts behind this name. */
const usedModel = 'auto';

/** The outcomes of scenarios as a response lists them, those that failed first. */
export function listed<Outcome extends { readonly holds: boolean }>(outcomes: readonly Outcome[]): Outcome[] {
  return outcomes.toSorted((one, other) => Number(one.holds) - Number(other.holds));
}

/**
 * Refuses scenarios that name what the design does not have.
 * @param hint says where to find the ids of the design.
 * @throws ToolError `invalid_request` with each problem at its place in the request
 */
export function refuseUnplayable(outcomes: readonly ScenarioOutcome[], hint: string): void {
  const [first, ...more] = outcomes
    .flatMap(({ issues }, index) =>
      issues.map((issue) => ({ ...issue, path: `/scenarios/${index}${issue.path}` })),
    )
    .slice(0, mostProblems);
  if (first) throw invalidRequest([first, ...more], { hint });
}

/** The scenario with everything that was understood in its run, so that it needs neither a model nor the rule. */
export function recorded(content: ScenarioContent, run: SimulationRun | undefined): ScenarioContent {
  const { script } = content.caller;
  // A caller whom a model plays says something else each time.
  if (script === undefined || run === undefined) return content;
  const [opening = [], ...turns] = run.understood.map((meanings) => meanings.map((one) => ({ ...one })));
  const fixed = script.map((turn, index) => {
    const text = typeof turn === 'string' ? turn : turn.text;
    const meanings = turns[index] ?? [];
    const [only] = meanings;
    if (text === undefined || only === undefined) return turn;
    return { text, understood: meanings.length === 1 ? only : meanings };
  });
  return { ...content, caller: { script: fixed, ...(opening.length > 0 && { opening }) } };
}
