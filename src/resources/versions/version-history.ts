import * as v from 'valibot';
import { Cuid } from '../../operation/reference.ts';
import { details } from '../record/details.ts';
import { Timestamp } from '../record/timestamp.ts';
import type { VersionHistory as Stored } from './stored-history.ts';

/** Who rejected a version, when and why. */
export const Rejection = v.strictObject({
  by: v.nullable(v.string()),
  at: Timestamp,
  reason: v.nullable(v.string()),
});

/** A rejection of an earlier version, or of one elsewhere, of which a version still holds something or that nobody has settled. */
export const InheritedRejection = v.strictObject({
  version: v.pipe(v.number(), v.integer()),
  ...Rejection.entries,
  places: v.array(v.string()),
  changes: v.exactOptional(
    v.array(
      v.strictObject({ path: v.string(), rejected: v.nullable(v.string()), now: v.nullable(v.string()) }),
    ),
  ),
  blocks: v.boolean(),
  of: v.exactOptional(
    v.strictObject({ kind: v.picklist(['flow', 'conversation']), id: Cuid, name: v.string() }),
  ),
});

const LivePeriod = v.strictObject({ from: v.nullable(Timestamp), until: v.nullable(Timestamp) });

/** Who made a version, when it was live, and its rejection: present if the call has `details`. */
export const VersionHistory = {
  author: v.exactOptional(v.nullable(v.string())),
  liveAt: v.exactOptional(v.nullable(Timestamp)),
  live: v.exactOptional(v.array(LivePeriod)),
  earlierLivePeriods: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  rejection: v.exactOptional(v.nullable(Rejection)),
  inheritedRejections: v.exactOptional(v.array(InheritedRejection)),
};

export const HistoryDetails = details('author, liveAt, live and rejection');

/** A version, with its history if the call asked for it. Lists that would be empty are left out. */
export function withHistory<Version extends object>(
  { author, liveAt, live, earlierLivePeriods, rejection, inheritedRejections, ...version }: Version & Stored,
  asked: boolean | undefined,
) {
  if (!asked) return version;
  return {
    ...version,
    author,
    liveAt,
    ...(live.length > 0 && { live }),
    ...(earlierLivePeriods > 0 && { earlierLivePeriods }),
    rejection,
    ...(inheritedRejections.length > 0 && { inheritedRejections }),
  };
}
