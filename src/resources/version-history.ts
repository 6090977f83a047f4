import * as v from 'valibot';
import type { VersionHistory as Stored } from '../store/conversation-versions.ts';
import { details } from './details.ts';
import { Timestamp } from './timestamp.ts';

/** Who rejected a version, when and why. */
export const Rejection = v.strictObject({
  by: v.nullable(v.string()),
  at: Timestamp,
  reason: v.nullable(v.string()),
});

/** Who made a version, when it last went live, and its rejection: present if the call has `details`. */
export const VersionHistory = {
  author: v.exactOptional(v.nullable(v.string())),
  liveAt: v.exactOptional(v.nullable(Timestamp)),
  rejection: v.exactOptional(v.nullable(Rejection)),
};

export const HistoryDetails = details('author, liveAt and rejection');

/** A version, with its history if the call asked for it. */
export function withHistory<Version extends object>(
  { author, liveAt, rejection, ...version }: Version & Stored,
  asked: boolean | undefined,
) {
  return asked ? { ...version, author, liveAt, rejection } : version;
}
