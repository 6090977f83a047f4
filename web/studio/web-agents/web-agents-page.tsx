import { useState } from 'react';
import { useSession } from '../../api/session.ts';
import { useOperation } from '../../api/use-operation.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { PageTurner, usePaging } from '../../ui/page-turner.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Table } from '../../ui/table.tsx';
import { ConversationLink } from '../numbers/answered-by.tsx';
import { EmbedDialog, type WebAgent } from './embed-dialog.tsx';
import classes from './web-agents-page.module.css';

/** Origins that a row shows; the dialog shows all. */
const mostShown = 3;

/** The web agents of the project: which conversation visitors of which websites meet. */
export default function WebAgentsPage() {
  const { projectId } = useSession();
  const paging = usePaging();
  const { cursor } = paging;
  const webAgents = useOperation('list_web_agents', {
    projectId,
    limit: 25,
    ...(cursor !== undefined && { cursor }),
  });
  const [chosen, setChosen] = useState<WebAgent>();
  return (
    <>
      <PageHeader
        title="Web agents"
        about="Conversations on websites, and the websites that may show them."
      />
      <QueryView query={webAgents} what="the web agents">
        {({ webAgents, nextCursor }) =>
          webAgents.length === 0 ? (
            <Empty title="No web agents yet">
              An agent makes one over MCP with <code>create_web_agent</code>.
            </Empty>
          ) : (
            <>
              <Table
                label="Web agents"
                rows={webAgents}
                idOf={({ id }) => id}
                columns={[
                  { title: 'Name', cell: ({ name }) => <bdi>{name}</bdi> },
                  {
                    title: 'Conversation',
                    cell: ({ conversationId }) => <ConversationLink id={conversationId} />,
                  },
                  { title: 'Websites', isMinor: true, cell: (agent) => <Origins agent={agent} /> },
                  { title: 'Visitors may', isMinor: true, cell: ({ scopes }) => wordsOf(scopes) },
                  {
                    title: 'Status',
                    cell: ({ status }) => (
                      <Badge tone={status === 'active' ? 'good' : 'plain'}>{status}</Badge>
                    ),
                  },
                  {
                    title: 'On a page',
                    cell: (agent) => (
                      <Button
                        size="small"
                        aria-label={`Embed ${agent.name}…`}
                        onClick={() => setChosen(agent)}
                      >
                        Embed…
                      </Button>
                    ),
                  },
                ]}
              />
              <PageTurner paging={paging} next={nextCursor} />
            </>
          )
        }
      </QueryView>
      {chosen && <EmbedDialog agent={chosen} onClose={() => setChosen(undefined)} />}
    </>
  );
}

function Origins({ agent: { allowedOrigins } }: { agent: WebAgent }) {
  if (allowedOrigins.length === 0) return <Badge tone="warning">none</Badge>;
  const more = allowedOrigins.length - mostShown;
  return (
    <ul className={classes.origins}>
      {allowedOrigins.slice(0, mostShown).map((origin) => (
        <li key={origin}>
          <bdi>{origin}</bdi>
        </li>
      ))}
      {more > 0 && <li>and {more} more</li>}
    </ul>
  );
}

function wordsOf(scopes: WebAgent['scopes']): string {
  return scopes.map((scope) => (scope === 'voice' ? 'speak' : 'chat')).join(' and ');
}
