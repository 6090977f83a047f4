import * as v from 'valibot';
import { premature } from '../../calls/call.ts';
import { decidedAt, type Expectation, expectationInWords } from '../../calls/expectations.ts';
import type { SimulationRun } from '../../calls/simulate.ts';
import type { DrawnCall, DrawnCalls } from '../../design/diagram/calls.ts';
import type { Design } from '../../design/schema/design.ts';
import type { ToolContext } from '../../environment/context.ts';
import type { InputProblem } from '../../operation/define.ts';
import { invalidRequest } from '../../platform/errors.ts';
import type { DesignOwner } from '../record/design-owner.ts';
import { personaOf } from '../simulations/play.ts';
import { Caller, nowProblems, simulationProblems } from '../simulations/schema.ts';
import { playScenarios, type ScenarioOutcome } from './play.ts';
import { ScenarioContent, Tag } from './schema.ts';

const optional = v.exactOptional;

/** What a drawing shows of calls: one call, or all saved scenarios, or those with a tag. */
export const DrawnRun = v.strictObject({
  ...ScenarioContent.entries,
  caller: optional(Caller),
  scenarios: optional(v.union([v.literal(true), Tag], 'Expected true or a tag.')),
});
type DrawnRun = v.InferOutput<typeof DrawnRun>;

/** Problems of a run that its schema cannot express. */
export function runProblems({ scenarios, ...content }: DrawnRun): InputProblem[] {
  const isAlone = Object.keys(content).length === 0;
  const problems: InputProblem[] = [
    ...(personaOf(content.caller)
      ? [{ path: ['caller', 'persona'] as const, message: 'Needs a model, which a drawing does not use.' }]
      : []),
    ...(content.expect ?? []).flatMap((one, index) =>
      'judge' in one
        ? [{ path: ['expect', index] as const, message: 'Needs a model, which a drawing does not use.' }]
        : [],
    ),
    ...simulationProblems(content),
    ...nowProblems(content),
  ];
  const isOneOfBoth = (scenarios === undefined) !== (content.caller === undefined);
  return [
    ...(isOneOfBoth && (scenarios === undefined || isAlone)
      ? []
      : [{ path: ['run'] as const, message: 'Expected either caller, or scenarios alone.' }]),
    ...problems.map(({ path, message }) => ({ path: ['run', ...path] as const, message })),
  ];
}

/**
 * Plays what a drawing shows, without a model: a rule reads each turn, and a saved scenario that needs a model is left out.
 * @throws ToolError `invalid_request` with everything that the call names and the design does not have
 */
export async function drawnCalls(
  { services, ...context }: ToolContext,
  owner: DesignOwner,
  design: Design,
  { scenarios, caller = {}, ...content }: DrawnRun,
): Promise<DrawnCalls> {
  const byRule = { ...context, services: { ...services, promptModel: undefined } };
  if (scenarios === undefined || 'flowId' in owner) {
    const { outcomes } = await playScenarios(byRule, design, [{ name: '', content: { caller, ...content } }]);
    const [outcome] = outcomes;
    if (!outcome) throw new TypeError('nothing was played');
    const [first, ...more] = outcome.issues.map(
      (issue) => ({ ...issue, in: 'querystring', path: `/run${issue.path}` }) as const,
    );
    if (first) throw invalidRequest([first, ...more], { hint: 'read_design with outline shows the ids.' });
    return { ...drawn([outcome]), ended: endOf(outcome.run), note: '' };
  }
  const stored = await context.stores.scenarios.withContent(
    owner.conversationId,
    scenarios === true ? undefined : scenarios,
  );
  const playable = stored
    .map(({ name, content: saved }) => ({ name, content: withoutJudge(saved as ScenarioContent) }))
    .filter((one) => personaOf(one.content.caller) === undefined);
  const { outcomes } = await playScenarios(byRule, design, playable);
  const notPlayed = outcomes.filter(({ isPlayed }) => !isPlayed).length;
  const failed = outcomes.filter(({ holds }) => !holds).length - notPlayed;
  const left = stored.length - playable.length;
  const note = `Scenarios: ${outcomes.length - failed - notPlayed} passed, ${failed} failed${notPlayed > 0 ? `, ${notPlayed} not played` : ''}${left > 0 ? `, ${left} need a model` : ''}`;
  return { ...drawn(outcomes), ended: undefined, note };
}

/** A judge decides nothing about the way of a call. */
function withoutJudge({ expect = [], ...content }: ScenarioContent): ScenarioContent {
  return { ...content, expect: expect.filter((one) => !('judge' in one)) };
}

function drawn(outcomes: readonly ScenarioOutcome[]): Pick<DrawnCalls, 'calls' | 'failed'> {
  return {
    calls: outcomes.flatMap(({ run }) => (run ? [callOf(run)] : [])),
    failed: outcomes.flatMap(({ name, run, failed: [first] }) => {
      if (!first) return [];
      const { found, ...expectation } = first;
      const wanted = run ? `expected: ${expectationInWords(expectation as unknown as Expectation)}; ` : '';
      const place = run && decidedAt(run, expectation as unknown as Expectation);
      return [{ place, text: `${name === '' ? '' : `${name}: `}${wanted}${found}` }];
    }),
  };
}

function callOf({ path, ended, state }: SimulationRun): DrawnCall {
  const { channel } = state.system;
  return {
    path,
    channel: typeof channel === 'string' ? channel : '',
    isPremature: ended !== null && premature.has(ended.reason),
  };
}

/** The place at which a call ended, or at which it listens if it has not ended. */
function endOf(run: SimulationRun | undefined): DrawnCalls['ended'] {
  const { ended = null, path = [] } = run ?? {};
  const last = path.at(-1);
  if (ended === null) return last && { place: last, how: 'still listens' };
  const place = ended.step === null ? last : ({ at: 'step', id: ended.step } as const);
  return place && { place, how: `ended: ${ended.reason}` };
}
