import * as v from 'valibot';
import { idMap } from '../../src/design/schema/values.ts';
import { defineTool } from '../../src/environment/define-tool.ts';
import { ref } from '../../src/operation/reference.ts';
import { versionChoice } from '../../src/resources/conversations/schema.ts';
import { chosenDesign } from '../../src/resources/designs/chosen-design.ts';
import { LiveEffects, secretUseOf } from '../../src/resources/effects/live-effects.ts';
import { personaOf, playedCalls } from '../../src/resources/simulations/play.ts';
import { idsHint, preparedSimulation } from '../../src/resources/simulations/prepare.ts';
import { reasoningOf } from '../../src/resources/simulations/reasoning.ts';
import { briefReport, reportOf, shortenedReport } from '../../src/resources/simulations/report.ts';
import {
  Caller,
  Channel,
  Expectations,
  Mocks,
  Now,
  nowProblems,
  SimulationReport,
  simulationProblems,
} from '../../src/resources/simulations/schema.ts';

/** The schema that MCP shows: clients have it from simulate_conversation. */
const asSimulated = { type: 'object', description: 'As in simulate_conversation.' };

export const simulateLive = defineTool({
  name: 'simulate_live',
  title: 'Simulate with real requests',
  description:
    'Plays a call like simulate_conversation, but really sends every webhook, fetch, text message, CRM and calendar call without a mock, with integrations and secrets. A draft gets placeholders for secrets unless the key may publish.',
  rest: {
    method: 'POST',
    path: '/v1/conversations/{id}/live-simulations',
    from: { conversationId: 'path:id' },
  },
  input: v.strictObject({
    conversationId: ref('conversation'),
    version: v.exactOptional(versionChoice('The newest if left out.')),
    caller: Caller,
    mocks: v.exactOptional(Mocks),
    variables: v.exactOptional(
      v.pipe(idMap(v.unknown()), v.description('Values at the start, of system variables too.')),
    ),
    channel: v.exactOptional(v.pipe(Channel, v.description('Phone if left out.'))),
    now: v.exactOptional(Now),
    expect: v.exactOptional(Expectations),
  }),
  output: SimulationReport,
  access: 'run',
  effect: { readOnly: false, destructive: true, idempotent: false, transaction: 'own' },
  errors: { 501: ['not_yet_supported', 'unsupported_step'] },
  special: { projectStatus: ['active'] },
  mcp: {
    inputs: { caller: asSimulated, mocks: asSimulated, expect: { ...asSimulated, type: 'array' } },
    leavesOut: ['state', 'coverage.*.missed'],
    outputSchema: false,
    openWorld: true,
    shorten: (report) => shortenedReport(report as SimulationReport),
    brief: briefReport,
  },
  check: ({ caller, expect, now }) => [...simulationProblems({ caller, expect }), ...nowProblems({ now })],
  async handler(context, { conversationId, version, ...input }) {
    const { design, version: n } = await chosenDesign(context.stores, conversationId, { version });
    const time = await context.stores.projects.time();
    const simulation = preparedSimulation(design, input, time, idsHint(conversationId, n));
    const isDraft = n === null || !(await context.stores.conversations.isLive(conversationId, n));
    const live = new LiveEffects(context, design, secretUseOf(context.caller, isDraft));
    const {
      shown,
      isComplete: _,
      ...played
    } = await playedCalls(context, design, simulation, {
      ...input,
      persona: personaOf(input.caller),
      reasoning: context.services.promptModel && (await reasoningOf(context.stores, conversationId)),
      live,
    });
    // The transaction leaves the audit row, and the response for a repeated Idempotency-Key.
    const { notes, ...report } = reportOf(shown);
    const all = [...notes, ...live.notes];
    return context.write(async () => ({ version: n, ...report, notes: all, ...played, state: null }));
  },
});
