import { Suspense } from 'react';
import { Link } from 'wouter';
import { useOperation } from '../../api/use-operation.ts';
import { Empty } from '../../ui/empty.tsx';
import { Loading } from '../../ui/loading.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { TabLinks } from '../../ui/tab-links.tsx';
import type { Conversation } from '../../versions/conversation.ts';
import { authorsSince } from '../../versions/rejection.ts';
import { useAreEntrancesPending } from '../../versions/use-entrances.ts';
import { useVersions } from '../../versions/use-versions.ts';
import { LiveBadge } from '../activation/live-badge.tsx';
import { StandingNotice } from '../activation/standing-notice.tsx';
import { tabs } from './tabs.ts';

/** One conversation, a tab at a time. */
export default function ConversationPage({ params }: { params: Readonly<Record<string, string>> }) {
  const { id = '', tab = '' } = params;
  const conversation = useOperation('get_conversation', { id, details: false });
  // The notice above the tabs needs both. If it came later, it would push the tabs down while somebody reads.
  const isNoticePending = [useVersions(id).isPending, useAreEntrancesPending()].includes(true);
  return (
    <QueryView query={conversation} what="the conversation">
      {(record) => {
        const open = tabs.find(({ path }) => path === tab);
        return (
          <>
            <PageHeader
              title={record.name}
              parent={{ label: 'Conversations', href: '/conversations' }}
              about={record.description}
            >
              {record.kind !== 'simple' && <LiveBadge id={id} version={record.activeVersion} />}
            </PageHeader>
            {record.kind === 'simple' ? (
              <Empty title="This is a simple conversation: it has no steps">
                Parley stores no text for it, so there is nothing to draw or to rehearse. What its agent says
                may be written in a flow: see <Link href="/flows">Flows</Link>.
              </Empty>
            ) : isNoticePending ? (
              <Loading what="the conversation" />
            ) : (
              <>
                <Standing conversation={record} tab={tab} />
                <TabLinks label="Conversation" tabs={tabs} base={`/conversations/${id}`} open={tab} />
                <Suspense fallback={<Loading what="the tab" />}>
                  {open ? <open.component conversation={record} /> : <Empty title="There is no such tab" />}
                </Suspense>
              </>
            )}
          </>
        );
      }}
    </QueryView>
  );
}

/** How the newest version stands, and the way to look at it. */
function Standing({ conversation: { id, activeVersion }, tab }: { conversation: Conversation; tab: string }) {
  const versions = useVersions(id).data?.versions ?? [];
  const [newest] = versions;
  const authored = versions.map(({ n, author }) => ({ number: n, author }));
  return (
    <StandingNotice
      kind="conversation"
      id={id}
      newest={newest && { ...newest, version: newest.n }}
      authors={authorsSince(authored, activeVersion, newest?.n ?? 0)}
      live={activeVersion}
    >
      {tab !== 'changes' && <Link href={`/conversations/${id}/changes`}>See what changed</Link>}
      {tab !== 'changes' && tab !== 'talk' && <Link href={`/conversations/${id}/talk`}>Talk to it</Link>}
    </StandingNotice>
  );
}
