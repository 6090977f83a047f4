import { Suspense } from 'react';
import { Link } from 'wouter';
import { useOperation } from '../../api/use-operation.ts';
import { Badge } from '../../ui/badge.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Loading } from '../../ui/loading.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { TabLinks } from '../../ui/tab-links.tsx';
import { useAreEntrancesPending } from '../../versions/use-entrances.ts';
import { LiveBadge } from '../activation/live-badge.tsx';
import { StandingNotice } from '../activation/standing-notice.tsx';
import { flowTabs } from './flow-tabs.ts';
import { type CurrentVersions, currentAuthors, useCurrentVersions } from './use-flow-versions.ts';

/** One flow, a tab at a time. */
export default function FlowPage({ params }: { params: Readonly<Record<string, string>> }) {
  const { flowId = '', tab = '' } = params;
  const flow = useOperation('get_flow', { flowId });
  const versions = useCurrentVersions(flowId);
  // The notice above the tabs needs both. If it came later, it would push the tabs down while somebody reads.
  const isNoticePending = [versions.isPending, useAreEntrancesPending()].includes(true);
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
            {versions.data && <Badges id={flowId} {...versions.data} />}
          </PageHeader>
          {isNoticePending ? (
            <Loading what="the versions" />
          ) : (
            <>
              <StandingNotice
                kind="flow"
                id={flowId}
                newest={versions.data?.newest}
                authors={versions.data ? currentAuthors(versions.data) : []}
                live={versions.data?.live?.version}
              >
                {tab !== 'changes' && <Link href={`/flows/${flowId}/changes`}>See what changed</Link>}
                {tab !== 'changes' && tab !== 'try' && <Link href={`/flows/${flowId}/try`}>Try it</Link>}
              </StandingNotice>
              <TabLinks label="Flow" tabs={flowTabs} base={`/flows/${flowId}`} open={tab} />
              <Suspense fallback={<Loading what="the tab" />}>
                <QueryView query={versions} what="the versions">
                  {(current) =>
                    open ? (
                      <open.component flow={flow} {...current} />
                    ) : (
                      <Empty title="There is no such tab" />
                    )
                  }
                </QueryView>
              </Suspense>
            </>
          )}
        </>
      )}
    </QueryView>
  );
}

function Badges({ id, newest, live }: CurrentVersions & { id: string }) {
  return (
    <>
      {live ? <LiveBadge id={id} version={live.version} /> : <Badge>not live</Badge>}
      {newest.version !== live?.version && (
        <Badge tone={newest.rejection || newest.inheritedRejections ? 'warning' : 'accent'}>
          v{newest.version} {newest.rejection ? 'rejected' : 'draft'}
        </Badge>
      )}
    </>
  );
}
