import { Fragment } from 'react';
import { Link } from 'wouter';
import type { Output } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { useOperation } from '../../api/use-operation.ts';
import { Badge } from '../../ui/badge.tsx';
import { Card, Nothing } from '../../ui/card.tsx';
import { Empty } from '../../ui/empty.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { entrancesTo, useEntranceLists } from '../../versions/use-entrances.ts';
import { LiveBadge } from '../activation/live-badge.tsx';
import { ChangeList } from '../history/change-list.tsx';
import { AnsweredBy } from '../numbers/answered-by.tsx';
import { RecordLink } from '../rejection/record-link.tsx';
import { Drafts } from './drafts.tsx';
import classes from './overview-page.module.css';

type Overview = Output<'get_project_overview'>;

/** The kinds of records that somebody can call, chat or ask. Without any of them, a project is empty. */
const kinds = ['conversations', 'flows', 'phoneNumbers', 'webAgents', 'knowledgeBases'] as const;

/** What waits for a person, what goes wrong, and what callers meet now. */
export default function OverviewPage() {
  const { projectId } = useSession();
  const overview = useOperation('get_project_overview', { projectId });
  return (
    <>
      <PageHeader title="Overview" about="What waits for you, and what callers meet now." />
      <QueryView query={overview} what="the overview">
        {(found) => (
          <div className={classes.overview}>
            {isEmpty(found) ? (
              <Empty title="This project is empty">
                Connect an agent over MCP and ask it for a conversation. It can start from a template.
              </Empty>
            ) : (
              <Drafts drafts={found.drafts} draftCount={found.draftCount} />
            )}
            <div className={classes.columns}>
              <div className={classes.column}>
                <Problems problems={found.problems} />
                <Live live={found.live} drafts={found.drafts} />
              </div>
              <RecentChanges />
            </div>
          </div>
        )}
      </QueryView>
    </>
  );
}

function isEmpty({ counts }: Overview): boolean {
  return kinds.every((kind) => (counts[kind] ?? 0) === 0);
}

/** How many conversations and flows that nothing leads to stand in the list of what is live. */
const mostUnmet = 10;

function Live({ live, drafts }: Pick<Overview, 'live' | 'drafts'>) {
  const unmet = useUnmet();
  return (
    <Card title="Live now">
      {live.length === 0 && unmet.length === 0 ? (
        <Nothing>Nobody can call or chat yet: no number and no web agent leads to anything.</Nothing>
      ) : (
        <ul className={classes.list}>
          {live.map(({ at, kind, id, version }) => (
            <li key={`${at} ${id}`}>
              <span className={classes.name}>
                <bdi>{at.replace(/^web agent /, 'Web agent ')}</bdi>
                <span className={classes.fine}>
                  answered by the {kind} <AnsweredBy kind={kind} id={id} />
                </span>
              </span>
              {version !== null && <Badge tone="good">v{version} live</Badge>}
            </li>
          ))}
          {unmet.slice(0, mostUnmet).map(({ id, name, version }) => (
            <li key={id}>
              <span className={classes.name}>
                <RecordLink id={id} name={name} />
                <span className={classes.fine}>no phone number or website leads here</span>
              </span>
              <LiveBadge id={id} version={version ?? activeOf(drafts, id)} />
            </li>
          ))}
          {unmet.length > mostUnmet && (
            <li>
              <span>
                And others: <Link href="/conversations">Conversations</Link> and{' '}
                <Link href="/flows">Flows</Link> list them.
              </span>
            </li>
          )}
        </ul>
      )}
    </Card>
  );
}

function activeOf(drafts: Overview['drafts'], id: string): number | undefined {
  return drafts.find((draft) => draft.id === id)?.active;
}

interface Unmet {
  readonly id: string;
  readonly name: string;
  /** Undefined for a flow: its list does not name the version. */
  readonly version?: number;
}

/** The newest conversations and flows that no number and no website leads to. Empty until it is known. */
function useUnmet(): readonly Unmet[] {
  const { projectId } = useSession();
  const conversations = useOperation('list_conversations', { projectId, limit: 25 }).data?.conversations;
  const flows = useOperation('list_flows', { projectId, limit: 25 }).data?.flows;
  const { numbers, agents } = useEntranceLists();
  const [phones, websites] = [numbers.data, agents.data];
  if (!conversations || !flows || !phones || !websites) return [];
  if ((phones.nextCursor ?? websites.nextCursor) !== undefined) return [];
  return [
    ...conversations.map(({ id, name, activeVersion }) => ({ id, name, version: activeVersion })),
    ...flows.map(({ id, name }) => ({ id, name })),
  ].filter(({ id }) => entrancesTo(id, phones, websites).every(({ isOff }) => isOff));
}

function Problems({ problems }: Pick<Overview, 'problems'>) {
  return (
    <Card
      title="Problems"
      about={problems.length > 0 && 'If a line names calls, give it to your agent: it can make them.'}
    >
      {problems.length === 0 ? (
        <Nothing>None found.</Nothing>
      ) : (
        <ul className={classes.problems}>
          {problems.map((problem) => (
            <li key={problem} dir="auto">
              <ProblemText text={problem} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

/** The names of operations, and the inputs after them. */
const calls = /([a-z]+(?:_[a-z]+)+(?: \{[^}]*\})?)/;

/** A problem. What an agent can call about it is code. */
function ProblemText({ text }: { text: string }) {
  return text.split(calls).map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other identity and no state
    index % 2 === 1 ? <code key={index}>{part}</code> : <Fragment key={index}>{part}</Fragment>,
  );
}

function RecentChanges() {
  const { projectId, access } = useSession();
  const changes = useOperation('list_changes', { projectId, limit: 8 });
  return (
    <Card
      title="Recent changes"
      about={!access.has('admin') && 'Those of this key. A key with access admin sees those of everybody.'}
      aside={<Link href="/history">All changes</Link>}
    >
      <QueryView query={changes} what="the changes">
        {({ changes }) =>
          changes.length === 0 ? (
            <Nothing>Nothing has changed yet.</Nothing>
          ) : (
            <ChangeList changes={changes} />
          )
        }
      </QueryView>
    </Card>
  );
}
