import type { Loader } from './loader.ts';
import type { World } from './world.ts';

/** A comparison of Parley with a limit, which are measured in turn. */
export interface Row {
  /** The name for `--only`. */
  readonly name: string;
  /** What is measured; the first column of the report. */
  readonly path: string;
  /** The program whose figure counts as 1.00. */
  readonly limit: string;
  readonly unit: string;
  /** The desired direction of the ratio, Parley's figure divided by the limit's. */
  readonly better: 'higher' | 'lower';
  readonly reach: number;
  /** The worst acceptable ratio. Undefined if the row has none. */
  readonly floor?: number;
  /**
   * Starts both programs, checks that they return the same responses, and warms them up. If the limit cannot be
   * installed here, prints the reason and returns undefined.
   */
  open(bench: Bench): Promise<Contest | undefined>;
}

/** The resources of a run. */
export interface Bench {
  readonly world: World;
  readonly loader: Loader;
  /** Duration of one measurement. */
  readonly seconds: number;
}

/** The two running programs of a row. Each function measures one program. */
export interface Contest {
  parley(): Promise<number>;
  limit(): Promise<number>;
  close(): Promise<void>;
}
