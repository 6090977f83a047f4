import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Output } from '../api/client.ts';
import { useOperation } from '../api/use-operation.ts';
import { Badge } from '../components/badge.tsx';
import { ButtonLink } from '../components/button.tsx';
import { Card, Nothing } from '../components/card.tsx';
import { MarkedText } from '../components/marked-text.tsx';
import { QueryView } from '../components/query-view.tsx';
import { RecordLink } from '../components/record-link.tsx';
import { Time } from '../components/time.tsx';
import { differencesBetween } from '../flows/flow-fields.ts';
import { useCurrentVersions } from '../flows/use-flow-versions.ts';
import classes from './drafts.module.css';

type Draft = Output<'get_project_overview'>['drafts'][number];

/** The most drafts that an overview lists. */
const mostListed = 3;
/** Lines about one draft. Its page shows all of them. */
const mostLines = 3;

/** What agents and people have changed and callers do not meet yet: who changed what, and the way to judge it. */
export function Drafts({ drafts }: { drafts: readonly Draft[] }) {
  return (
    <Card title="Drafts that wait for you" about="Callers do not meet these changes yet.">
      {drafts.length === 0 ? (
        <Nothing>None. Callers meet the newest version of everything.</Nothing>
      ) : (
        <ul className={classes.drafts}>
          {drafts.map((draft) => (
            <li key={draft.id}>
              {draft.kind === 'conversation' ? (
                <ConversationDraft draft={draft} />
              ) : (
                <FlowDraft draft={draft} />
              )}
            </li>
          ))}
        </ul>
      )}
      {drafts.length === mostListed && (
        <p className={classes.more}>
          There may be more: <Link href="/conversations">Conversations</Link> and{' '}
          <Link href="/flows">Flows</Link> show the versions of everything.
        </p>
      )}
    </Card>
  );
}

function ConversationDraft({ draft }: { draft: Draft }) {
  const { id, active, newest } = draft;
  const versions = useOperation('list_conversation_versions', { id, limit: 1, details: true });
  const difference = useOperation(
    'diff_designs',
    { id, n: newest ?? 1, against: active ?? 1 },
    { enabled: newest !== null && active !== null },
  );
  return (
    <DraftView draft={draft} made={versions.data?.versions[0]}>
      <QueryView query={difference} what={`the changes of ${draft.name}`}>
        {({ summary }) => (
          <Changes
            lines={summary.map((line) => ({ key: line, line: <MarkedText text={line} /> }))}
            nothing="It says and does the same as the live version."
          />
        )}
      </QueryView>
    </DraftView>
  );
}

function FlowDraft({ draft }: { draft: Draft }) {
  const versions = useCurrentVersions(draft.id);
  return (
    <DraftView draft={draft} made={versions.data?.newest}>
      <QueryView query={versions} what={`the changes of ${draft.name}`}>
        {({ newest, live }) => (
          <Changes
            lines={differencesBetween(live?.flowSchema, newest.flowSchema).map(
              ({ key, place, before, after }) => ({
                key,
                line: `${place}: ${before === undefined ? 'added' : after === undefined ? 'removed' : 'changed'}`,
              }),
            )}
            nothing="It has the same configuration as the live version."
          />
        )}
      </QueryView>
    </DraftView>
  );
}

interface DraftViewProps {
  readonly draft: Draft;
  /** Who made the newest version, and when. Undefined until it is known. */
  readonly made: { readonly createdAt: string; readonly author?: string | null } | undefined;
  /** What it changes. */
  readonly children: ReactNode;
}

function DraftView({ draft: { kind, id, name, active, newest }, made, children }: DraftViewProps) {
  return (
    <div className={classes.draft}>
      <div className={classes.words}>
        <h3 className={classes.name}>
          <RecordLink id={id} name={name} /> <Badge tone="accent">v{newest} draft</Badge>
        </h3>
        <p className={classes.made}>
          {made && (
            <>
              <bdi>{made.author ?? 'An unknown key'}</bdi>, <Time value={made.createdAt} />
              {' · '}
            </>
          )}
          {active === null ? 'nothing is live' : `v${active} is live`}
        </p>
        {children}
      </div>
      <ButtonLink
        href={`/${kind}s/${id}/changes`}
        variant="primary"
        aria-label={`Compare with live: ${name}`}
      >
        Compare with live
      </ButtonLink>
    </div>
  );
}

interface ChangesProps {
  readonly lines: readonly { readonly key: string; readonly line: ReactNode }[];
  /** What to say if there is no line. */
  readonly nothing: string;
}

function Changes({ lines, nothing }: ChangesProps) {
  if (lines.length === 0) return <p className={classes.made}>{nothing}</p>;
  return (
    <ul className={classes.changes}>
      {lines.slice(0, mostLines).map(({ key, line }) => (
        <li key={key} dir="auto">
          {line}
        </li>
      ))}
      {lines.length > mostLines && <li className={classes.rest}>and {lines.length - mostLines} more</li>}
    </ul>
  );
}
