import type { Output } from '../../api/client.ts';

export type SessionSummary = Output<'list_sessions'>['sessions'][number];
export type SessionRecord = Output<'get_session'>;
export type Outcome = 'open' | NonNullable<SessionSummary['outcome']>;

/** How sessions end, best first, and the colour of each. */
export const outcomes = [
  { outcome: 'completed', word: 'Completed', tone: 'good' },
  { outcome: 'transferred', word: 'Put through', tone: 'accent' },
  { outcome: 'abandoned', word: 'Visitor left', tone: 'warning' },
  { outcome: 'failed', word: 'Failed', tone: 'danger' },
  { outcome: 'open', word: 'Open', tone: 'plain' },
] as const satisfies readonly { readonly outcome: Outcome; readonly word: string; readonly tone: string }[];

/** What became of a session so far. */
export function outcomeOf({ outcome, endedAt }: Pick<SessionSummary, 'outcome' | 'endedAt'>) {
  const found = endedAt === null ? 'open' : (outcome ?? 'failed');
  return outcomes.find((one) => one.outcome === found) ?? outcomes[3];
}

/** What sessions are counted by: an open session that somebody deletes has no outcome. */
export const countedEnds = [
  ...outcomes,
  { outcome: 'deleted', word: 'Deleted while open', tone: 'plain' },
] as const;
export type CountedEnd = (typeof countedEnds)[number]['outcome'];

interface Reason {
  readonly outcome: CountedEnd;
  readonly words: string;
  /** True if the outcome alone says as much. */
  readonly isUsual?: true;
}

const reasons: Readonly<Record<string, Reason>> = {
  completed: { outcome: 'completed', words: 'The agent ended it as designed', isUsual: true },
  transferred: { outcome: 'transferred', words: 'The agent put the visitor through', isUsual: true },
  hungUp: { outcome: 'abandoned', words: 'The visitor left', isUsual: true },
  idle: { outcome: 'abandoned', words: 'The visitor stopped replying' },
  transferFailed: { outcome: 'failed', words: 'The transfer failed' },
  failed: { outcome: 'failed', words: 'A step failed and has no exit for that' },
  limit: { outcome: 'failed', words: 'It reached the limit of turns' },
  lost: { outcome: 'failed', words: 'The server lost its state' },
  deleted: { outcome: 'deleted', words: 'Somebody deleted it while it was open' },
};

/** Why a session is over, as a sentence without its full stop. */
export function reasonInWords(reason: string): string {
  return reasons[reason]?.words ?? reason;
}

export type VersionStatistics = Output<'get_session_statistics'>['versions'][number];

/** Why a session is over, if that says more than its outcome. */
export function unusualReasonInWords(reason: string): string | undefined {
  return reasons[reason]?.isUsual ? undefined : reasonInWords(reason);
}

/** The sessions of a version by what became of them. */
export function countsOf({
  open,
  endings,
}: Pick<VersionStatistics, 'open' | 'endings'>): Record<CountedEnd, number> {
  const counts = { completed: 0, transferred: 0, abandoned: 0, failed: 0, open, deleted: 0 };
  for (const [reason, count] of Object.entries(endings))
    counts[reasons[reason]?.outcome ?? 'failed'] += count;
  return counts;
}

/** Such as "Chat" for a channel. */
export function channelInWords(channel: SessionSummary['channel']): string {
  return channel === 'chat' ? 'Chat' : 'Voice';
}

const units = [
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** How long a session took, such as "2 min 5 s", in its two largest units; undefined while it is open. */
export function lengthInWords({
  startedAt,
  endedAt,
}: Pick<SessionSummary, 'startedAt' | 'endedAt'>): string | undefined {
  if (endedAt === null) return undefined;
  let left = Math.max(0, Date.parse(endedAt) - Date.parse(startedAt));
  const parts: string[] = [];
  for (const [unit, length] of units) {
    const count = Math.floor(left / length);
    left -= count * length;
    if (count > 0) parts.push(`${count} ${unit}`);
  }
  return parts.slice(0, 2).join(' ') || '0 s';
}
