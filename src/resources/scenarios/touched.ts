import { placeName } from '../../calls/coverage.ts';
import { changesBetween } from '../../design/changes.ts';
import type { Design } from '../../design/schema/design.ts';
import { segmentsOf } from '../../design/value.ts';
import type { Stores } from '../../store/stores.ts';

/** Names that a write lists. */
const mostListed = 50;

/** The scenarios that passed a step or hook node that a new version changes; nothing if there are none. */
export async function touchedBy(
  stores: Stores,
  conversationId: string,
  base: Design,
  next: Design,
): Promise<{ touchedScenarios?: string[] }> {
  const places = changesBetween(base, next).flatMap(({ path }) => placeOf(path) ?? []);
  if (places.length === 0) return {};
  const names = await stores.scenarios.touching(conversationId, [...new Set(places)]);
  return names.length === 0 ? {} : { touchedScenarios: names.slice(0, mostListed) };
}

/** The place that a change is in: `/steps/ID/…` or `/hooks/PHASE/nodes/ID/…`. */
function placeOf(path: string): string | undefined {
  const [first, second, third, fourth] = segmentsOf(path);
  if (first === 'steps') return second;
  if (first !== 'hooks' || third !== 'nodes' || fourth === undefined) return undefined;
  return second === 'before' || second === 'after' ? placeName({ at: second, id: fourth }) : undefined;
}
