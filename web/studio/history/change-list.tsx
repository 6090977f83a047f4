import type { Output } from '../api/client.ts';
import { RecordLink } from '../components/record-link.tsx';
import { Time } from '../components/time.tsx';
import classes from './change-list.module.css';
import { changeInWords } from './change-words.ts';

type Change = Output<'list_changes'>['changes'][number];

/** Who did what and when, newest first. */
export function ChangeList({ changes }: { changes: readonly Change[] }) {
  return (
    <ol className={classes.changes}>
      {changes.map((change) => (
        <li key={change.id}>
          <p className={classes.line}>
            <span>{changeInWords(change.operation)}</span> <Subject change={change} />
          </p>
          {change.summary && change.summary !== `"${change.resourceName}"` && (
            <p className={classes.summary} dir="auto">
              {change.summary}
            </p>
          )}
          <p className={classes.who}>
            <bdi>{change.keyName}</bdi> · <Time value={change.at} />
          </p>
        </li>
      ))}
    </ol>
  );
}

function Subject({ change: { operation, resourceId, resourceName } }: { change: Change }) {
  if (resourceId === null) return null;
  // A record that was deleted has no page.
  if (operation.startsWith('delete_')) return <bdi>{resourceName ?? resourceId}</bdi>;
  return <RecordLink id={resourceId} name={resourceName ?? resourceId} />;
}
