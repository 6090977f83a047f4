import { Link } from 'wouter';
import { Unreachable } from '../activation/unreachable.tsx';
import { useIsUnreachable } from '../activation/use-entrances.ts';
import { Time } from '../components/time.tsx';
import classes from './draft-notice.module.css';
import type { Conversation } from './tabs.ts';
import { useVersions } from './use-versions.ts';

/** Says that the newest version waits, who made it, and that nothing leads to the live one. Nothing if neither is so. */
export function DraftNotice({ conversation, tab }: { conversation: Conversation; tab: string }) {
  const { id, activeVersion } = conversation;
  const newest = useVersions(id).data?.versions[0];
  const isUnreachable = useIsUnreachable(id);
  const unreachable = isUnreachable && <Unreachable version={activeVersion} isLive />;
  if (!newest || newest.n <= activeVersion)
    return (
      unreachable && (
        <aside aria-label="Not reachable" className={classes.notice}>
          <p>{unreachable}</p>
        </aside>
      )
    );
  return (
    <aside aria-label="Draft" className={classes.notice}>
      <p>
        <strong>Draft:</strong> version {newest.n}, made <Time value={newest.createdAt} />{' '}
        {newest.author ? (
          <>
            by <bdi>{newest.author}</bdi>
          </>
        ) : (
          '(author not recorded)'
        )}
        . {unreachable || (isUnreachable === false && `Callers meet version ${activeVersion}.`)}
      </p>
      {tab !== 'changes' && <Link href={`/conversations/${id}/changes`}>See what changed</Link>}
      {tab !== 'changes' && tab !== 'talk' && <Link href={`/conversations/${id}/talk`}>Talk to it</Link>}
    </aside>
  );
}
