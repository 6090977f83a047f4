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
import classes from './flows-page.module.css';

/** The flows of the project, newest first. */
export default function FlowsPage() {
  const { projectId } = useSession();
  const paging = usePaging();
  const { cursor } = paging;
  const flows = useOperation('list_flows', { projectId, limit: 25, ...(cursor !== undefined && { cursor }) });
  return (
    <>
      <PageHeader title="Flows" about="What answers the phone, written as one document." />
      <QueryView query={flows} what="the flows">
        {({ flows, nextCursor }) =>
          flows.length === 0 ? (
            <Empty title="No flows yet">
              An agent makes one over MCP with <code>create_flow</code>.
            </Empty>
          ) : (
            <>
              <Table
                label="Flows"
                rows={flows}
                idOf={({ id }) => id}
                columns={[
                  {
                    title: 'Name',
                    cell: ({ id, name }) => (
                      <Link href={`/flows/${id}`} dir="auto">
                        {name}
                      </Link>
                    ),
                  },
                  { title: 'Versions', cell: ({ id, name }) => <Versions id={id} name={name} /> },
                  { title: 'About', isMinor: true, cell: ({ description }) => <bdi>{description}</bdi> },
                  { title: 'Changed', cell: ({ updatedAt }) => <Time value={updatedAt} /> },
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

/** The versions of a flow with a draft, as the overview knows them: the list of flows has no versions. */
function Versions({ id, name }: { id: string; name: string }) {
  const { projectId } = useSession();
  const overview = useOperation('get_project_overview', { projectId }).data;
  if (!overview) return null;
  const draft = overview.drafts.find((one) => one.id === id);
  if (!draft) return overview.draftCount === overview.drafts.length && <LiveBadge id={id} />;
  return (
    <span className={classes.badges}>
      <LiveBadge id={id} version={draft.active} />
      <Badge tone="accent">v{draft.newest} draft</Badge>
      <Link href={`/flows/${id}/changes`} aria-label={`See what changed in ${name}`}>
        See what changed
      </Link>
    </span>
  );
}
