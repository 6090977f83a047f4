import { Link } from 'wouter';
import type { Output } from '../api/client.ts';
import { useOperation } from '../api/use-operation.ts';
import { Badge } from '../components/badge.tsx';
import { Card, Nothing } from '../components/card.tsx';
import { Empty } from '../components/empty.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { QueryView } from '../components/query-view.tsx';
import { RecordLink } from '../components/record-link.tsx';
import { ChangeList } from '../history/change-list.tsx';
import { AnsweredBy } from '../numbers/answered-by.tsx';
import { useSession } from '../session/session.ts';
import classes from './overview-page.module.css';

type Overview = Output<'get_project_overview'>;

/** The kinds of records that have a page, by their name in the counts of the overview. */
const kinds = [
  ['conversations', 'Conversations', '/conversations'],
  ['flows', 'Flows', '/flows'],
  ['phoneNumbers', 'Numbers', '/numbers'],
  ['webAgents', 'Web agents', '/web-agents'],
  ['knowledgeBases', 'Knowledge bases', '/knowledge'],
] as const;

/** What the project has, what callers meet, and what waits for a person. */
export default function OverviewPage() {
  const { projectId } = useSession();
  const overview = useOperation('get_project_overview', { projectId });
  return (
    <>
      <PageHeader title="Overview" about="What callers meet now, and what waits for you." />
      <QueryView query={overview} what="the overview">
        {(found) => (
          <div className={classes.overview}>
            <ul className={classes.counts} aria-label="What the project has">
              {kinds.map(([kind, label, href]) => (
                <li key={kind}>
                  <Link href={href}>
                    <strong>{found.counts[kind] ?? 0}</strong> {label}
                  </Link>
                </li>
              ))}
            </ul>
            {isEmpty(found) && (
              <Empty title="This project is empty">
                Connect an agent over MCP and ask it for a conversation. It can start from a template.
              </Empty>
            )}
            <div className={classes.columns}>
              <div className={classes.column}>
                <Drafts drafts={found.drafts} />
                <Live live={found.live} />
              </div>
              <div className={classes.column}>
                <Problems problems={found.problems} />
                <RecentChanges />
              </div>
            </div>
          </div>
        )}
      </QueryView>
    </>
  );
}

function isEmpty({ counts }: Overview): boolean {
  return kinds.every(([kind]) => (counts[kind] ?? 0) === 0);
}

function Drafts({ drafts }: Pick<Overview, 'drafts'>) {
  return (
    <Card title="Drafts that wait" about="Callers do not meet them yet. Compare each with what is live.">
      {drafts.length === 0 ? (
        <Nothing>Every newest version is live.</Nothing>
      ) : (
        <ul className={classes.list}>
          {drafts.map(({ kind, id, name, active, newest }) => (
            <li key={id}>
              <span className={classes.name}>
                <RecordLink id={id} name={name} />
                <span className={classes.fine}>
                  {kind} · version {newest} waits, {active === null ? 'none' : `version ${active}`} is live
                </span>
              </span>
              <Link href={`/${kind}s/${id}/changes`} aria-label={`Compare the versions of ${name}`}>
                Compare
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function Live({ live }: Pick<Overview, 'live'>) {
  return (
    <Card title="Live now">
      {live.length === 0 ? (
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
        </ul>
      )}
    </Card>
  );
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
              {problem}
            </li>
          ))}
        </ul>
      )}
    </Card>
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
