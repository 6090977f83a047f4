import type { DesignChange } from '../changes.ts';
import type { HookPhase, Step } from '../schema/design.ts';

/** How a part differs from the version that a design is compared with, or what calls did with it. */
export type Mark = DesignChange['change'] | 'passed' | 'missed' | 'ended' | 'failed';

/** A step, a node of a hook, or a point of the call itself. */
export interface Shape {
  readonly at: 'step' | HookPhase | 'call';
  readonly id: string;
  /** The kind of a step; empty for anything else. */
  readonly kind: Step['kind'] | '';
  /** Its name, on one line. */
  readonly title: string;
  /** Its kind or actions, and notes such as `entry` and `unreachable`. */
  readonly detail: string;
  readonly isEntry: boolean;
  readonly isReachable: boolean;
  /** Undefined if both versions are equal, or if only one is drawn, without calls. */
  readonly mark: Mark | undefined;
  /** What calls have shown here. */
  readonly notes: readonly string[];
}

/** A way from one shape to another. */
export interface Arrow {
  readonly from: number;
  readonly to: number;
  /** The exits, options or branches that lead this way; empty if there is no choice. */
  readonly labels: readonly string[];
  /** An unusual way: an alternate entry, or what follows the end of the call. Drawn dashed. */
  readonly isAside: boolean;
  readonly mark: Mark | undefined;
}

/** A design as shapes and arrows without positions. Plain data, so that it can be sent to a worker thread. */
export interface Diagram {
  readonly shapes: readonly Shape[];
  readonly arrows: readonly Arrow[];
  readonly isComparison: boolean;
}
