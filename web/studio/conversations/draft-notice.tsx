import { Link } from 'wouter';
import { Time } from '../components/time.tsx';
import classes from './draft-notice.module.css';
import type { Conversation } from './tabs.ts';
import { useVersions } from './use-versions.ts';

/** Says that the newest version waits, who made it, and where to look at it. Nothing if it is live. */
export function DraftNotice({ conversation, tab }: { conversation: Conversation; tab: string }) {
  const { id, activeVersion } = conversation;
  const newest = useVersions(id).data?.versions[0];
  if (!newest || newest.n <= activeVersion) return null;
  return (
    <aside aria-label="Draft" className={classes.notice}>
      <p>
        <strong>Draft:</strong> <bdi>{newest.author ?? 'somebody'}</bdi> made version {newest.n}{' '}
        <Time value={newest.createdAt} />. Callers meet version {activeVersion}.
      </p>
      {tab !== 'changes' && <Link href={`/conversations/${id}/changes`}>See what changed</Link>}
      {tab !== 'changes' && tab !== 'talk' && <Link href={`/conversations/${id}/talk`}>Talk to it</Link>}
    </aside>
  );
}
