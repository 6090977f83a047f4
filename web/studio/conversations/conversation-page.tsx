import { Suspense } from 'react';
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
              <Empty title="This conversation has no design">
                It is of kind simple: its agent profile says what it does.
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
