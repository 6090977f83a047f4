import { Link } from 'wouter';
import type { Input } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { useOperation } from '../../api/use-operation.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import filterClasses from '../../ui/filters.module.css';
import { PageHeader } from '../../ui/page-header.tsx';
import { PageTurner, usePaging } from '../../ui/page-turner.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { rangeOfDays } from '../../ui/range-of-days.ts';
import { SelectField } from '../../ui/select-field.tsx';
import { Table } from '../../ui/table.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { Time } from '../../ui/time.tsx';
import { useAddressFilters } from '../../ui/use-address-filters.ts';
import { useVersions } from '../../versions/use-versions.ts';
import { SessionOwner } from './session-owner.tsx';
import {
  channelInWords,
  lengthInWords,
  outcomeOf,
  outcomes,
  type SessionSummary,
  unusualReasonInWords,
} from './session-words.ts';
import classes from './sessions-page.module.css';

const filters = ['conversationId', 'version', 'channel', 'outcome', 'from', 'to'] as const;
type Chosen = Readonly<Partial<Record<(typeof filters)[number], string>>>;

/** Milliseconds after which the newest sessions are read again, because visitors come and go by themselves. */
const interval = 5_000;

/** What visitors wrote and said, newest first. */
export default function SessionsPage() {
  const { chosen, isEmpty, key, choose, clear } = useAddressFilters(filters);
  return (
    <>
      <PageHeader title="Sessions" about="Chats and calls of the visitors of your websites." />
      <search className={filterClasses.filters}>
        <ConversationFilter
          value={chosen.conversationId ?? ''}
          onChange={(conversationId) => choose({ conversationId, version: '' })}
        />
        {chosen.conversationId !== undefined && (
          <VersionFilter
            conversationId={chosen.conversationId}
            value={chosen.version ?? ''}
            onChange={(version) => choose({ version })}
          />
        )}
        <SelectField
          label="Channel"
          value={chosen.channel ?? ''}
          options={[
            { value: '', label: 'Any' },
            { value: 'chat', label: 'Chat' },
            { value: 'voice', label: 'Voice' },
          ]}
          onChange={(channel) => choose({ channel })}
        />
        <SelectField
          label="How it ended"
          value={chosen.outcome ?? ''}
          options={[
            { value: '', label: 'Any way' },
            ...outcomes.map(({ outcome, word }) => ({ value: outcome, label: word })),
          ]}
          onChange={(outcome) => choose({ outcome })}
        />
        <TextField
          label="From day (UTC)"
          type="date"
          value={chosen.from ?? ''}
          onChange={(from) => choose({ from })}
        />
        <TextField
          label="To day (UTC)"
          type="date"
          value={chosen.to ?? ''}
          onChange={(to) => choose({ to })}
        />
        {!isEmpty && (
          <Button variant="quiet" onClick={clear}>
            Show everything
          </Button>
        )}
      </search>
      <Sessions key={key} chosen={chosen} />
    </>
  );
}

interface FilterProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function ConversationFilter({ value, onChange }: FilterProps) {
  const { projectId } = useSession();
  const conversations =
    useOperation('list_conversations', { projectId, limit: 100 }).data?.conversations ?? [];
  const isListed = value === '' || conversations.some(({ id }) => id === value);
  return (
    <SelectField
      label="Conversation"
      value={value}
      options={[
        { value: '', label: 'Any' },
        ...(isListed ? [] : [{ value, label: 'The one in the address' }]),
        ...conversations.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      onChange={onChange}
    />
  );
}

function VersionFilter({ conversationId, value, onChange }: FilterProps & { conversationId: string }) {
  const versions = useVersions(conversationId).data?.versions ?? [];
  const isListed = value === '' || versions.some(({ n }) => String(n) === value);
  return (
    <SelectField
      label="Version"
      value={value}
      options={[
        { value: '', label: 'Any' },
        ...(isListed ? [] : [{ value, label: `Version ${value}` }]),
        ...versions.map(({ n, isActive }) => ({
          value: String(n),
          label: `Version ${n}${isActive ? ' · live' : ''}`,
        })),
      ]}
      onChange={onChange}
    />
  );
}

function Sessions({ chosen }: { chosen: Chosen }) {
  const { projectId } = useSession();
  const paging = usePaging();
  const { cursor } = paging;
  const { from, to, version, ...same } = chosen;
  const input = {
    projectId,
    limit: 25,
    ...same,
    ...(version !== undefined && { version: Number(version) }),
    ...rangeOfDays({ ...(from !== undefined && { from }), ...(to !== undefined && { to }) }),
    ...(cursor !== undefined && { cursor }),
  } as Input<'list_sessions'>;
  const sessions = useOperation('list_sessions', input, {
    readAgainAfter: () => (cursor === undefined ? interval : false),
  });
  const isFiltered = Object.keys(chosen).length > 0;
  return (
    <QueryView query={sessions} what="the sessions">
      {({ sessions, nextCursor, retentionDays }) => (
        <>
          {sessions.length === 0 ? (
            <Empty title={isFiltered ? 'No such session' : 'No sessions yet'}>
              {isFiltered
                ? 'Nothing fits all of these filters.'
                : 'As soon as a visitor opens a chat of a web agent, it stands here.'}
            </Empty>
          ) : (
            <Table label="Sessions" rows={sessions} idOf={({ id }) => id} columns={columns} />
          )}
          <PageTurner paging={paging} next={nextCursor} />
          <p className={classes.fine}>
            What was said is kept for {retentionDays === 1 ? 'one day' : `${retentionDays} days`} after a
            session has ended.
          </p>
        </>
      )}
    </QueryView>
  );
}

const columns = [
  {
    title: 'Session',
    cell: ({ id, channel, startedAt }: SessionSummary) => (
      <Link href={`/sessions/${id}`}>
        {channelInWords(channel)}, <Time value={startedAt} />
      </Link>
    ),
  },
  {
    title: 'Answered by',
    cell: (session: SessionSummary) => (
      <>
        <SessionOwner session={session} /> <span className={classes.version}>v{session.version}</span>
      </>
    ),
  },
  {
    title: 'How it ended',
    cell: (session: SessionSummary) => {
      const { word, tone } = outcomeOf(session);
      const reason = session.reason === null ? undefined : unusualReasonInWords(session.reason);
      return (
        <>
          <Badge tone={tone}>{word}</Badge>
          {reason && <span className={classes.reason}>{reason}</span>}
        </>
      );
    },
  },
  {
    title: 'Last step',
    isMinor: true,
    cell: ({ lastStep }: SessionSummary) => (lastStep === null ? '' : <code>{lastStep}</code>),
  },
  { title: 'Turns', isMinor: true, cell: ({ turns }: SessionSummary) => turns },
  { title: 'Length', isMinor: true, cell: lengthInWords },
];
