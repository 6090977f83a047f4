import * as v from 'valibot';
import { Cuid } from '../../operation/reference.ts';
import type { Stores } from '../../store/stores.ts';
import type { AssignedPeriod, VersionPeriod } from '../changes/store.ts';
import { Timestamp, toSeconds } from '../record/timestamp.ts';

/** Periods that a response lists. */
const mostListed = 20;

/** What callers of a number met in a period: a version of a flow or conversation. */
export const AnsweredPeriod = v.strictObject({
  from: Timestamp,
  until: v.nullable(Timestamp),
  handler: v.strictObject({
    kind: v.picklist(['flow', 'conversation']),
    id: Cuid,
    name: v.string(),
    version: v.nullable(v.number()),
  }),
});

type Answered = v.InferOutput<typeof AnsweredPeriod>;

interface TimeSpan {
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

/** What callers of a number met when, newest first: each period of a handler, divided by its versions. */
export async function answeredPeriods(
  stores: Stores,
  numberId: string,
  { from: start, to: end }: TimeSpan,
): Promise<Answered[]> {
  const assigned = await stores.changes.answerers(numberId);
  const ids = [...new Set(assigned.map(({ handler }) => handler.id))];
  const versions = ids.length > 0 ? await stores.changes.versionPeriods(ids) : [];
  return assigned
    .toReversed()
    .flatMap((period) => dividedByVersion(period, versions).toReversed())
    .filter(({ from, until }) => (!end || from < end) && (!start || until === null || until > start))
    .slice(0, mostListed)
    .map(({ from, until, version, handler: { kind, id }, name }) => ({
      from: from.toISOString(),
      until: until?.toISOString() ?? null,
      handler: { kind, id, name, version },
    }));
}

/** The period of a handler in parts of one version each, oldest first; the version is null where none is recorded. */
function dividedByVersion(
  assigned: AssignedPeriod,
  versions: readonly VersionPeriod[],
): (AssignedPeriod & { readonly version: number | null })[] {
  const end = assigned.until ?? undefined;
  const parts: (AssignedPeriod & { readonly version: number | null })[] = [];
  let at = assigned.from;
  for (const { id, version, from, until } of versions.toReversed()) {
    if (id !== assigned.handler.id || (until && until <= at) || (from && end && from >= end)) continue;
    if (from && from > at) parts.push({ ...assigned, from: at, until: from, version: null });
    const begin = from && from > at ? from : at;
    const last = until && (!end || until < end) ? until : assigned.until;
    parts.push({ ...assigned, from: begin, until: last, version });
    if (last === null) return parts;
    at = last;
  }
  if (!end || at < end) parts.push({ ...assigned, from: at, version: null });
  return parts;
}

/** A period in words: `flow "Night line" version 2`. */
export function answeredInWords({ from, until, handler: { kind, name, version } }: Answered) {
  const by = `${kind} ${JSON.stringify(name)}${version === null ? '' : ` version ${version}`}`;
  return { from: toSeconds(from), ...(until !== null && { until: toSeconds(until) }), by };
}
