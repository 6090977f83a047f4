import { useSearchParams } from 'wouter';
import type { Input } from '../api/client.ts';
import { useOperation } from '../api/use-operation.ts';
import { Button } from '../components/button.tsx';
import { Card } from '../components/card.tsx';
import { Empty } from '../components/empty.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { PageTurner, usePaging } from '../components/page-turner.tsx';
import { QueryView } from '../components/query-view.tsx';
import { SelectField } from '../components/select-field.tsx';
import { TextField } from '../components/text-field.tsx';
import { useSession } from '../session/session.ts';
import { ChangeList } from './change-list.tsx';
import { changingOperations } from './change-words.ts';
import classes from './history-page.module.css';

const filters = ['operation', 'keyId', 'resource', 'from', 'to'] as const;
type Filter = (typeof filters)[number];
type Chosen = Partial<Record<Filter, string>>;

/** Who changed what and when. The address keeps the filters, so a link leads to the same list. */
export default function HistoryPage() {
  const { access } = useSession();
  const [parameters, setParameters] = useSearchParams();
  const chosen: Chosen = {};
  for (const name of filters) {
    const value = parameters.get(name);
    if (value) chosen[name] = value;
  }
  const choose = (name: Filter, value: string) =>
    setParameters(
      (now) => {
        const next = new URLSearchParams(now);
        if (value === '') next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  const isAdmin = access.has('admin');
  return (
    <>
      <PageHeader
        title="History"
        about={
          isAdmin
            ? 'Who changed what and when.'
            : 'What this key has changed. A key with access admin sees the changes of everybody.'
        }
      />
      <search className={classes.filters}>
        <SelectField
          label="What was done"
          value={chosen.operation ?? ''}
          options={[
            { value: '', label: 'Anything' },
            ...changingOperations.map(({ name, words }) => ({ value: name, label: words })),
          ]}
          onChange={(value) => choose('operation', value)}
        />
        {isAdmin && <KeyFilter value={chosen.keyId ?? ''} onChange={(value) => choose('keyId', value)} />}
        <TextField
          label="From day (UTC)"
          type="date"
          value={chosen.from ?? ''}
          onChange={(value) => choose('from', value)}
        />
        <TextField
          label="To day (UTC)"
          type="date"
          value={chosen.to ?? ''}
          onChange={(value) => choose('to', value)}
        />
        <TextField
          label="Id of the record"
          value={chosen.resource ?? ''}
          maxLength={100}
          autoComplete="off"
          spellCheck={false}
          onChange={(value) => choose('resource', value.trim())}
        />
        {Object.keys(chosen).length > 0 && (
          <Button variant="quiet" onClick={() => setParameters({}, { replace: true })}>
            Show everything
          </Button>
        )}
      </search>
      <Changes key={parameters.toString()} chosen={chosen} />
    </>
  );
}

function KeyFilter({ value, onChange }: { value: string; onChange: (keyId: string) => void }) {
  const { projectId } = useSession();
  const keys = useOperation('list_keys', { projectId, limit: 1000 }).data?.keys ?? [];
  return (
    <SelectField
      label="By the key"
      value={value}
      options={[
        { value: '', label: 'Any key' },
        ...keys.map(({ id, name, last4 }) => ({ value: id, label: `${name} (…${last4})` })),
      ]}
      onChange={onChange}
    />
  );
}

function Changes({ chosen }: { chosen: Chosen }) {
  const { projectId } = useSession();
  const paging = usePaging();
  const { cursor } = paging;
  const { from, to, ...same } = chosen;
  const input: Input<'list_changes'> = {
    projectId,
    limit: 25,
    ...same,
    ...(from !== undefined && { from: `${from}T00:00:00Z` }),
    ...(to !== undefined && { to: dayAfter(to) }),
    ...(cursor !== undefined && { cursor }),
  };
  const changes = useOperation('list_changes', input);
  return (
    <QueryView query={changes} what="the history">
      {({ changes, nextCursor }) =>
        changes.length === 0 ? (
          <Empty title={Object.keys(chosen).length === 0 ? 'Nothing has changed yet' : 'No such change'}>
            {Object.keys(chosen).length === 0
              ? 'Every change of the project will stand here, with the key that made it.'
              : 'Nothing fits all of these filters.'}
          </Empty>
        ) : (
          <>
            <Card title="Changes">
              <ChangeList changes={changes} />
            </Card>
            <PageTurner paging={paging} next={nextCursor} />
          </>
        )
      }
    </QueryView>
  );
}

/** The start of the next day, because the API leaves the end of a range out. */
function dayAfter(day: string): string {
  const next = new Date(`${day}T00:00:00Z`);
  next.setUTCDate(next.getUTCDate() + 1);
  return next.toISOString();
}
