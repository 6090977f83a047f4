import type { CallDriver } from '../../calls/call-driver.ts';
import {
  type CheckedExpectation,
  checkingExpectations,
  type Expectation,
  type PureExpectation,
} from '../../calls/expectations.ts';
import { callerPrompt, judgePrompt, type Persona } from '../../calls/prompts.ts';
import {
  type ScriptedTurn,
  SimulatedCall,
  type Simulation,
  type SimulationRun,
} from '../../calls/simulate.ts';
import type { Design } from '../../design/schema/design.ts';
import type { ToolContext } from '../../environment/context.ts';
import { ToolError } from '../../platform/errors.ts';
import type { PromptModel } from '../../services/models/prompted.ts';
import type { CallFacts, LiveEffects } from '../effects/live-effects.ts';
import { Pieces } from '../effects/pieces.ts';
import {
  type Ask,
  type Outside,
  type Perform,
  performNext,
  type Search,
  searching,
} from '../effects/settle.ts';
import type { Caller } from './schema.ts';

/** A caller whom a model plays. */
export interface PlayedCaller extends Persona {
  readonly maxTurns: number;
}

const usualTurns = 20;

/** The caller whom a model plays, if the input names one. */
export function personaOf(caller: Caller | undefined): PlayedCaller | undefined {
  const { persona, goal, maxTurns = usualTurns } = caller ?? {};
  return persona === undefined || goal === undefined ? undefined : { persona, goal, maxTurns };
}

/** How a call is played, how often, and what it has to do. */
export interface PlayOptions {
  /** Plays the caller instead of the script. */
  readonly persona?: PlayedCaller | undefined;
  readonly expect?: readonly Expectation[] | undefined;
  readonly repeat?: number | undefined;
  readonly seed?: number | undefined;
  /** How long the model thinks: the `reasoning` of the model proxy. */
  readonly reasoning?: string | undefined;
  /** Performs for real what has no mock. */
  readonly live?: LiveEffects | undefined;
  /** Ends the play; by default after `longestPlay`. */
  readonly deadline?: AbortSignal | undefined;
}

/** One played call with its verdicts. */
export interface PlayedCall {
  readonly run: SimulationRun;
  readonly expectations: readonly CheckedExpectation[];
}

/** Seconds for all runs of one request, because clients of MCP wait for a minute. */
export const longestPlay = 50;
/** Runs with a model that are played at once. */
const parallelRuns = 5;

/**
 * Plays a call up to `repeat` times, and checks it. `shown` is the first run that breaks an expectation, or else the first.
 * Without a model every run is the same, so that one is played. `isComplete` is false if the time was over first.
 * @throws ToolError 502 if a persona or a judge needs a model and none is configured
 */
export async function playedCalls(
  context: ToolContext,
  design: Design,
  simulation: Simulation,
  options: PlayOptions,
) {
  const { persona, expect = [], repeat = 1, live } = options;
  const { deadline = AbortSignal.timeout(longestPlay * 1_000) } = options;
  const { services, caller, signal } = context;
  if (!services.promptModel && (persona || expect.some((one) => 'judge' in one))) throw noModel();
  const model = { calls: 0, tokens: 0 };
  const either = AbortSignal.any([signal, deadline]);
  const ask = services.promptModel && asking(context, options, either, model);
  const search = searchingUnmocked(searching(context, either), simulation);
  const perform: Perform | undefined =
    live && ((effect, driver) => live.perform(effect, factsOf(driver), either));
  let isComplete = true;
  /** False if the time is over before the work is done. */
  const inTime = async (work: () => Promise<void>): Promise<boolean> => {
    try {
      await work();
      return true;
    } catch (error) {
      if (error !== deadline.reason) throw error;
      isComplete = false;
      return false;
    }
  };
  const playOne = async (index: number): Promise<PlayedCall> => {
    const pieces = new Pieces(async () => {
      await services.turn(caller);
      either.throwIfAborted();
    });
    const pause = () => pieces.pause();
    await services.turn(caller);
    const call = new SimulatedCall(design, simulation, { searches: true, requests: live !== undefined });
    const asked = ask?.(index);
    const isPlayed = await inTime(() =>
      persona && asked
        ? playPersona(call, persona, { pause, search, ask: asked, perform })
        : playScript(call, simulation.script, { pause, search, ask: asked, perform }),
    );
    if (!isPlayed) call.driver.note(`The simulation stopped after ${longestPlay} s.`);
    await services.turn(caller);
    const run = call.run();
    const expectations: CheckedExpectation[] = [];
    for (const expectation of expect)
      expectations.push(
        'judge' in expectation
          ? await judged(run, expectation.judge.criterion, asked, inTime)
          : await checked(run, expectation, pieces, inTime),
      );
    return { run, expectations };
  };
  const played = [await playOne(0)];
  while (model.calls > 0 && played.length < repeat && !deadline.aborted) {
    const size = Math.min(parallelRuns, repeat - played.length);
    const batch = Array.from({ length: size }, (_, index) => playOne(played.length + index));
    played.push(...(await Promise.all(batch)));
  }
  const holds = ({ expectations }: PlayedCall) => expectations.every((one) => one.holds);
  const deterministic = model.calls === 0 && !live;
  const [first] = played;
  const shown = played.find((one) => !holds(one)) ?? first;
  if (!shown) throw new TypeError('nothing was played');
  const held = played.filter(holds).length;
  return {
    shown,
    runs: deterministic ? { played: repeat, held: held * repeat } : { played: played.length, held },
    model,
    deterministic,
    isComplete,
  };
}

function noModel(): ToolError {
  const message = 'A persona and a judge need a model, and none is configured.';
  return new ToolError('internal_error', message, {
    status: 502,
    hint: `${message} Use a script and other expectations, or the operator of this server sets OPENAI_API_KEY or PARLEY_MODELS.`,
  });
}

/** Asks the model for each run, and counts what that takes. */
function asking(
  { services, caller, requestId }: ToolContext,
  { seed, reasoning }: PlayOptions,
  signal: AbortSignal,
  used: { calls: number; tokens: number },
): (run: number) => Ask {
  const promptModel = services.promptModel as PromptModel;
  const meter: Parameters<PromptModel>[1]['meter'] = (uses) => services.meter(caller, uses);
  return (run) => async (prompt) => {
    const ofRun = seed === undefined ? undefined : seed + run;
    const call = { signal, requestId, meter, tier: 'playground', reasoning, seed: ofRun } as const;
    const prompted = await promptModel(prompt, call);
    used.calls += prompted.calls;
    used.tokens += prompted.tokens;
    return prompted;
  };
}

/** Searches the knowledge bases that have no mock, and takes the mocks of the others. */
function searchingUnmocked(search: Search, { passages = {} }: Simulation): Search {
  const mocked = new Map(Object.entries(passages));
  return async (query, ids) =>
    new Map([
      ...mocked,
      ...(await search(
        query,
        ids.filter((id) => !mocked.has(id)),
      )),
    ]);
}

/** Goes on until the call listens or is over. */
async function settle(call: SimulatedCall, outside: Outside): Promise<void> {
  do call.performMocked();
  while (await performNext(call.driver, outside));
}

async function playScript(
  call: SimulatedCall,
  script: readonly ScriptedTurn[],
  outside: Outside,
): Promise<void> {
  await settle(call, outside);
  for (const turn of script) {
    if (call.driver.isDone) return;
    call.play(turn);
    await settle(call, outside);
  }
}

async function playPersona(
  call: SimulatedCall,
  persona: PlayedCaller,
  outside: Omit<Outside, 'ask'> & { readonly ask: Ask },
): Promise<void> {
  const { driver } = call;
  await settle(call, outside);
  for (let turns = 0; turns < persona.maxTurns && !driver.isDone; turns++) {
    const { result, failure } = await outside.ask(callerPrompt(persona, driver.transcript));
    if (result === undefined) {
      driver.note(`The caller could not be played: ${failure}.`);
      return;
    }
    if (result.text.trim() !== '') {
      call.play({ text: result.text });
      await settle(call, outside);
    }
    if (result.hangUp && !driver.isDone) {
      call.play({ hangUp: true });
      await settle(call, outside);
    }
  }
}

/** What a CRM is told about a call. */
function factsOf({ state, transcript }: CallDriver): CallFacts {
  const { callStartedAt, callerPhone, calledNumber, callSummary } = state.system;
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  return {
    startedAt: text(callStartedAt),
    durationSeconds: state.seconds,
    from: text(callerPhone) || undefined,
    to: text(calledNumber) || undefined,
    summary: text(callSummary),
    transcript: transcript.map((line) => `${line.who}: ${line.text}`).join('\n'),
  };
}

async function checked(
  run: SimulationRun,
  expectation: PureExpectation,
  pieces: Pieces,
  inTime: (work: () => Promise<void>) => Promise<boolean>,
): Promise<CheckedExpectation> {
  let verdict = { ...expectation, holds: false, found: `not checked within ${longestPlay} s` };
  await inTime(async () => {
    const [found] = await pieces.run(checkingExpectations(run, [expectation]));
    if (found) verdict = { ...verdict, ...found };
  });
  return verdict;
}

async function judged(
  { transcript }: SimulationRun,
  criterion: string,
  ask: Ask | undefined,
  inTime: (work: () => Promise<void>) => Promise<boolean>,
): Promise<CheckedExpectation> {
  const verdict = { judge: { criterion }, holds: false, found: `not judged within ${longestPlay} s` };
  await inTime(async () => {
    if (!ask) return;
    const { result, failure } = await ask(judgePrompt(criterion, transcript));
    if (result === undefined) verdict.found = `not judged: ${failure}`;
    else {
      const { holds, reason, turn } = result;
      const line = turn === null ? undefined : transcript[turn - 1];
      verdict.holds = holds;
      verdict.found = line ? `${reason} (${line.who}: “${line.text}”)` : reason;
    }
  });
  return verdict;
}
