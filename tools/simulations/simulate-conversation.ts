import * as v from 'valibot';
import { idMap } from '../../src/design/schema/values.ts';
import { defineTool } from '../../src/environment/define-tool.ts';
import type { InputProblem } from '../../src/operation/define.ts';
import { ref } from '../../src/operation/reference.ts';
import { versionChoice } from '../../src/resources/conversations/schema.ts';
import { chosenDesign } from '../../src/resources/designs/chosen-design.ts';
import { editInputs, exactlyOneOf, patchProblems } from '../../src/resources/designs/edit.ts';
import { DesignDocument, designHintAt } from '../../src/resources/designs/schema.ts';
import { personaOf, playedCalls } from '../../src/resources/simulations/play.ts';
import { idsHint, preparedSimulation } from '../../src/resources/simulations/prepare.ts';
import { reasoningOf } from '../../src/resources/simulations/reasoning.ts';
import { briefReport, reportOf, shortenedReport } from '../../src/resources/simulations/report.ts';
import {
  Caller,
  Channel,
  callerOnMcp,
  Expectations,
  expectOnMcp,
  Mocks,
  mocksOnMcp,
  mostRepeats,
  Now,
  nowProblems,
  SimulationReport,
  simulationProblems,
} from '../../src/resources/simulations/schema.ts';
import { longestState, openedState, signedState } from '../../src/resources/simulations/state.ts';

export const simulateConversation = defineTool({
  name: 'simulate_conversation',
  title: 'Simulate a conversation',
  description:
    'Plays a call through a version, an edit of it, or a design, and stores nothing. Without a script it returns what the agent says first; to go on, send a longer one. Call it before you activate.',
  rest: { method: 'POST', path: '/v1/conversations/{id}/simulations', from: { conversationId: 'path:id' } },
  input: v.strictObject({
    conversationId: ref('conversation'),
    version: v.exactOptional(versionChoice('The newest if left out.')),
    design: v.exactOptional(DesignDocument),
    ...editInputs,
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
    state: v.exactOptional(
      v.pipe(v.string(), v.maxLength(longestState), v.description('Goes on from there.')),
    ),
  }),
  output: SimulationReport,
  access: 'draft',
  effect: { readOnly: true, destructive: false, idempotent: true },
  errors: { 502: ['internal_error'], 501: ['not_yet_supported', 'unsupported_step'] },
  special: { projectStatus: ['active'] },
  mcp: {
    openWorld: true,
    inputs: {
      design: { type: 'object', description: 'A cd/1 design, not stored.' },
      patch: { type: 'array', items: { type: 'object' }, description: 'JSON Patch of the version.' },
      merge: { type: 'object', description: 'JSON Merge Patch of the version.' },
      caller: callerOnMcp,
      mocks: mocksOnMcp,
      expect: expectOnMcp,
    },
    hintAt: designHintAt,
    leavesOut: ['state', 'coverage.*.missed'],
    shorten: (report) => shortenedReport(report as SimulationReport),
    brief: briefReport,
  },
  check: ({ design, patch, merge, version, caller, expect, now, state, variables, channel }) => [
    ...((design ?? patch ?? merge)
      ? exactlyOneOf(['design', 'patch', 'merge'], { design, patch, merge })
      : []),
    ...patchProblems({ patch }),
    ...(design !== undefined && version !== undefined
      ? [{ path: ['version'] as const, message: 'Can be combined with patch or merge only.' }]
      : []),
    ...(state === undefined ? [] : startProblems({ variables, channel, now })),
    ...simulationProblems({ caller, expect }),
    ...nowProblems({ now }),
  ],
  async handler(context, { conversationId, version, design: sent, patch, merge, state, ...input }) {
    const { caller, stores, services } = context;
    const chosen = await chosenDesign(stores, conversationId, { version, design: sent, patch, merge });
    const { design } = chosen;
    await services.turn(caller);
    const of = { conversationId, design };
    const from = state === undefined ? undefined : openedState(context, of, state);
    const time = await stores.projects.time();
    const simulation = {
      ...preparedSimulation(design, input, time, idsHint(conversationId, chosen.version)),
      from,
    };
    const {
      shown,
      isComplete: _,
      ...played
    } = await playedCalls(context, design, simulation, {
      ...input,
      persona: personaOf(input.caller),
      reasoning: services.promptModel && (await reasoningOf(stores, conversationId)),
    });
    const { run } = shown;
    return {
      version: chosen.version,
      ...reportOf(shown),
      ...played,
      state: run.state.waiting?.for === 'caller' ? signedState(context, of, run.state) : null,
    };
  },
});

/** What belongs to the start of a call cannot change in the middle of it. */
function startProblems(start: Readonly<Record<string, unknown>>): InputProblem[] {
  return Object.entries(start)
    .filter(([, value]) => value !== undefined)
    .map(([name]) => ({ path: [name], message: 'Cannot be combined with state.' }));
}
