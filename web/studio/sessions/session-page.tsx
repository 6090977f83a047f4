import { useState } from 'react';
import { Link } from 'wouter';
import type { Design } from '../../api/operations.ts';
import { useOperation } from '../../api/use-operation.ts';
import { Badge } from '../../ui/badge.tsx';
import { ActionButton } from '../../ui/button.tsx';
import { Card, Nothing } from '../../ui/card.tsx';
import { Loading } from '../../ui/loading.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Time } from '../../ui/time.tsx';
import { stepName } from '../../versions/step-lines.ts';
import { useDesign } from '../../versions/use-versions.ts';
import facts from '../calls/facts.module.css';
import { PathList } from '../calls/path-list.tsx';
import { valueInWords } from '../calls/played-call.ts';
import { RequestList } from '../calls/request-list.tsx';
import { Happening, LineItem, Transcript } from '../calls/transcript.tsx';
import { SessionDeletionDialog } from './session-deletion-dialog.tsx';
import { SessionOwner } from './session-owner.tsx';
import classes from './session-page.module.css';
import {
  channelInWords,
  lengthInWords,
  outcomeOf,
  reasonInWords,
  type SessionRecord,
} from './session-words.ts';

/** Milliseconds after which an open session is read again. */
const interval = 3_000;

/** One session: what was said and how it was understood, the way it took, and what it used. */
export default function SessionPage({ params }: { params: Readonly<Record<string, string>> }) {
  const { sessionId = '' } = params;
  const session = useOperation(
    'get_session',
    { sessionId },
    { readAgainAfter: (read) => (read?.endedAt === null ? interval : false) },
  );
  const [isDeleting, setDeleting] = useState(false);
  return (
    <QueryView query={session} what="the session">
      {(session) => {
        const { word, tone } = outcomeOf(session);
        return (
          <>
            <PageHeader
              title={`${channelInWords(session.channel)} with a visitor`}
              parent={{ label: 'Sessions', href: '/sessions' }}
              about={
                <>
                  <SessionOwner session={session} />,{' '}
                  {session.conversationId === null ? (
                    `version ${session.version}`
                  ) : (
                    <Link href={`/conversations/${session.conversationId}?version=${session.version}`}>
                      version {session.version}
                    </Link>
                  )}
                </>
              }
            >
              <Badge tone={tone}>{word}</Badge>
              <ActionButton needs="publish" onClick={() => setDeleting(true)}>
                Delete…
              </ActionButton>
            </PageHeader>
            <Facts session={session} />
            <Story session={session} />
            {isDeleting && <SessionDeletionDialog session={session} onClose={() => setDeleting(false)} />}
          </>
        );
      }}
    </QueryView>
  );
}

function Facts({ session }: { session: SessionRecord }) {
  const { startedAt, turns, usage } = session;
  const length = lengthInWords(session);
  return (
    <dl className={classes.facts}>
      <div>
        <dt>Started</dt>
        <dd>
          <Time value={startedAt} />
        </dd>
      </div>
      {length !== undefined && (
        <div>
          <dt>Length</dt>
          <dd>{length}</dd>
        </div>
      )}
      <div>
        <dt>Turns of the visitor</dt>
        <dd>{turns}</dd>
      </div>
      <div>
        <dt>Model calls</dt>
        <dd>{usage.modelCalls}</dd>
      </div>
      <div>
        <dt>Model tokens</dt>
        <dd>{usage.modelTokens.toLocaleString('en')}</dd>
      </div>
    </dl>
  );
}

/** A design that knows no names, so that steps are called by their ids. */
const withoutNames: Design = { schemaVersion: 'cd/1', entry: { stepId: '' }, steps: {} };

/** The session with the names of its version, as long as that is there. */
function Story({ session }: { session: SessionRecord }) {
  return session.conversationId === null ? (
    <NamedStory session={session} design={withoutNames} />
  ) : (
    <ConversationStory session={session} conversationId={session.conversationId} />
  );
}

function ConversationStory({ session, conversationId }: { session: SessionRecord; conversationId: string }) {
  const design = useDesign(conversationId, session.version);
  if (design.isPending) return <Loading what="the version" />;
  return <NamedStory session={session} design={design.data ?? withoutNames} />;
}

interface StoryProps {
  readonly session: SessionRecord;
  readonly design: Design;
}

function NamedStory({ session, design }: StoryProps) {
  const { path, requests, notes, endedAt } = session;
  const variables = Object.entries(session.variables);
  return (
    <div className={classes.columns}>
      <Card title="What was said">
        <Said session={session} design={design} />
      </Card>
      <div className={classes.column}>
        <Card title="Path">
          <PathList design={design} path={path} isOver={endedAt !== null} />
        </Card>
        <Card title="Variables">
          {variables.length === 0 ? (
            <Nothing>The session knows nothing about the visitor.</Nothing>
          ) : (
            <dl className={facts.values}>
              {variables.map(([name, value]) => (
                <div key={name} className={classes.pair}>
                  <dt>{name}</dt>
                  <dd dir="auto">{valueInWords(value)}</dd>
                </div>
              ))}
            </dl>
          )}
        </Card>
        <Card title="Requests">
          {requests.length === 0 ? (
            <Nothing>The session has sent nothing.</Nothing>
          ) : (
            <RequestList
              design={design}
              requests={requests as Parameters<typeof RequestList>[0]['requests']}
            />
          )}
        </Card>
        {notes.length > 0 && (
          <Card title="Notes" about="What failed, or had no value.">
            <ul className={facts.list}>
              {notes.map((note) => (
                <li key={note}>{note}</li>
              ))}
            </ul>
          </Card>
        )}
      </div>
    </div>
  );
}

function Said({ session: { transcript, endedAt, reason, lastStep }, design }: StoryProps) {
  if (transcript.length === 0) return <Nothing>Nobody has said anything.</Nothing>;
  return (
    <div aria-live={endedAt === null ? 'polite' : undefined}>
      <Transcript label="What was said">
        {transcript.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a session only grows
          <LineItem key={index} design={design} line={line} />
        ))}
        <Happening>
          {endedAt === null
            ? 'The agent listens. What comes next appears here by itself.'
            : `${reasonInWords(reason ?? '')}${lastStep === null ? '' : `, at ${stepName(design, lastStep)}`}.`}
        </Happening>
      </Transcript>
    </div>
  );
}
