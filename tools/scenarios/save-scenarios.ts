import * as v from 'valibot';
import { defineTool } from '../../src/environment/define-tool.ts';
import { found } from '../../src/operation/found.ts';
import { ref } from '../../src/operation/reference.ts';
import { numberOf } from '../../src/resources/conversations/schema.ts';
import { loadDesign } from '../../src/resources/designs/stored-design.ts';
import { requireWithinPlan } from '../../src/resources/projects/plan-limits.ts';
import { requireScenarioGate } from '../../src/resources/scenarios/gate.ts';
import { playScenarios, recorded, refuseUnplayable, resultOf } from '../../src/resources/scenarios/play.ts';
import { proposedScenarios } from '../../src/resources/scenarios/propose.ts';
import { replacementInWords } from '../../src/resources/scenarios/replacing.ts';
import {
  mostScenarios,
  Scenario,
  ScenarioOutcome,
  scenarioProblems,
  scenariosOnMcp,
} from '../../src/resources/scenarios/schema.ts';
import { idsHint } from '../../src/resources/simulations/prepare.ts';
import { failedFirst } from '../../src/resources/simulations/report.ts';

export const saveScenarios = defineTool({
  name: 'save_scenarios',
  title: 'Save scenarios',
  description:
    'Creates scenarios of a conversation, or replaces those with the same names, and plays them on the newest version. A scenario is a saved simulation with what it expects.',
  rest: { method: 'PATCH', path: '/v1/conversations/{id}/scenarios', from: { conversationId: 'path:id' } },
  input: v.strictObject({
    conversationId: ref('conversation'),
    scenarios: v.optional(v.pipe(v.array(Scenario), v.maxLength(mostScenarios)), []),
    proposed: v.optional(
      v.pipe(v.boolean(), v.description('Also saves what propose_scenarios returns.')),
      false,
    ),
    record: v.optional(v.pipe(v.boolean(), v.description('Fixes what each turn was understood as.')), false),
  }),
  output: v.strictObject({
    version: v.number(),
    scenarios: v.array(v.strictObject({ ...ScenarioOutcome.entries, created: v.boolean() })),
  }),
  access: 'draft',
  effect: { readOnly: false, destructive: true, idempotent: true, transaction: 'own' },
  errors: { 403: ['plan_limit_exceeded'], 501: ['not_yet_supported', 'unsupported_step'] },
  special: { projectStatus: ['active'] },
  mcp: { openWorld: true, inputs: { scenarios: scenariosOnMcp } },
  check: ({ scenarios, proposed }) => [
    ...(scenarios.length === 0 && !proposed
      ? [{ path: ['scenarios'] as const, message: 'Expected at least one, or proposed.' }]
      : []),
    ...scenarioProblems(scenarios),
  ],
  consequences: ({ stores }, { conversationId, scenarios }) =>
    replacementInWords(stores, conversationId, scenarios),
  async handler(context, { conversationId, scenarios: own, proposed, record }) {
    const { stores, caller, write } = context;
    const version = await numberOf(stores, conversationId, 'newest');
    const design = await loadDesign(stores, conversationId, version);
    const names = new Set([
      ...(proposed ? await stores.scenarios.withContent(conversationId, undefined) : []).map(
        ({ name }) => name,
      ),
      ...own.map(({ name }) => name),
    ]);
    const derived = proposed
      ? (await proposedScenarios(context, design)).scenarios.filter(({ name }) => !names.has(name))
      : [];
    const sent = [...own, ...derived.slice(0, Math.max(0, mostScenarios - names.size))];
    const playable = sent.map(({ name, tags = [], ...content }) => ({ name, tags, content }));
    const { outcomes } = await playScenarios(context, design, playable);
    refuseUnplayable(outcomes, idsHint({ conversationId }, version));
    const played = new Map(outcomes.map((outcome) => [outcome.name, outcome]));
    const scenarios = playable.map(({ name, tags, content }) => {
      const outcome = played.get(name);
      return {
        name,
        tags,
        content: record ? recorded(content, outcome?.run) : content,
        touches: outcome?.touches ?? [],
      };
    });
    return write(async (stores) => {
      found(await stores.conversations.hold(conversationId), 'conversation', conversationId);
      const before = new Map(
        (await stores.scenarios.named(conversationId, [...played.keys()])).map((one) => [one.name, one]),
      );
      const edits = scenarios.map(({ name, content }) => ({
        name,
        before: before.get(name),
        after: content,
      }));
      await requireScenarioGate({ stores, caller }, conversationId, edits);
      const saved = await stores.scenarios.save(conversationId, scenarios);
      const count = await stores.scenarios.count(conversationId);
      const created = saved.filter((one) => one.created).length;
      if (count > mostScenarios)
        requireWithinPlan((await stores.projects.hold()).plan, 'scenarios', count - created, count);
      const results = saved.flatMap((one) => {
        const outcome = played.get(one.name);
        return outcome ? [{ one, outcome, result: resultOf(one, outcome) }] : [];
      });
      await stores.scenarios.keepResults(
        version,
        results.flatMap(({ result }) => result ?? []),
      );
      return {
        version,
        scenarios: failedFirst(
          results.map(({ one: { id, name, created }, outcome: { holds, ended, failed } }) => ({
            id,
            name,
            created,
            holds,
            ended,
            failed,
          })),
        ),
      };
    });
  },
});
