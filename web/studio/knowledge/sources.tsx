import { useChange } from '../../api/use-operation.ts';
import { Badge } from '../../ui/badge.tsx';
import { ActionButton, Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { OutsideLink } from '../../ui/outside-link.tsx';
import { PageTurner, usePaging } from '../../ui/page-turner.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toasts.tsx';
import classes from './sources.module.css';
import { isIndexing, type Sources as SourceList, useSources } from './use-sources.ts';

type Source = SourceList['sources'][number];

/** The websites and files of a knowledge base, and how far they are indexed. */
export function Sources({ kbId }: { kbId: string }) {
  const paging = usePaging();
  const { sources, isWatched, watchAgain } = useSources(kbId, paging.cursor);
  const reindex = useChange('reindex_knowledge_source');
  const toast = useToast();
  const start = ({ id, name }: Source) =>
    reindex.mutate(
      { kbId, id },
      {
        onSuccess: () => {
          toast(`${name} is indexed again. Until that ends, its old passages are found.`);
          watchAgain();
        },
      },
    );
  return (
    <section aria-label="Sources" className={classes.sources}>
      {reindex.error && <ErrorNotice error={reindex.error} />}
      {sources.data && sources.error && (
        <ErrorNotice error={sources.error} onRetry={() => void sources.refetch()} />
      )}
      <QueryView query={sources} what="the sources">
        {(data) =>
          data.sources.length === 0 ? (
            <Empty title="No sources yet">
              An agent adds websites and files over MCP with <code>add_knowledge_source</code>.
            </Empty>
          ) : (
            <>
              {isIndexing(data) && !isWatched && (
                <p>
                  A source is still being indexed.{' '}
                  <Button size="small" onClick={watchAgain}>
                    Look again
                  </Button>
                </p>
              )}
              <Table
                label="Sources"
                rows={data.sources}
                idOf={({ id }) => id}
                columns={[
                  { title: 'Source', cell: (source) => <Origin source={source} /> },
                  { title: 'Indexing', cell: (source) => <Indexing source={source} /> },
                  { title: 'Pages', isMinor: true, cell: ({ pages }) => pages ?? '–' },
                  {
                    title: 'Last indexed',
                    isMinor: true,
                    cell: ({ indexedAt }) => (indexedAt ? <Time value={indexedAt} /> : 'never'),
                  },
                  {
                    title: 'What you can do',
                    cell: (source) => (
                      <ActionButton
                        needs="publish"
                        size="small"
                        aria-label={`Index again: ${source.name}`}
                        refusal={
                          source.indexingStatus === 'inProgress' ? 'It is being indexed now.' : undefined
                        }
                        isBusy={reindex.isPending && reindex.variables.id === source.id}
                        onClick={() => start(source)}
                      >
                        Index again
                      </ActionButton>
                    ),
                  },
                ]}
              />
              <PageTurner paging={paging} next={data.nextCursor} />
            </>
          )
        }
      </QueryView>
    </section>
  );
}

function Origin({ source: { name, url, fileName } }: { source: Source }) {
  return (
    <>
      <bdi>{name}</bdi>
      <span className={classes.fine}>
        {url === null ? <bdi>{fileName ?? 'a file'}</bdi> : <OutsideLink href={url}>{url}</OutsideLink>}
      </span>
    </>
  );
}

function Indexing({ source }: { source: Source }) {
  const { indexingStatus, progress, error, name } = source;
  if (indexingStatus === 'inProgress')
    return (
      <span className={classes.progress}>
        <progress max={100} value={progress} aria-label={`Indexing of ${name}`} />
        {progress} %
      </span>
    );
  if (error !== undefined)
    return (
      <>
        <Badge tone="danger">failed</Badge>
        <span className={classes.fine} dir="auto">
          {error}
        </span>
      </>
    );
  if (indexingStatus === 'completed') return <Badge tone="good">done</Badge>;
  return <Badge>not started</Badge>;
}
