import classes from './flow-differences.module.css';
import { differencesBetween } from './flow-fields.ts';
import type { FlowVersion } from './use-flow-versions.ts';

/** What differs between two versions of a flow, old and new text below each other. */
export function FlowDifferences({ before, after }: { before: FlowVersion; after: FlowVersion }) {
  const differences = differencesBetween(before.flowSchema, after.flowSchema);
  if (differences.length === 0) return <p>Nothing: both versions have the same configuration.</p>;
  return (
    <ul className={classes.differences}>
      {differences.map(({ key, place, before, after }) => (
        <li key={key}>
          <h3 dir="auto">{place}</h3>
          {before !== undefined && (
            <p className={classes.removed} dir="auto">
              <span className={classes.label}>{after === undefined ? 'Removed' : 'Before'}</span>
              <del>{before}</del>
            </p>
          )}
          {after !== undefined && (
            <p className={classes.added} dir="auto">
              <span className={classes.label}>{before === undefined ? 'Added' : 'After'}</span>
              <ins>{after}</ins>
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}
