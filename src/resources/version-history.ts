import * as v from 'valibot';
import type { VersionHistory as Stored } from '../store/conversation-versions.ts';
import { details } from './details.ts';
import { Timestamp } from './timestamp.ts';

/** Who made a version, and when it last went live: present if the call has `details`. */
export const VersionHistory = {
  author: v.exactOptional(v.nullable(v.string())),
  liveAt: v.exactOptional(v.nullable(Timestamp)),
};

export const HistoryDetails = details('author and liveAt');

/** A version, with its history if the call asked for it. */
export function withHistory<Version extends object>(
  { author, liveAt, ...version }: Version & Stored,
  asked: boolean | undefined,
) {
  return asked ? { ...version, author, liveAt } : version;
}
