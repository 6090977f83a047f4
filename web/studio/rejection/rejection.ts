import type { FlowVersion } from '../flows/use-flow-versions.ts';

/** Who rejected a version, when and why. */
export type Rejection = NonNullable<FlowVersion['rejection']>;

/** A version of a flow or a conversation. */
export interface VersionOf {
  readonly kind: 'flow' | 'conversation';
  /** Of the flow or conversation. */
  readonly id: string;
  readonly version: number;
}

/** The input of `reject_version` that names a version. */
export function inputOf({ kind, id, version }: VersionOf) {
  return kind === 'flow' ? { flowId: id, version } : { conversationId: id, version };
}

/** Why a rejected version cannot go live. */
export function whyNotLive(version: number): string {
  return `Version ${version} is rejected. Take it up again first.`;
}
