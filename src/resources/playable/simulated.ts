import * as v from 'valibot';
import { idMap } from '../../design/schema/values.ts';
import type { OwnTransactionContext, ToolContext } from '../../environment/context.ts';
import type { InputProblem } from '../../operation/define.ts';
import type { DesignChoice } from '../designs/chosen-design.ts';
import { LiveEffects, secretUseOf } from '../effects/live-effects.ts';
import type { DesignHome, DesignOwner } from '../record/design-owner.ts';
import { personaOf, playedCalls } from '../simulations/play.ts';
import { type CallInput, idsHint, preparedSimulation } from '../simulations/prepare.ts';
import { reasoningOf } from '../simulations/reasoning.ts';
import { reportOf } from '../simulations/report.ts';
import {
  Caller,
  Channel,
  Expectations,
  Mocks,
  mostRepeats,
  Now,
  nowProblems,
  type SimulationReport,
  simulationProblems,
} from '../simulations/schema.ts';
import { longestState, openedState, signedState } from '../simulations/state.ts';
import { ownedDesign } from './owned-design.ts';

/** What a simulation takes besides the design: the call, and how it is played. */
export const simulationInputs = {
  caller: v.exactOptional(Caller),
  mocks: v.exactOptional(Mocks),
  variables: v.exactOptional(
    v.pipe(idMap(v.unknown()), v.description('Values at the start, system variables too.')),
  ),
  channel: v.exactOptional(v.pipe(Channel, v.description('phone (default), web, chat or another.'))),
  now: v.exactOptional(Now),
  expect: v.exactOptional(Expectations),
  repeat: v.exactOptional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(1),
      v.maxValue(mostRepeats),
      v.description('Plays it this often.'),
    ),
  ),
  seed: v.exactOptional(v.pipe(v.number(), v.safeInteger(), v.description('For the model.'))),
  state: v.exactOptional(v.pipe(v.string(), v.maxLength(longestState), v.description('Goes on from there.'))),
};

/** What a live simulation takes besides the design. */
export const liveSimulationInputs = {
  caller: Caller,
  mocks: v.exactOptional(Mocks),
  variables: v.exactOptional(
    v.pipe(idMap(v.unknown()), v.description('Values at the start, of system variables too.')),
  ),
  channel: v.exactOptional(v.pipe(Channel, v.description('Phone if left out.'))),
  now: v.exactOptional(Now),
  expect: v.exactOptional(Expectations),
};

interface PlayInput extends CallInput, DesignChoice {
  readonly repeat?: number | undefined;
  readonly seed?: number | undefined;
  readonly state?: string | undefined;
}

/** Problems of a simulation's inputs that their schemas cannot express. */
export function playProblems({ caller, expect, now, state, variables, channel }: PlayInput): InputProblem[] {
  return [
    ...(state === undefined ? [] : startProblems({ variables, channel, now })),
    ...simulationProblems({ caller, expect }),
    ...nowProblems({ now }),
  ];
}

/** Plays a call through the design of a conversation or flow, or through a new one, and stores nothing. */
export async function simulated(
  context: ToolContext,
  owner: DesignHome,
  { version: choice, design: sent, patch, merge, state, ...input }: PlayInput,
): Promise<SimulationReport> {
  const { caller, stores, services } = context;
  const [{ design, version }, time] = await Promise.all([
    ownedDesign(stores, owner, { version: choice, design: sent, patch, merge }),
    stores.projects.time(),
  ]);
  await services.turn(caller);
  const of = { owner, design };
  const from = state === undefined ? undefined : openedState(context, of, state);
  const simulation = { ...preparedSimulation(design, input, time, idsHint(owner, version)), from };
  const {
    shown,
    isComplete: _,
    ...played
  } = await playedCalls(context, design, simulation, {
    ...input,
    persona: personaOf(input.caller),
    reasoning: services.promptModel && (await reasoningOf(stores, owner)),
  });
  const { run } = shown;
  return {
    version,
    ...reportOf(shown),
    ...played,
    state: run.state.waiting?.for === 'caller' ? signedState(context, of, run.state) : null,
  };
}

/** Plays a call, and performs for real what has no mock. */
export async function simulatedLive(
  context: OwnTransactionContext,
  owner: DesignOwner,
  { version: choice, ...input }: CallInput & Pick<DesignChoice, 'version'>,
): Promise<SimulationReport> {
  const { caller, stores, services } = context;
  const [{ design, version }, time] = await Promise.all([
    ownedDesign(stores, owner, { version: choice }),
    stores.projects.time(),
  ]);
  const simulation = preparedSimulation(design, input, time, idsHint(owner, version));
  const isDraft = version === null || !(await isLive(context, owner, version));
  const live = new LiveEffects(context, design, secretUseOf(caller, isDraft));
  const {
    shown,
    isComplete: _,
    ...played
  } = await playedCalls(context, design, simulation, {
    ...input,
    persona: personaOf(input.caller),
    reasoning: services.promptModel && (await reasoningOf(stores, owner)),
    live,
  });
  // The transaction leaves the audit row, and the response for a repeated Idempotency-Key.
  const { notes, ...report } = reportOf(shown);
  const all = [...notes, ...live.notes];
  return context.write(async () => ({ version, ...report, notes: all, ...played, state: null }));
}

/** Whoever makes a version of a flow active has the access `publish`. */
async function isLive({ stores }: ToolContext, owner: DesignOwner, version: number): Promise<boolean> {
  if ('conversationId' in owner) return stores.conversations.isLive(owner.conversationId, version);
  return (await stores.flowVersions.active(owner.flowId, 0))?.activeVersion === version;
}

/** What belongs to the start of a call cannot change in the middle of it. */
function startProblems(start: Readonly<Record<string, unknown>>): InputProblem[] {
  return Object.entries(start)
    .filter(([, value]) => value !== undefined)
    .map(([name]) => ({ path: [name], message: 'Cannot be combined with state.' }));
}
