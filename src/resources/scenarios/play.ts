import { addSeen, type Coverage, coverageBy, placeName } from '../../calls/coverage.ts';
import type { SimulationRun } from '../../calls/simulate.ts';
import type { Design } from '../../design/schema/design.ts';
import type { ToolContext } from '../../environment/context.ts';
import { type Issue, invalidRequest, mostProblems, ToolError } from '../../platform/errors.ts';
import type { ProjectTime } from '../project-time/opening-hours.ts';
import { longestPlay, personaOf, playedCalls } from '../simulations/play.ts';
import { preparedSimulation } from '../simulations/prepare.ts';
import type { ScenarioContent } from './schema.ts';
import type { PlayedScenario } from './store.ts';

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
  /** False if the time of the request was over first. */
  readonly isPlayed: boolean;
  /** The places that it passed, each once. */
  readonly touches: readonly string[];
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
 * what the design does not have fails, with the reason. After `longestPlay` those that are left are not played.
 */
export async function playScenarios(
  context: ToolContext,
  design: Design,
  scenarios: readonly Playable[],
): Promise<{ outcomes: ScenarioOutcome[]; coverage: Coverage }> {
  const outcomes: ScenarioOutcome[] = [];
  const seen = new Set<string>();
  const deadline = AbortSignal.timeout(longestPlay * 1_000);
  const time = await context.stores.projects.time();
  for (let start = 0; start < scenarios.length; start += atOnce) {
    context.signal.throwIfAborted();
    const batch = scenarios
      .slice(start, start + atOnce)
      .map(async (one) =>
        deadline.aborted ? notPlayed(one) : playScenario({ context, design, time, deadline, seen }, one),
      );
    outcomes.push(...(await Promise.all(batch)));
  }
  return { outcomes, coverage: coverageBy(design, seen) };
}

const unknown = { ended: null, touches: [], run: undefined, issues: [], usesModel: false } as const;

function notPlayed({ name }: Playable): ScenarioOutcome {
  return {
    ...unknown,
    name,
    holds: false,
    failed: [{ found: `not played within ${longestPlay} s` }],
    isPlayed: false,
  };
}

/** What scenarios that are played together share. */
interface Play {
  readonly context: ToolContext;
  readonly design: Design;
  /** Read once for all of them. */
  readonly time: ProjectTime;
  readonly deadline: AbortSignal;
  readonly seen: Set<string>;
}

async function playScenario(
  { context, design, time, deadline, seen }: Play,
  scenario: Playable,
): Promise<ScenarioOutcome> {
  const { name, content } = scenario;
  const { caller, expect } = content;
  try {
    await context.services.turn(context.caller);
    const simulation = preparedSimulation(design, content, time);
    const played = await playedCalls(context, design, simulation, {
      persona: personaOf(caller),
      expect,
      deadline,
    });
    if (!played.isComplete) return notPlayed(scenario);
    const { run, expectations } = played.shown;
    addSeen(seen, run.path);
    // `holds` is false for all of them.
    const failed = expectations.flatMap(({ holds, ...told }) => (holds ? [] : [told]));
    return {
      name,
      holds: failed.length === 0,
      ended: run.ended?.reason ?? null,
      failed,
      isPlayed: true,
      touches: [...new Set(run.path.map(placeName))],
      run,
      issues: [],
      usesModel: played.model.calls > 0,
    };
  } catch (thrown) {
    const issues = issuesOf(thrown);
    const failed = issues.map(({ path, message }) => ({ found: `${path}: ${message}` }));
    return { ...unknown, name, holds: false, failed, isPlayed: true, issues };
  }
}

/** The issues of an `invalid_request`; throws every other error. */
function issuesOf(thrown: unknown): readonly Issue[] {
  if (!(thrown instanceof ToolError) || thrown.code !== 'invalid_request') throw thrown;
  return thrown.details?.['issues'] as readonly Issue[];
}

/** The outcome of a stored scenario, as it is kept; undefined if it was not played. */
export function resultOf(
  { id, updatedAt }: Pick<PlayedScenario, 'id' | 'updatedAt'>,
  { holds, failed, usesModel, touches, isPlayed }: ScenarioOutcome,
): PlayedScenario | undefined {
  return isPlayed
    ? { id, updatedAt, holds, failed, model: usesModel ? usedModel : null, touches }
    : undefined;
}

/** The model of simulations: that which the operator puts behind this name. */
const usedModel = 'auto';

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
