import { Link } from 'wouter';
import { useSession } from '../../api/session.ts';
import { useOperation } from '../../api/use-operation.ts';
import { Badge } from '../../ui/badge.tsx';
import { Empty } from '../../ui/empty.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { PageTurner, usePaging } from '../../ui/page-turner.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { LiveBadge } from '../activation/live-badge.tsx';
import classes from './conversations-page.module.css';

/** The conversations of the project, newest first. */
export default function ConversationsPage() {
  const { projectId } = useSession();
  const paging = usePaging();
  const { cursor } = paging;
  const conversations = useOperation('list_conversations', {
    projectId,
    limit: 25,
    ...(cursor !== undefined && { cursor }),
  });
  return (
    <>
      <PageHeader title="Conversations" about="What agents say and do, step by step." />
      <QueryView query={conversations} what="the conversations">
        {({ conversations, nextCursor }) =>
          conversations.length === 0 ? (
            <Empty title="No conversations yet">
              An agent makes one over MCP with <code>create_conversation</code>, for example from a template.
            </Empty>
          ) : (
            <>
              <Table
                label="Conversations"
                rows={conversations}
                idOf={({ id }) => id}
                columns={[
                  {
                    title: 'Name',
                    cell: ({ id, name, description }) => (
                      <>
                        <Link href={`/conversations/${id}`}>
                          <bdi>{name}</bdi>
                        </Link>
                        {description && (
                          <p className={classes.about}>
                            <bdi>{description}</bdi>
                          </p>
                        )}
                      </>
                    ),
                  },
                  {
                    title: 'Versions',
                    cell: ({ id, name, activeVersion }) => (
                      <Versions id={id} name={name} activeVersion={activeVersion} />
                    ),
                  },
                  { title: 'Last change', isMinor: true, cell: ({ id }) => <LastChange id={id} /> },
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

function useNewest(id: string) {
  return useOperation('list_conversation_versions', { id, limit: 1, details: true }).data?.versions[0];
}

function Versions({ id, name, activeVersion }: { id: string; name: string; activeVersion: number }) {
  const newest = useNewest(id);
  return (
    <span className={classes.badges}>
      <LiveBadge id={id} version={activeVersion} />
      {newest && newest.n > activeVersion && (
        <>
          {newest.rejection ? (
            <Badge tone="warning">v{newest.n} rejected</Badge>
          ) : (
            <Badge tone="accent">v{newest.n} draft</Badge>
          )}
          <Link href={`/conversations/${id}/changes`} aria-label={`See what changed in ${name}`}>
            See what changed
          </Link>
        </>
      )}
    </span>
  );
}

function LastChange({ id }: { id: string }) {
  const newest = useNewest(id);
  if (!newest) return null;
  return (
    <span className={classes.change}>
      {newest.isActive && newest.liveAt ? (
        <>
          went live <Time value={newest.liveAt} />
        </>
      ) : (
        <>
          v{newest.n} made <Time value={newest.createdAt} />
          {newest.author && ` by ${newest.author}`}
        </>
      )}
    </span>
  );
}
