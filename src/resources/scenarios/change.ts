import type { ScenarioContent } from './schema.ts';
import type { ScenarioChange } from './store.ts';

/**
 * What has become of a scenario, by its content before and after; undefined if nothing has. A scenario is strengthened if
 * it plays the same and expects more, and weakened if it plays the same and lacks something that it expected.
 */
export function changeBetween(
  before: ScenarioContent | undefined,
  after: ScenarioContent | undefined,
): ScenarioChange | undefined {
  if (before === undefined) return after === undefined ? undefined : 'added';
  if (after === undefined) return 'removed';
  if (playedBy(before) !== playedBy(after)) return 'changed';
  const [expected, expects] = [expectedBy(before), expectedBy(after)];
  if ([...expected].some((one) => !expects.has(one))) return 'weakened';
  return expects.size > expected.size ? 'strengthened' : undefined;
}

/** What a scenario plays, as JSON text. */
function playedBy({ caller, mocks, variables, channel, now }: ScenarioContent): string {
  return JSON.stringify([caller, mocks, variables, channel, now]);
}

/** Each expectation as its JSON text: stored and sent ones have passed the same schema, which orders their members. */
export function expectedBy({ expect = [] }: Pick<ScenarioContent, 'expect'>): ReadonlySet<string> {
  return new Set(expect.map((one) => JSON.stringify(one)));
}
