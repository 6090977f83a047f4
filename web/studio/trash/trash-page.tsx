import type { Output } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { useChange, useOperation } from '../../api/use-operation.ts';
import { ActionButton } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { PageTurner, usePaging } from '../../ui/page-turner.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toasts.tsx';

type Entry = Output<'list_trash'>['trash'][number];

const kindNames: Readonly<Record<Entry['kind'], string>> = {
  flow: 'flow',
  conversation: 'conversation',
  agentProfile: 'agent profile',
  webAgent: 'web agent',
  integration: 'integration',
  phoneNumber: 'phone number',
  voice: 'voice',
  knowledgeBase: 'knowledge base',
  knowledgeSource: 'knowledge source',
  scenario: 'scenario',
};

/** What was deleted in the last 30 days, and the way back. */
export default function TrashPage() {
  const { projectId } = useSession();
  const paging = usePaging();
  const { cursor } = paging;
  const trash = useOperation('list_trash', {
    projectId,
    limit: 25,
    ...(cursor !== undefined && { cursor }),
  });
  const restore = useChange('restore_deleted');
  const toast = useToast();
  const bringBack = ({ id, name }: Entry) =>
    restore.mutate({ projectId, trashId: id }, { onSuccess: () => toast(`${name} is back.`) });
  return (
    <>
      <PageHeader title="Trash" about="What was deleted stays here for 30 days, with everything in it." />
      {restore.error && <ErrorNotice error={restore.error} />}
      <QueryView query={trash} what="the trash">
        {({ trash, nextCursor }) =>
          trash.length === 0 ? (
            <Empty title="The trash is empty" />
          ) : (
            <>
              <Table
                label="Trash"
                rows={trash}
                idOf={({ id }) => id}
                columns={[
                  { title: 'Name', cell: ({ name }) => <bdi>{name}</bdi> },
                  { title: 'What it is', cell: ({ kind }) => kindNames[kind] },
                  {
                    title: 'Deleted',
                    isMinor: true,
                    cell: ({ deletedAt }) => <Time value={deletedAt} />,
                  },
                  {
                    title: 'Gone for good',
                    isMinor: true,
                    cell: ({ expiresAt }) => <Time value={expiresAt} />,
                  },
                  {
                    title: 'What you can do',
                    cell: (entry) => (
                      <ActionButton
                        needs="publish"
                        size="small"
                        aria-label={`Restore ${entry.name}`}
                        isBusy={restore.isPending && restore.variables.trashId === entry.id}
                        onClick={() => bringBack(entry)}
                      >
                        Restore
                      </ActionButton>
                    ),
                  },
                ]}
              />
              <PageTurner paging={paging} next={nextCursor} />
            </>
          )
        }
      </QueryView>
    </>
  );
}
