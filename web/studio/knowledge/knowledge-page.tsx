import { Link } from 'wouter';
import { useSession } from '../../api/session.ts';
import { useOperation } from '../../api/use-operation.ts';
import { Empty } from '../../ui/empty.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { PageTurner, usePaging } from '../../ui/page-turner.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';

/** The knowledge bases of the project, newest first. */
export default function KnowledgePage() {
  const { projectId } = useSession();
  const paging = usePaging();
  const { cursor } = paging;
  const bases = useOperation('list_knowledge_bases', {
    projectId,
    limit: 25,
    ...(cursor !== undefined && { cursor }),
  });
  return (
    <>
      <PageHeader title="Knowledge" about="Websites and files in which conversations look up answers." />
      <QueryView query={bases} what="the knowledge bases">
        {({ knowledgeBases, nextCursor }) =>
          knowledgeBases.length === 0 ? (
            <Empty title="No knowledge bases yet">
              An agent makes one over MCP with <code>create_knowledge_base</code>, then adds websites and
              files with <code>add_knowledge_source</code>.
            </Empty>
          ) : (
            <>
              <Table
                label="Knowledge bases"
                rows={knowledgeBases}
                idOf={({ id }) => id}
                columns={[
                  {
                    title: 'Name',
                    cell: ({ id, name }) => (
                      <Link href={`/knowledge/${id}`} dir="auto">
                        {name}
                      </Link>
                    ),
                  },
                  { title: 'Made', cell: ({ createdAt }) => <Time value={createdAt} /> },
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
