import type { TrashKind } from '../../store/trashed-rows.ts';

/** A table whose former values the changes hold (migration 0068), and what its records are called. */
export const recordKinds = {
  projects: 'project',
  agent_profiles: 'agentProfile',
  knowledge_bases: 'knowledgeBase',
  knowledge_sources: 'knowledgeSource',
  integrations: 'integration',
  voices: 'voice',
  flows: 'flow',
  conversations: 'conversation',
  scenarios: 'scenario',
  phone_numbers: 'phoneNumber',
  web_agents: 'webAgent',
} as const satisfies Record<string, TrashKind | 'project'>;

export type RecordTable = keyof typeof recordKinds;

/** Tables in an order in which records come before those that refer to them. */
export const recordTables = Object.keys(recordKinds) as RecordTable[];

/** What one change did to one record. */
export interface FormerValues {
  readonly table: RecordTable;
  readonly id: string;
  /** The base of a source, the conversation of a scenario. */
  readonly parent?: string;
  readonly made?: true;
  readonly gone?: true;
  /** The values of the columns that it changed, before. */
  readonly was?: Readonly<Record<string, unknown>>;
  /** True if these were too many bytes to keep. */
  readonly large?: true;
}

/** What a change of the project did, newest first in a list. */
export interface RecordedChange {
  readonly id: string;
  readonly keyId: string;
  readonly operation: string;
  readonly resourceId: string | null;
  readonly at: Date;
  /** Null in a change of an earlier release. */
  readonly former: readonly (FormerValues | { readonly more: true })[] | null;
}

/** How a record is to be again. */
export interface Target {
  readonly table: RecordTable;
  readonly id: string;
  readonly parent: string | undefined;
  /** Whether it existed; undefined if that has not changed. */
  readonly existed: boolean | undefined;
  /** By column. */
  readonly values: ReadonlyMap<string, unknown>;
  /** Why some of it stays as it is. */
  readonly reasons: readonly string[];
}

type Event = FormerValues & { readonly isOwn: boolean };

/**
 * How records were before the changes, oldest record first.
 * @param changes newest first
 * @param by undoes the changes of this key only: what another key has changed since stays
 */
export function targetsOf(changes: readonly RecordedChange[], by: string | undefined): Target[] {
  const events = new Map<string, Event[]>();
  for (const { keyId, former } of changes)
    for (const entry of (former ?? []).toReversed()) {
      if ('more' in entry) continue;
      const event = { ...entry, isOwn: by === undefined || keyId === by };
      const others = events.get(entry.id);
      if (others) others.push(event);
      else events.set(entry.id, [event]);
    }
  return [...events.values()]
    .filter((all) => all.some(({ isOwn }) => isOwn))
    .map(targetOf)
    .toReversed();
}

function targetOf(events: readonly Event[]): Target {
  const reasons: string[] = [];
  const [newest] = events;
  if (!newest) throw new Error('a record without a change');
  const { table, id } = newest;
  const existence = events.filter(({ made, gone }) => made ?? gone);
  const first = run(existence);
  const existed = first && first.gone === true;
  // Whoever made a record may not take away what others have put into it.
  const isShared = existed === false && events.some(({ isOwn }) => !isOwn);
  if (isShared || isTakenOver(existence)) reasons.push(changedSince);
  const values = new Map<string, unknown>();
  const columns = new Set(events.flatMap(({ was }) => Object.keys(was ?? {})));
  for (const column of columns) {
    const changed = events.filter(({ was }) => was && column in was);
    const oldest = run(changed);
    if (oldest) values.set(column, oldest.was?.[column]);
    else if (isTakenOver(changed) && !reasons.includes(changedSince)) reasons.push(changedSince);
  }
  if (events.some(({ large, isOwn }) => large && isOwn)) reasons.push(tooLarge);
  const parent = events.find((event) => event.parent !== undefined)?.parent;
  return { table, id, parent, existed: isShared ? undefined : existed, values, reasons };
}

const changedSince = 'Another key has changed it since.';
const tooLarge = 'What it was took too many bytes to be kept.';

/** The oldest of the newest events that are all to be undone. */
function run(events: readonly Event[]): Event | undefined {
  const end = events.findIndex(({ isOwn }) => !isOwn);
  return events.slice(0, end === -1 ? undefined : end).at(-1);
}

/** True if some of the events are to be undone, but not the newest. */
function isTakenOver(events: readonly Event[]): boolean {
  return events[0]?.isOwn === false && events.some(({ isOwn }) => isOwn);
}
