import { useState } from 'react';
import { ActionButton } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Time } from '../../ui/time.tsx';
import { Authors } from '../../versions/authors.tsx';
import { whyNotLive } from '../../versions/rejection.ts';
import { RejectButton } from '../rejection/reject-button.tsx';
import { FlowActivationDialog } from './flow-activation-dialog.tsx';
import { FlowDifferences } from './flow-differences.tsx';
import type { FlowTabProps } from './use-flow-versions.ts';
import { currentAuthors } from './use-flow-versions.ts';

/** What the newest version changes about the live one. */
export default function FlowChangesTab({ newest, live, authored }: FlowTabProps) {
  const authors = currentAuthors({ newest, live, authored });
  const [isAsking, setAsking] = useState(false);
  if (newest.id === live?.id)
    return <Empty title="The newest version is live">There is no draft to compare it with.</Empty>;
  return (
    <>
      <Card
        title={live ? `Version ${live.version}, live, and version ${newest.version}, newest` : 'Not live yet'}
        about={
          <>
            Version {newest.version} was made <Time value={newest.createdAt} />
            {authors.length > 0 ? (
              <>
                {' '}
                by <Authors names={authors} />
              </>
            ) : (
              ' (author not recorded)'
            )}
            .
          </>
        }
        aside={
          <>
            {!newest.rejection && (
              <RejectButton of={{ kind: 'flow', id: newest.flowId, version: newest.version }} />
            )}
            <ActionButton
              needs="publish"
              variant="primary"
              refusal={whyNotLive(newest.version, newest)}
              onClick={() => setAsking(true)}
            >
              Make version {newest.version} live…
            </ActionButton>
          </>
        }
      >
        {live ? (
          <FlowDifferences before={live} after={newest} />
        ) : (
          <p>None of the newest hundred versions is live.</p>
        )}
      </Card>
      {isAsking && (
        <FlowActivationDialog
          live={live}
          authored={authored}
          version={newest}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
