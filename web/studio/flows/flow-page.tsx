import { Suspense } from 'react';
import { Unreachable } from '../activation/unreachable.tsx';
import { useIsUnreachable } from '../activation/use-entrances.ts';
import { useOperation } from '../api/use-operation.ts';
import { Badge } from '../components/badge.tsx';
import { Empty } from '../components/empty.tsx';
import { Loading } from '../components/loading.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { QueryView } from '../components/query-view.tsx';
import { TabLinks } from '../components/tab-links.tsx';
import classes from './flow-page.module.css';
import { flowTabs } from './flow-tabs.ts';
import { useCurrentVersions } from './use-flow-versions.ts';

/** One flow, a tab at a time. */
export default function FlowPage({ params }: { params: Readonly<Record<string, string>> }) {
  const { flowId = '', tab = '' } = params;
  const flow = useOperation('get_flow', { flowId });
  const versions = useCurrentVersions(flowId);
  const isUnreachable = useIsUnreachable(flowId);
  const open = flowTabs.find(({ path }) => path === tab);
  return (
    <QueryView query={flow} what="the flow">
      {(flow) => (
        <>
          <PageHeader
            title={flow.name}
            parent={{ label: 'Flows', href: '/flows' }}
            about={flow.description && <bdi>{flow.description}</bdi>}
          >
            {versions.data && <Standing {...versions.data} />}
          </PageHeader>
          {versions.data?.live && isUnreachable && (
            <aside aria-label="Not reachable" className={classes.notice}>
              <p>
                <Unreachable version={versions.data.live.version} isLive />
              </p>
            </aside>
          )}
          <TabLinks label="Flow" tabs={flowTabs} base={`/flows/${flowId}`} open={tab} />
          <Suspense fallback={<Loading what="the tab" />}>
            <QueryView query={versions} what="the versions">
              {(current) =>
                open ? <open.component flow={flow} {...current} /> : <Empty title="There is no such tab" />
              }
            </QueryView>
          </Suspense>
        </>
      )}
    </QueryView>
  );
}

function Standing({ newest, live }: { newest: { version: number }; live: { version: number } | undefined }) {
  return (
    <>
      {live ? <Badge tone="good">v{live.version} live</Badge> : <Badge>not live</Badge>}
      {newest.version !== live?.version && <Badge tone="accent">v{newest.version} newest</Badge>}
    </>
  );
}
