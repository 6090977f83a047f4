import type { DesignChange } from '../changes.ts';
import type { HookPhase, Step } from '../schema/design.ts';

/** How something differs from the version that a design is compared with. */
export type Mark = DesignChange['change'];

/** A step, a node of a hook, or a point of the call itself. */
export interface Shape {
  readonly at: 'step' | HookPhase | 'call';
  readonly id: string;
  /** The kind of a step; of anything else the empty text. */
  readonly kind: Step['kind'] | '';
  /** What it is called, in one line. */
  readonly title: string;
  /** What it is, in words: kind or actions, and what is special about it. */
  readonly detail: string;
  readonly isEntry: boolean;
  readonly isReachable: boolean;
  /** Undefined where it is the same in both versions, or where none is compared. */
  readonly mark: Mark | undefined;
}

/** A way from one shape to another. */
export interface Arrow {
  /** Indexes of shapes. */
  readonly from: number;
  readonly to: number;
  /** The exits, options or branches that lead this way; none where there is nothing to choose. */
  readonly labels: readonly string[];
  /** Taken in place of the usual way: another entry, what follows the call's end. */
  readonly isAside: boolean;
  readonly mark: Mark | undefined;
}

/** A design as shapes and arrows, without places: plain data, so that it can be drawn elsewhere. */
export interface Diagram {
  readonly shapes: readonly Shape[];
  readonly arrows: readonly Arrow[];
  readonly isComparison: boolean;
}
