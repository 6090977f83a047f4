import { useState } from 'react';
import { Link } from 'wouter';
import { Badge } from '../components/badge.tsx';
import { ActionButton } from '../components/button.tsx';
import { QueryView } from '../components/query-view.tsx';
import { Table } from '../components/table.tsx';
import { Time } from '../components/time.tsx';
import { ActivationDialog } from './activation-dialog.tsx';
import type { Conversation } from './tabs.ts';
import { ownTag, useVersions } from './use-versions.ts';

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
                cell: ({ n, tag, isActive }) => (
                  <>
                    <Link href={`/conversations/${id}?version=${n}`}>Version {n}</Link> {ownTag({ n, tag })}{' '}
                    {isActive && <Badge tone="good">live</Badge>}
                  </>
                ),
              },
              {
                title: 'Made',
                cell: ({ createdAt, author }) => (
                  <>
                    <Time value={createdAt} /> · <bdi>{author ?? 'author not recorded'}</bdi>
                  </>
                ),
              },
              {
                title: 'Last went live',
                isMinor: true,
                cell: ({ liveAt }) => (liveAt ? <Time value={liveAt} /> : 'never'),
              },
              {
                title: 'Go live',
                cell: ({ n, isActive }) =>
                  !isActive && (
                    <ActionButton needs="publish" size="small" onClick={() => setChosen(n)}>
                      {n < activeVersion ? 'Roll back…' : 'Make live…'}
                    </ActionButton>
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
