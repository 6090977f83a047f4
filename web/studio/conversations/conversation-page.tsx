import { Suspense } from 'react';
import { Link } from 'wouter';
import { useOperation } from '../api/use-operation.ts';
import { Empty } from '../components/empty.tsx';
import { Loading } from '../components/loading.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { QueryView } from '../components/query-view.tsx';
import { TabLinks } from '../components/tab-links.tsx';
import { DraftNotice } from './draft-notice.tsx';
import { tabs } from './tabs.ts';

/** One conversation, a tab at a time. */
export default function ConversationPage({ params }: { params: Readonly<Record<string, string>> }) {
  const { id = '', tab = '' } = params;
  const conversation = useOperation('get_conversation', { id, includeDesign: false });
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
            />
            {record.kind === 'simple' ? (
              <Empty title="This is a simple conversation: it has no steps">
                Parley stores no text for it, so there is nothing to draw or to rehearse. What its agent says
                may be written in a flow: see <Link href="/flows">Flows</Link>.
              </Empty>
            ) : (
              <>
                <DraftNotice conversation={record} tab={tab} />
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
