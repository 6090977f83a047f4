import classes from './facts.module.css';
import type { Coverage } from './played-call.ts';

const titles: Readonly<Record<string, string>> = { steps: 'Steps', exits: 'Exits', nodes: 'Hook nodes' };

/** How much of a design calls have seen, and what they have not. */
export function CoverageList({ coverage }: { coverage: Coverage }) {
  return (
    <ul className={`${classes.list} ${classes.plain}`}>
      {Object.entries(coverage)
        .filter(([, { all }]) => all > 0)
        .map(([part, { seen, all, missed }]) => (
          <li key={part}>
            <span className={classes.name}>{titles[part] ?? part}</span>{' '}
            <span className={classes.muted}>
              {seen} of {all}
            </span>
            <progress className={classes.bar} value={seen} max={all} aria-label={titles[part] ?? part} />
            {missed.length > 0 && <span className={classes.muted}>Not seen: {missed.join(', ')}</span>}
          </li>
        ))}
    </ul>
  );
}
