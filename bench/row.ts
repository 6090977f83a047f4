import type { CpuTime } from './cpu-time.ts';
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
  /** The highest acceptable ratio of the CPU time per request, in each process. Undefined if the row has none. */
  readonly cpuAtMost?: number;
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

/** The result of measuring one program once. */
export interface Measurement {
  readonly figure: number;
  /** CPU time per request. Undefined if the row does not measure it. */
  readonly cpu?: CpuTime;
}

/** The two running programs of a row. Each function measures one program. */
export interface Contest {
  parley(): Promise<Measurement>;
  limit(): Promise<Measurement>;
  close(): Promise<void>;
}
