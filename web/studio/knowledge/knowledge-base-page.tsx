import { useOperation } from '../../api/use-operation.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import classes from './knowledge-base-page.module.css';
import { QuestionBox } from './question-box.tsx';
import { Sources } from './sources.tsx';

/** One knowledge base: where its answers come from, and a box to try it. */
export default function KnowledgeBasePage({ params }: { params: Readonly<Record<string, string>> }) {
  const { kbId = '' } = params;
  const base = useOperation('get_knowledge_base', { kbId });
  return (
    <QueryView query={base} what="the knowledge base">
      {({ name }) => (
        <>
          <PageHeader title={name} parent={{ label: 'Knowledge', href: '/knowledge' }} />
          <div className={classes.parts}>
            <QuestionBox kbId={kbId} />
            <Sources kbId={kbId} />
          </div>
        </>
      )}
    </QueryView>
  );
}
