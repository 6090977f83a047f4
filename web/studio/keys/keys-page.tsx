import { useState } from 'react';
import { useRefusal, useSession } from '../../api/session.ts';
import { useOperation } from '../../api/use-operation.ts';
import { Badge } from '../../ui/badge.tsx';
import { ActionButton } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { PageTurner, usePaging } from '../../ui/page-turner.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import classes from './keys-page.module.css';
import { type Key, labelOf, RevokeDialog } from './revoke-dialog.tsx';

/** The keys of the project: what each may do, when it ends, and when it was used. */
export default function KeysPage() {
  const refusal = useRefusal('admin');
  return (
    <>
      <PageHeader title="Keys" about="Who may do what. Nobody can read a key again after it is made." />
      {refusal === undefined ? (
        <Keys />
      ) : (
        <Empty title="This key may not see the keys">
          {refusal} Sign in with such a key, or ask who has one.
        </Empty>
      )}
    </>
  );
}

function Keys() {
  const { projectId } = useSession();
  const paging = usePaging();
  const { cursor } = paging;
  const keys = useOperation('list_keys', {
    projectId,
    limit: 25,
    details: true,
    ...(cursor !== undefined && { cursor }),
  });
  const ownId = useOperation('get_current_key', {}).data?.id;
  const [chosen, setChosen] = useState<Key>();
  return (
    <>
      <QueryView query={keys} what="the keys">
        {({ keys, nextCursor }) => (
          <>
            <Table
              label="Keys"
              rows={keys}
              idOf={({ id }) => id}
              columns={[
                {
                  title: 'Name',
                  cell: ({ id, name, keyPrefix, last4, oauthClient }) => (
                    <>
                      <bdi>{name}</bdi> {id === ownId && <Badge tone="accent">you</Badge>}
                      {oauthClient ? (
                        <span className={classes.fine}>
                          signed in through OAuth: <bdi>{oauthClient}</bdi>
                        </span>
                      ) : (
                        <code className={classes.fine}>
                          {keyPrefix}…{last4}
                        </code>
                      )}
                    </>
                  ),
                },
                { title: 'May', isMinor: true, cell: mayOf },
                { title: 'Status', cell: (key) => <Status value={key} /> },
                {
                  title: 'Last used',
                  cell: ({ lastUsedAt }) => (lastUsedAt ? <Time value={lastUsedAt} /> : 'never'),
                },
                {
                  title: 'What you can do',
                  cell: (key) =>
                    key.status === 'active' && (
                      <ActionButton
                        needs="admin"
                        size="small"
                        aria-label={`Revoke ${labelOf(key)}`}
                        onClick={() => setChosen(key)}
                      >
                        Revoke…
                      </ActionButton>
                    ),
                },
              ]}
            />
            <PageTurner paging={paging} next={nextCursor} />
          </>
        )}
      </QueryView>
      {chosen && (
        <RevokeDialog value={chosen} isOwn={chosen.id === ownId} onClose={() => setChosen(undefined)} />
      )}
    </>
  );
}

function mayOf({ keyType, access = [] }: Key): string {
  if (keyType === 'publishable') return 'start sessions on websites';
  return access.join(', ') || 'nothing';
}

function Status({ value: { status, expiresAt } }: { value: Key }) {
  return (
    <>
      <Badge tone={status === 'active' ? 'good' : 'plain'}>{status}</Badge>
      {expiresAt && (
        <span className={classes.fine}>
          {new Date(expiresAt) > new Date() ? 'ends ' : 'ended '}
          <Time value={expiresAt} />
        </span>
      )}
    </>
  );
}
