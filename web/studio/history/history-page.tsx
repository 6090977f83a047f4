import type { Input } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { useOperation } from '../../api/use-operation.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Empty } from '../../ui/empty.tsx';
import classes from '../../ui/filters.module.css';
import { PageHeader } from '../../ui/page-header.tsx';
import { PageTurner, usePaging } from '../../ui/page-turner.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { rangeOfDays } from '../../ui/range-of-days.ts';
import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useAddressFilters } from '../../ui/use-address-filters.ts';
import { ChangeList } from './change-list.tsx';
import { changingOperations } from './change-words.ts';

const filters = ['operation', 'keyId', 'resource', 'from', 'to'] as const;
type Chosen = Readonly<Partial<Record<(typeof filters)[number], string>>>;

/** Who changed what and when. The address keeps the filters, so a link leads to the same list. */
export default function HistoryPage() {
  const { access } = useSession();
  const { chosen, isEmpty, key, choose, clear } = useAddressFilters(filters);
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
          onChange={(value) => choose({ operation: value })}
        />
        {isAdmin && <KeyFilter value={chosen.keyId ?? ''} onChange={(value) => choose({ keyId: value })} />}
        <TextField
          label="From day (UTC)"
          type="date"
          value={chosen.from ?? ''}
          onChange={(value) => choose({ from: value })}
        />
        <TextField
          label="To day (UTC)"
          type="date"
          value={chosen.to ?? ''}
          onChange={(value) => choose({ to: value })}
        />
        <TextField
          label="Id of the record"
          value={chosen.resource ?? ''}
          maxLength={100}
          autoComplete="off"
          spellCheck={false}
          onChange={(value) => choose({ resource: value.trim() })}
        />
        {!isEmpty && (
          <Button variant="quiet" onClick={clear}>
            Show everything
          </Button>
        )}
      </search>
      <Changes key={key} chosen={chosen} />
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
    ...rangeOfDays({ ...(from !== undefined && { from }), ...(to !== undefined && { to }) }),
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
