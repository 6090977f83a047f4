import type { Output } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { Time } from '../../ui/time.tsx';
import { RecordLink } from '../rejection/record-link.tsx';
import classes from './change-list.module.css';
import { changeInWords, detailOf } from './change-words.ts';

type Change = Output<'list_changes'>['changes'][number];

/** Who did what and when, newest first. */
export function ChangeList({ changes }: { changes: readonly Change[] }) {
  return (
    <ol className={classes.changes}>
      {changes.map((change) => (
        <li key={change.id}>
          <ChangeItem change={change} />
        </li>
      ))}
    </ol>
  );
}

function ChangeItem({ change }: { change: Change }) {
  const { operation, summary, keyId, keyName, at } = change;
  const session = useSession();
  const { before, after } = changeInWords(operation, summary);
  const detail = detailOf(operation, summary);
  return (
    <>
      <p className={classes.line}>
        {before} <Subject change={change} /> {after}
      </p>
      {detail !== '' && (
        <p className={classes.summary} dir="auto">
          {detail}
        </p>
      )}
      <p className={classes.who}>
        <bdi>{keyId === session.keyId ? `you (${keyName.replace(/ \(secret\)$/, '')})` : keyName}</bdi> ·{' '}
        <Time value={at} />
      </p>
    </>
  );
}

function Subject({ change: { operation, resourceId, resourceName } }: { change: Change }) {
  if (resourceId === null) return null;
  // A record that was deleted has no page.
  if (operation.startsWith('delete_')) return <bdi>{resourceName ?? resourceId}</bdi>;
  return <RecordLink id={resourceId} name={resourceName ?? resourceId} />;
}
