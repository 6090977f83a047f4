import * as v from 'valibot';
import { expectations } from '../../calls/listening.ts';
import { Cuid } from '../../operation/reference.ts';
import { Moment, Timestamp } from '../record/timestamp.ts';

const Count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** How the caller's next turn probably looks. */
export const Expectation = v.picklist(expectations);

export const SessionChannel = v.picklist(['chat', 'voice']);
export const SessionOutcome = v.picklist(['completed', 'transferred', 'abandoned', 'failed']);

const Parts = v.array(v.record(v.string(), v.unknown()));

/** When sessions started. */
export const From = v.exactOptional(v.pipe(Moment, v.description('Start, ISO 8601.')));
export const To = v.exactOptional(v.pipe(Moment, v.description('End, left out.')));

/** A session as lists show it (`decisions#session-records`). */
export const SessionSummary = v.strictObject({
  id: Cuid,
  conversationId: v.pipe(v.nullable(Cuid), v.description('Null if a flow answered.')),
  flowId: v.exactOptional(Cuid),
  version: v.number(),
  webAgentId: v.nullable(Cuid),
  channel: SessionChannel,
  startedAt: Timestamp,
  endedAt: v.nullable(Timestamp),
  reason: v.nullable(v.string()),
  outcome: v.nullable(SessionOutcome),
  turns: Count,
  lastStep: v.nullable(v.string()),
});

/** A session with everything that was said and done in it. */
export const SessionRecord = v.strictObject({
  ...SessionSummary.entries,
  transcript: v.array(
    v.strictObject({
      turn: Count,
      at: Timestamp,
      who: v.picklist(['agent', 'caller']),
      text: v.string(),
      step: v.nullable(v.string()),
      heard: v.exactOptional(
        v.pipe(v.string(), v.description('What the caller heard of a line that they interrupted.')),
      ),
      understood: v.exactOptional(Parts),
      understoodBy: v.exactOptional(v.string()),
    }),
  ),
  path: v.array(
    v.strictObject({
      turn: Count,
      step: v.exactOptional(v.string()),
      hookNode: v.exactOptional(v.string()),
      exit: v.nullable(v.string()),
      why: v.nullable(v.string()),
    }),
  ),
  requests: Parts,
  notes: v.array(v.string()),
  variables: v.record(v.string(), v.unknown()),
  usage: v.strictObject({ modelCalls: Count, modelTokens: Count }),
  untrusted: v.string(),
});
export type SessionRecord = v.InferOutput<typeof SessionRecord>;

/** What the sessions of one version came to. */
export const VersionStatistics = v.strictObject({
  version: v.number(),
  sessions: Count,
  open: Count,
  endings: v.record(v.string(), Count),
  transfers: Count,
  medianTurns: v.nullable(Count),
  p95Turns: v.nullable(Count),
  fallbackRate: v.nullable(v.number()),
  leftAt: v.array(v.strictObject({ step: v.string(), sessions: Count })),
});
