import { Fragment, type ReactNode } from 'react';
import { Link } from 'wouter';
import type { Output } from '../../api/client.ts';
import { useOperation } from '../../api/use-operation.ts';
import { Badge } from '../../ui/badge.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Card, Nothing } from '../../ui/card.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Time } from '../../ui/time.tsx';
import { Authors } from '../../versions/authors.tsx';
import { labelOf } from '../../versions/rejection.ts';
import { useDesign } from '../../versions/use-versions.ts';
import { useCurrentVersions } from '../flows/use-flow-versions.ts';
import { RecordLink } from '../rejection/record-link.tsx';
import { RejectedBy } from '../rejection/rejected-by.tsx';
import { type DraftLine, linesOfDesigns, linesOfFlows } from './draft-lines.ts';
import classes from './drafts.module.css';

type Overview = Output<'get_project_overview'>;
type Draft = Overview['drafts'][number];

/** Drafts that say what they change. The others stand below them by name. */
const mostDescribed = 10;
/** Lines about one draft, unless more of them are important. Its page shows all of them. */
const mostLines = 3;

/** What agents and people have changed and callers do not meet yet: who changed what, and the way to judge it. */
export function Drafts({ drafts, draftCount }: Pick<Overview, 'drafts' | 'draftCount'>) {
  return (
    <Card title="Drafts that wait for you" about="Callers do not meet these changes yet.">
      {drafts.length === 0 ? (
        <Nothing>None. No newer version waits to go live.</Nothing>
      ) : (
        <ul className={classes.drafts}>
          {drafts.slice(0, mostDescribed).map((draft) => (
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
      <OtherDrafts drafts={drafts.slice(mostDescribed)} notListed={draftCount - drafts.length} />
    </Card>
  );
}

interface OtherDraftsProps {
  readonly drafts: readonly Draft[];
  /** How many more there are. */
  readonly notListed: number;
}

function OtherDrafts({ drafts, notListed }: OtherDraftsProps) {
  const count = drafts.length + notListed;
  if (count === 0) return null;
  return (
    <p className={classes.more}>
      {count === 1 ? '1 more draft: ' : `${count} more drafts: `}
      {drafts.map(({ kind, id, name }, index) => (
        <Fragment key={id}>
          {index > 0 && ', '}
          <Link href={`/${kind}s/${id}/changes`} dir="auto">
            {name}
          </Link>
        </Fragment>
      ))}
      {notListed > 0 && (
        <>
          {' '}
          and {notListed} older. <Link href="/conversations">Conversations</Link> and{' '}
          <Link href="/flows">Flows</Link> list them.
        </>
      )}
    </p>
  );
}

function ConversationDraft({ draft }: { draft: Draft }) {
  const { id, active, newest } = draft;
  const versions = useOperation('list_conversation_versions', { id, limit: 1, details: true });
  const [before, after] = [useDesign(id, active), useDesign(id, newest)];
  return (
    <DraftView draft={draft} made={versions.data?.versions[0]}>
      <QueryView query={before} what={`the live version of ${draft.name}`}>
        {(live) => (
          <QueryView query={after} what={`the draft of ${draft.name}`}>
            {(changed) => (
              <Changes
                lines={linesOfDesigns(live, changed)}
                nothing="It says and does the same as the live version."
              />
            )}
          </QueryView>
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
            lines={linesOfFlows(live?.flowSchema, newest.flowSchema)}
            nothing="It has the same configuration as the live version."
          />
        )}
      </QueryView>
    </DraftView>
  );
}

interface DraftViewProps {
  readonly draft: Draft;
  /** When the newest version was made. Undefined until it is known. */
  readonly made: { readonly createdAt: string } | undefined;
  /** What it changes. */
  readonly children: ReactNode;
}

function DraftView({ draft, made, children }: DraftViewProps) {
  const { kind, id, name, active, newest, authors, rejections = [] } = draft;
  return (
    <div className={classes.draft}>
      <div className={classes.words}>
        <h3 className={classes.name}>
          <RecordLink id={id} name={name} /> <Badge tone="accent">v{newest} draft</Badge>
        </h3>
        <p className={classes.made}>
          {made && (
            <>
              {authors.length > 0 ? <Authors names={authors} /> : 'Author not recorded'},{' '}
              <Time value={made.createdAt} />
              {' · '}
            </>
          )}
          {active === null ? 'nothing is live' : `v${active} is live`}
        </p>
        {rejections.map((rejection) => (
          <p key={`${rejection.of?.id} ${rejection.version}`} className={classes.made}>
            <Badge tone="warning">{labelOf([rejection])}</Badge> Version {rejection.version}
            {rejection.of && (
              <>
                {' '}
                of <RecordLink id={rejection.of.id} name={rejection.of.name} />
              </>
            )}{' '}
            was <RejectedBy rejection={rejection} />
          </p>
        ))}
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
  readonly lines: readonly DraftLine[];
  /** What to say if there is no line. */
  readonly nothing: string;
}

function Changes({ lines, nothing }: ChangesProps) {
  if (lines.length === 0) return <p className={classes.made}>{nothing}</p>;
  const shown = Math.max(mostLines, lines.filter(({ isImportant }) => isImportant).length);
  const hidden = lines.length - shown;
  return (
    <ul className={classes.changes}>
      {lines.slice(0, shown).map(({ key, place, before, after }) => (
        <li key={key} dir="auto">
          {place}
          {(before ?? after) !== undefined && ': '}
          {before !== undefined && <del>{before}</del>}
          {before !== undefined && after !== undefined && ' → '}
          {after !== undefined && <ins>{after}</ins>}
        </li>
      ))}
      {hidden > 0 && <li className={classes.rest}>and {hidden} more</li>}
    </ul>
  );
}
