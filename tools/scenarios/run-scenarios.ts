import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { ref } from '../../src/operation/reference.ts';
import type { JsonObject } from '../../src/operation/result.ts';
import { versionChoice } from '../../src/resources/conversations/schema.ts';
import { chosenDesign } from '../../src/resources/designs/chosen-design.ts';
import { editInputs, exactlyOneOf, patchProblems } from '../../src/resources/designs/edit.ts';
import { DesignDocument, designHintAt, designOnMcp } from '../../src/resources/designs/schema.ts';
import { playScenarios, resultOf } from '../../src/resources/scenarios/play.ts';
import {
  CoverageRecord,
  type ScenarioContent,
  ScenarioOutcome,
  seenIn,
  Tag,
} from '../../src/resources/scenarios/schema.ts';
import { briefCoverage, failedFirst } from '../../src/resources/simulations/report.ts';

const Run = v.strictObject({
  version: v.nullable(v.number()),
  passed: v.number(),
  failed: v.number(),
  notPlayed: v.number(),
  scenarios: v.array(ScenarioOutcome),
  coverage: CoverageRecord,
});

export const runScenarios = defineTool({
  name: 'run_scenarios',
  title: 'Run scenarios',
  description:
    'Plays the scenarios of a conversation on a version, an edit of it, or a design. Failures come first, with what was found instead.',
  rest: { method: 'POST', path: '/v1/conversations/{id}/scenario-runs', from: { conversationId: 'path:id' } },
  input: v.strictObject({
    conversationId: ref('conversation'),
    tag: v.exactOptional(v.pipe(Tag, v.description('Only those with this tag.'))),
    version: v.exactOptional(versionChoice('The newest if left out.')),
    design: v.exactOptional(DesignDocument),
    ...editInputs,
  }),
  output: Run,
  access: 'draft',
  effect: { readOnly: false, destructive: false, idempotent: true, transaction: 'own' },
  errors: { 501: ['not_yet_supported', 'unsupported_step'] },
  special: { projectStatus: ['active'] },
  mcp: {
    openWorld: true,
    mayBecomeTask: true,
    inputs: {
      design: designOnMcp,
      patch: { type: 'array', items: { type: 'object' }, description: 'A JSON Patch.' },
      merge: { type: 'object', description: 'JSON Merge Patch.' },
    },
    hintAt: designHintAt,
    leavesOut: ['coverage.*.missed'],
    outputSchema: false,
    brief: (run, _input, details) => briefRun(run as v.InferOutput<typeof Run>, details),
  },
  check: ({ design, patch, merge, version }) => [
    ...((design ?? patch ?? merge)
      ? exactlyOneOf(['design', 'patch', 'merge'], { design, patch, merge })
      : []),
    ...patchProblems({ patch }),
    ...(design !== undefined && version !== undefined
      ? [{ path: ['version'] as const, message: 'Can be combined with patch or merge only.' }]
      : []),
  ],
  async handler(context, { conversationId, tag, ...choice }) {
    const { stores, write } = context;
    const chosen = await chosenDesign(stores, conversationId, choice);
    const scenarios = await stores.scenarios.withContent(conversationId, tag);
    const { design, version } = chosen;
    const { outcomes, coverage } = await playScenarios(
      context,
      design,
      scenarios.map(({ name, content }) => ({ name, content: content as ScenarioContent })),
    );
    const results = scenarios.flatMap((scenario, index) => {
      const outcome = outcomes[index];
      return outcome ? [{ scenario, outcome, result: resultOf(scenario, outcome) }] : [];
    });
    const passed = outcomes.filter(({ holds }) => holds).length;
    const { steps, exits, nodes } = coverage;
    const notPlayed = outcomes.filter(({ isPlayed }) => !isPlayed).length;
    const output = {
      version,
      passed,
      failed: outcomes.length - passed - notPlayed,
      notPlayed,
      scenarios: failedFirst(
        results.map(({ scenario: { id, name }, outcome: { holds, ended, failed } }) => ({
          id,
          name,
          holds,
          ended,
          failed,
        })),
      ),
      coverage: { steps: seenIn(steps), exits: seenIn(exits), nodes: seenIn(nodes) },
    };
    // The result of an edit says nothing about the version.
    if (version === null || choice.patch !== undefined || choice.merge !== undefined) return output;
    return write(async (stores) => {
      await stores.scenarios.keepResults(
        version,
        results.flatMap(({ result }) => result ?? []),
      );
      return output;
    });
  },
});

/** A run as MCP shows it: the scenarios that failed, and the others only if the call asks for details. */
function briefRun(
  { scenarios, coverage, ...counts }: v.InferOutput<typeof Run>,
  details: boolean,
): JsonObject {
  const shown = scenarios.filter(({ holds }) => details || !holds);
  return {
    ...counts,
    scenarios: shown.map(({ id: _, ...outcome }) => outcome),
    coverage: briefCoverage(coverage),
  };
}
