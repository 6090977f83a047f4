import * as v from 'valibot';
import type { Coverage } from '../../calls/coverage.ts';
import { idMap } from '../../design/schema/values.ts';
import type { InputProblem } from '../../operation/define.ts';
import { Cuid } from '../../operation/reference.ts';
import { Timestamp } from '../record/timestamp.ts';
import {
  Caller,
  Channel,
  Expectations,
  Mocks,
  Now,
  nowProblems,
  simulationProblems,
} from '../simulations/schema.ts';

const optional = v.exactOptional;

/** Scenarios of a conversation (`decisions#scenarios`). */
export const mostScenarios = 200;

const Name = v.pipe(v.string(), v.minLength(1), v.maxCodePoints(200));
export const Tag = v.pipe(v.string(), v.regex(/^[\w.-]{1,50}$/, 'Expected 1 to 50 of a-z, 0-9, _, . and -.'));

/** What a scenario plays and expects. */
const played = {
  caller: Caller,
  mocks: optional(Mocks),
  variables: optional(idMap(v.unknown())),
  channel: optional(Channel),
  now: optional(Now),
  expect: optional(Expectations),
};

export const ScenarioContent = v.strictObject(played);
export type ScenarioContent = v.InferOutput<typeof ScenarioContent>;

/** A scenario as callers write it. */
export const Scenario = v.strictObject({
  name: Name,
  tags: optional(v.pipe(v.array(Tag), v.maxLength(20))),
  ...played,
});
export type Scenario = v.InferOutput<typeof Scenario>;

/** A short schema for MCP; calls are checked against the whole one. */
export const scenariosOnMcp = {
  type: 'array',
  items: { type: 'object' },
  description: '{name, tags, caller, mocks, variables, channel, now, expect} as in simulate_conversation.',
};

/** Problems of scenarios that their schema cannot express. */
export function scenarioProblems(scenarios: readonly Scenario[]): InputProblem[] {
  const names = new Set<string>();
  return scenarios.flatMap(({ name, ...content }, index) => {
    const isRepeated = names.has(name);
    names.add(name);
    const own: InputProblem[] = [
      ...(isRepeated ? [{ path: ['name'] as const, message: 'Another scenario has this name.' }] : []),
      ...simulationProblems(content),
      ...nowProblems(content),
    ];
    return own.map(({ path, message }) => ({ path: ['scenarios', index, ...path] as const, message }));
  });
}

const version = v.pipe(v.number(), v.integer());

/** The result of a scenario for one version. */
const Result = v.strictObject({
  version,
  holds: v.boolean(),
  model: v.nullable(v.string()),
  playedAt: Timestamp,
});

export const ScenarioSummary = v.strictObject({
  id: Cuid,
  name: v.string(),
  tags: v.array(v.string()),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  result: v.pipe(v.nullable(Result), v.description('Of the newest version that it was played on.')),
});

/** What has become of a scenario since a newer version last went live. */
export const ScenarioChange = v.strictObject({
  name: v.string(),
  change: v.picklist(['added', 'removed', 'weakened', 'changed', 'strengthened']),
  by: v.pipe(v.nullable(v.string()), v.description('The key that changed it last.')),
  at: Timestamp,
});

/** An expectation that did not hold, with what the call did instead. */
export const Failure = v.objectWithRest({ found: v.string() }, v.unknown());

const Part = v.record(v.string(), v.unknown());

export const ScenarioRecord = v.strictObject({
  id: Cuid,
  name: v.string(),
  tags: v.array(v.string()),
  caller: Part,
  mocks: optional(Part),
  variables: optional(Part),
  channel: optional(v.string()),
  now: optional(v.string()),
  expect: optional(v.array(Part)),
  updatedAt: Timestamp,
  results: v.array(v.strictObject({ ...Result.entries, failed: v.array(Failure) })),
});

/** What a scenario did on one version. */
export const ScenarioOutcome = v.strictObject({
  id: Cuid,
  name: v.string(),
  holds: v.boolean(),
  ended: v.nullable(v.string()),
  failed: v.array(Failure),
});

const Seen = v.strictObject({ seen: v.number(), all: v.number(), missed: v.array(v.string()) });
export const CoverageRecord = v.strictObject({ steps: Seen, exits: Seen, nodes: Seen });

/** What was seen, as a response shows it. */
export function seenIn({ seen, all, missed }: Coverage['steps']) {
  return { seen, all, missed: [...missed] };
}
