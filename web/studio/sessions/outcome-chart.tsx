import { classNames } from '../../ui/class-names.ts';
import classes from './outcome-chart.module.css';
import { countedEnds, countsOf, type VersionStatistics } from './session-words.ts';

interface OutcomeChartProps {
  readonly versions: readonly VersionStatistics[];
  readonly activeVersion: number;
}

/** A bar for each version, parted by how its sessions ended. The table below has the same numbers. */
export function OutcomeChart({ versions, activeVersion }: OutcomeChartProps) {
  return (
    <>
      <ul className={classes.legend} aria-hidden="true">
        {countedEnds
          .filter(({ outcome }) => versions.some((one) => countsOf(one)[outcome] > 0))
          .map(({ outcome, word }) => (
            <li key={outcome}>
              <span className={classNames(classes.swatch, classes[outcome])} />
              {word}
            </li>
          ))}
      </ul>
      <ul className={classes.chart}>
        {versions.map((one) => {
          const counts = countsOf(one);
          const parts = countedEnds
            .map(({ outcome, word }) => ({ outcome, word, count: counts[outcome] }))
            .filter(({ count }) => count > 0);
          return (
            <li key={one.version}>
              <span className={classes.version}>
                v{one.version}
                {one.version === activeVersion && <span className={classes.live}> live</span>}
              </span>
              <span
                role="img"
                className={classes.bar}
                aria-label={`Version ${one.version}: ${parts.map(({ word, count }) => `${word} ${count}`).join(', ')}`}
              >
                {parts.map(({ outcome, word, count }) => (
                  <span
                    key={outcome}
                    title={`${word}: ${count}`}
                    className={classNames(classes.part, classes[outcome])}
                    style={{ flexGrow: count }}
                  />
                ))}
              </span>
              <span className={classes.total}>{one.sessions}</span>
            </li>
          );
        })}
      </ul>
    </>
  );
}
