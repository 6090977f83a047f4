import type { Output } from '../api/client.ts';
import { useChange } from '../api/use-operation.ts';

type FlowVersion = Output<'list_flow_versions'>['versions'][number];

/** Who rejected a version, when and why. */
export type Rejection = NonNullable<FlowVersion['rejection']>;

/** The rejection of an earlier version, or of one elsewhere, that concerns a version. */
export type InheritedRejection = NonNullable<FlowVersion['inheritedRejections']>[number];

/** What keeps a version from going live, as a list of versions has it. */
export interface Judged {
  readonly rejection?: Rejection | null;
  readonly inheritedRejections?: readonly InheritedRejection[];
}

/** A version of a flow or a conversation. */
export interface VersionOf {
  readonly kind: 'flow' | 'conversation';
  /** Of the flow or conversation. */
  readonly id: string;
  readonly version: number;
}

/** Rejects a version, or takes its rejection back. */
export function useJudgement({ kind, id, version }: VersionOf) {
  const ofFlow = useChange('reject_flow_version');
  const ofConversation = useChange('reject_version');
  const { isPending, error } = kind === 'flow' ? ofFlow : ofConversation;
  const judge = (
    judgement: { readonly reason?: string; readonly undo?: true },
    callbacks: { readonly onSuccess: () => void; readonly onError?: (error: Error) => void },
  ) =>
    kind === 'flow'
      ? ofFlow.mutate({ flowId: id, version, ...judgement }, callbacks)
      : ofConversation.mutate({ id, n: version, ...judgement }, callbacks);
  return { judge, isPending, error };
}

/** Why a rejected version cannot go live, or one that still holds what was rejected; undefined if neither is so. */
export function whyNotLive(version: number, judged: Judged | undefined): string | undefined {
  if (judged?.rejection) return `Version ${version} is rejected. Take it up again first.`;
  const first = judged?.inheritedRejections?.find(({ blocks }) => blocks);
  if (!first) return undefined;
  const held = isReworded(first) ? 'rewords' : 'holds';
  return `Version ${version} ${held} what version ${first.version} was rejected for. Lift the rejection, or put back what was live.`;
}

/** True if a version has other words at all places that were rejected. */
export function isReworded({ changes = [] }: InheritedRejection): boolean {
  return changes.length > 0 && changes.every(({ rejected, now }) => rejected !== now);
}

/** What a badge says of a version that other rejections concern, the most important first; undefined if none does. */
export function labelOf(inherited: readonly InheritedRejection[] = []): string | undefined {
  const blocking = inherited.filter(({ blocks }) => blocks);
  if (blocking.length > 0)
    return blocking.every(isReworded) ? 'rewords what was rejected' : 'holds what was rejected';
  if (inherited.some(({ places }) => places.length > 0)) return 'holds what was rejected elsewhere';
  return inherited.length > 0 ? 'made after a rejection' : undefined;
}

/** Who made which version. */
export interface Authored {
  readonly number: number;
  readonly author: string | null | undefined;
}

/** Who made the versions after the live one, up to a version: each name once, the newest first. */
export function authorsSince(
  versions: readonly Authored[],
  live: number | undefined,
  upTo: number,
): string[] {
  const since = versions.filter(({ number }) => number > (live ?? 0) && number <= upTo);
  return [...new Set(since.flatMap(({ author }) => author ?? []))];
}
