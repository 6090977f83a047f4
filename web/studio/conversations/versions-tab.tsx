import { useState } from 'react';
import { Link } from 'wouter';
import { Badge } from '../../ui/badge.tsx';
import { ActionButton } from '../../ui/button.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import type { Conversation } from '../../versions/conversation.ts';
import { labelOf, whyNotLive } from '../../versions/rejection.ts';
import { ownTag, useVersions } from '../../versions/use-versions.ts';
import { LastLive } from '../activation/last-live.tsx';
import { LiveBadge } from '../activation/live-badge.tsx';
import classes from '../activation/version-table.module.css';
import { LiftButton } from '../rejection/lift-button.tsx';
import { RejectButton } from '../rejection/reject-button.tsx';
import { RejectedBy } from '../rejection/rejected-by.tsx';
import { TakeUpButton } from '../rejection/take-up-button.tsx';
import { ActivationDialog } from './activation-dialog.tsx';

/** Who made which version, and which one callers meet. */
export default function VersionsTab({ conversation }: { conversation: Conversation }) {
  const { id, activeVersion } = conversation;
  const versions = useVersions(id);
  const [chosen, setChosen] = useState<number>();
  return (
    <>
      <QueryView query={versions} what="the versions">
        {({ versions }) => (
          <Table
            label="Versions"
            rows={versions}
            idOf={({ n }) => n}
            columns={[
              {
                title: 'Version',
                cell: ({ n, tag, isActive, rejection, inheritedRejections }) => (
                  <>
                    <Link href={`/conversations/${id}?version=${n}`}>Version {n}</Link> {ownTag({ n, tag })}{' '}
                    {isActive && <LiveBadge id={id} />}
                    {rejection && <Badge tone="warning">rejected</Badge>}
                    {inheritedRejections && <Badge tone="warning">{labelOf(inheritedRejections)}</Badge>}
                  </>
                ),
              },
              {
                title: 'Made',
                cell: ({ createdAt, author, rejection }) => (
                  <>
                    <Time value={createdAt} /> · <bdi>{author ?? 'author not recorded'}</bdi>
                    {rejection && (
                      <p className={classes.rejection}>
                        <RejectedBy rejection={rejection} />
                      </p>
                    )}
                  </>
                ),
              },
              {
                title: 'Live',
                isMinor: true,
                cell: (version) => <LastLive {...version} />,
              },
              {
                title: 'What you can do',
                cell: ({ n, isActive, ...judged }) =>
                  !isActive && (
                    <span className={classes.actions}>
                      <ActionButton
                        needs="publish"
                        size="small"
                        refusal={whyNotLive(n, judged)}
                        onClick={() => setChosen(n)}
                      >
                        {n < activeVersion ? 'Roll back…' : 'Make live…'}
                      </ActionButton>
                      {judged.inheritedRejections?.some(({ blocks }) => blocks) && !judged.rejection && (
                        <LiftButton of={{ kind: 'conversation', id, version: n }} />
                      )}
                      {judged.rejection ? (
                        <TakeUpButton of={{ kind: 'conversation', id, version: n }} />
                      ) : (
                        <RejectButton size="small" of={{ kind: 'conversation', id, version: n }} />
                      )}
                    </span>
                  ),
              },
            ]}
          />
        )}
      </QueryView>
      {chosen !== undefined && (
        <ActivationDialog conversation={conversation} version={chosen} onClose={() => setChosen(undefined)} />
      )}
    </>
  );
}
