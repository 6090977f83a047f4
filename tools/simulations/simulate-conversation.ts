import * as v from 'valibot';
import { idMap } from '../../src/design/schema/values.ts';
import { versionChoice } from '../../src/resources/conversations/schema.ts';
import { chosenDesign } from '../../src/resources/designs/chosen-design.ts';
import { editInputs, exactlyOneOf, patchProblems } from '../../src/resources/designs/edit.ts';
import { DesignDocument, designHintAt, designOnMcp } from '../../src/resources/designs/schema.ts';
import { playedCall } from '../../src/resources/simulations/play.ts';
import { preparedSimulation } from '../../src/resources/simulations/prepare.ts';
import { reportOf, shortenedReport } from '../../src/resources/simulations/report.ts';
import {
  Caller,
  Channel,
  Mocks,
  Now,
  nowProblems,
  SimulationReport,
  simulationProblems,
} from '../../src/resources/simulations/schema.ts';
import { longestState, openedState, signedState } from '../../src/resources/simulations/state.ts';
import { defineTool, type InputProblem } from '../../src/tool/define.ts';
import { ref } from '../../src/tool/reference.ts';

/** Short schemas for MCP; calls are checked against the whole ones. */
const callerOnMcp = {
  type: 'object',
  description:
    '{script: [turn]}; a turn is a text, {text, understood: {option} | {values} | {consent} | {answered}}, {silent: true} or {hangUp: true}.',
};
const mocksOnMcp = {
  type: 'object',
  description:
    '{nodes: {hookNode: {status, body} | {contact} | {fail}}, knowledge: {id: [passage]}, transfers: succeed | fail}. A request without a mock is not sent and fails.',
};
export const simulateConversation = defineTool({
  name: 'simulate_conversation',
  title: 'Simulate a conversation',
  description:
    'Plays a call with a scripted caller through a version, an edit of it, or a design, and stores nothing. Without a script it returns what the agent says first. To go on, send a longer script, or state. Call it before you activate a version.',
  rest: { method: 'POST', path: '/v1/conversations/{id}/simulations', from: { conversationId: 'path:id' } },
  input: v.strictObject({
    conversationId: ref('conversation'),
    version: v.exactOptional(versionChoice('The newest if left out.')),
    design: v.exactOptional(DesignDocument),
    ...editInputs,
    caller: v.exactOptional(Caller),
    mocks: v.exactOptional(Mocks),
    variables: v.exactOptional(
      v.pipe(idMap(v.unknown()), v.description('Values at the start, of system variables too.')),
    ),
    channel: v.exactOptional(v.pipe(Channel, v.description('Phone if left out.'))),
    now: v.exactOptional(Now),
    state: v.exactOptional(
      v.pipe(v.string(), v.maxLength(longestState), v.description('Goes on with that call.')),
    ),
  }),
  output: SimulationReport,
  access: 'draft',
  effect: { readOnly: true, destructive: false, idempotent: true },
  errors: { 501: ['not_yet_supported', 'unsupported_step'] },
  special: { projectStatus: ['active'] },
  mcp: {
    inputs: {
      design: designOnMcp,
      patch: { type: 'array', items: { type: 'object' }, description: 'JSON Patch of the version.' },
      merge: { type: 'object', description: 'JSON Merge Patch of the version.' },
      caller: callerOnMcp,
      mocks: mocksOnMcp,
    },
    hintAt: designHintAt,
    leavesOut: 'state',
    shorten: (report) => shortenedReport(report as SimulationReport),
  },
  check: ({ design, patch, merge, version, caller, now, state, variables, channel }) => [
    ...((design ?? patch ?? merge)
      ? exactlyOneOf(['design', 'patch', 'merge'], { design, patch, merge })
      : []),
    ...patchProblems({ patch }),
    ...(design !== undefined && version !== undefined
      ? [{ path: ['version'] as const, message: 'Can be combined with patch or merge only.' }]
      : []),
    ...(state === undefined ? [] : startProblems({ variables, channel, now })),
    ...simulationProblems({ caller }),
    ...nowProblems({ now }),
  ],
  async handler(context, { conversationId, version, design: sent, patch, merge, state, ...input }) {
    const { caller, stores, services } = context;
    const chosen = await chosenDesign(stores, conversationId, { version, design: sent, patch, merge });
    const { design } = chosen;
    await services.turn(caller);
    const of = { conversationId, design };
    const from = state === undefined ? undefined : openedState(context, of, state);
    const simulation = { ...preparedSimulation(design, input), from };
    const { run, ...played } = playedCall(design, simulation);
    return {
      version: chosen.version,
      ...reportOf(run),
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
