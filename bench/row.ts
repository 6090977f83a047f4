import type { Loader } from './loader.ts';
import type { World } from './world.ts';

/** One figure to reach: Parley against a limit, measured in turn. A further row is a further value of this. */
export interface Row {
  /** For `--only`. */
  readonly name: string;
  /** What is measured, as the table says it. */
  readonly path: string;
  /** What stands for 1.00. */
  readonly limit: string;
  readonly unit: string;
  /** Whether a ratio (Parley's figure to the limit's) should be large or small. */
  readonly better: 'higher' | 'lower';
  readonly reach: number;
  /** Undefined where nothing hangs on it. */
  readonly floor?: number;
  /**
   * Starts both programs, checks that they answer alike and warms them up; undefined, and said why, where the other one
   * cannot be had here.
   */
  open(bench: Bench): Promise<Contest | undefined>;
}

/** What a row may use. */
export interface Bench {
  readonly world: World;
  readonly loader: Loader;
  /** How long one measurement takes. */
  readonly seconds: number;
}

/** Both programs of a row, running. */
export interface Contest {
  parley(): Promise<number>;
  limit(): Promise<number>;
  close(): Promise<void>;
}
