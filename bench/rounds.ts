import { combine } from './cpu-time.ts';
import { untilQuiet } from './quiet.ts';
import { cpuFigure, figure, type Round } from './report.ts';
import type { Contest, Measurement, Row } from './row.ts';

/** How a run measures. */
export interface Settings {
  readonly rounds: number;
  /** Seconds that a round waits at most for the rest of the machine to be quiet. */
  readonly patience: number;
  /** Aborted if the user has interrupted the run. */
  readonly signal: AbortSignal;
}

/**
 * Measures rounds: Parley, the limit, the limit, Parley. The next round starts with the limit, because the first
 * program after a pause runs on a slower machine.
 * @throws if the run is interrupted
 */
export async function measureRounds(
  contest: Contest,
  { unit }: Pick<Row, 'unit'>,
  { rounds, patience, signal }: Settings,
): Promise<Round[]> {
  const measured: Round[] = [];
  while (measured.length < rounds) {
    signal.throwIfAborted();
    const busy = await untilQuiet(patience);
    const round = { ...(await pairOf(contest, measured.length % 2 === 0)), busy };
    measured.push(round);
    const { parley, limit } = round;
    const figures = `${figure(parley.figure, unit)} to ${figure(limit.figure, unit)}`;
    const cpu = parley.cpu && limit.cpu && `, CPU ${cpuFigure(parley.cpu)} to ${cpuFigure(limit.cpu)}`;
    const others = busy > 0.3 ? `, while others took ${Math.round(busy * 100)} % of the machine` : '';
    console.log(
      `  round ${measured.length}: ${figures}, ratio ${round.ratio.toFixed(3)}${cpu ?? ''}${others}`,
    );
  }
  return measured;
}

async function pairOf(
  { parley, limit }: Contest,
  parleyFirst: boolean,
): Promise<Pick<Round, 'parley' | 'limit' | 'ratio'>> {
  const [outer, inner] = parleyFirst ? [parley, limit] : [limit, parley];
  const first = await outer();
  const within = meanOf(await inner(), await inner());
  const around = meanOf(first, await outer());
  const [ours, theirs] = parleyFirst ? [around, within] : [within, around];
  return { parley: ours, limit: theirs, ratio: ours.figure / theirs.figure };
}

function meanOf(a: Measurement, b: Measurement): Measurement {
  const mean = (one: number, other: number) => (one + other) / 2;
  return { figure: mean(a.figure, b.figure), ...(a.cpu && b.cpu && { cpu: combine(a.cpu, b.cpu, mean) }) };
}
