import type { LivePeriod } from './live-periods.ts';
import type { InheritedRejection, Rejection } from './rejection-store.ts';

/** Who made a version, when it was the active one, and whether somebody rejected it. */
export interface VersionHistory {
  /** The name of the key that made it; null on the command line and in versions of earlier releases. */
  author: string | null;
  /** When it last became the active version; null if never. */
  liveAt: string | null;
  /** The newest periods in which it was active, newest first. */
  live: LivePeriod[];
  /** How many earlier periods there were. */
  earlierLivePeriods: number;
  /** Null unless it is rejected. */
  rejection: Rejection | null;
  /** Those of earlier versions of which it still holds a place. */
  inheritedRejections: InheritedRejection[];
}
