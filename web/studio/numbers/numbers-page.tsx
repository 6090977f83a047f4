import type { Output } from '../../api/client.ts';
import { useSession } from '../../api/session.ts';
import { useOperation } from '../../api/use-operation.ts';
import { Badge } from '../../ui/badge.tsx';
import { Empty } from '../../ui/empty.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { PageTurner, usePaging } from '../../ui/page-turner.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Table } from '../../ui/table.tsx';
import { AnsweredBy } from './answered-by.tsx';

type PhoneNumber = Output<'list_phone_numbers'>['phoneNumbers'][number];

/** The phone numbers of the project, and what answers each. */
export default function NumbersPage() {
  const { projectId } = useSession();
  const paging = usePaging();
  const { cursor } = paging;
  const numbers = useOperation('list_phone_numbers', {
    projectId,
    limit: 25,
    ...(cursor !== undefined && { cursor }),
  });
  return (
    <>
      <PageHeader title="Numbers" about="Phone numbers, and what answers if somebody calls them." />
      <QueryView query={numbers} what="the numbers">
        {({ phoneNumbers, nextCursor }) =>
          phoneNumbers.length === 0 ? (
            <Empty title="No numbers yet">
              An agent imports a number of your carrier over MCP with <code>import_phone_number</code>.
            </Empty>
          ) : (
            <>
              <Table
                label="Phone numbers"
                rows={phoneNumbers}
                idOf={({ id }) => id}
                columns={[
                  { title: 'Number', isShort: true, cell: ({ number }) => <bdi>{number}</bdi> },
                  { title: 'Name', isMinor: true, cell: ({ name }) => <bdi>{name}</bdi> },
                  {
                    title: 'Answered by',
                    cell: ({ handler }) =>
                      handler ? <AnsweredBy {...handler} /> : <Badge tone="warning">nothing</Badge>,
                  },
                  {
                    title: 'Status',
                    isShort: true,
                    cell: ({ status }) => (
                      <Badge tone={status === 'enabled' ? 'good' : 'plain'}>{status}</Badge>
                    ),
                  },
                  { title: 'Comes over', isMinor: true, cell: carrierOf },
                ]}
              />
              <PageTurner paging={paging} next={nextCursor} />
            </>
          )
        }
      </QueryView>
    </>
  );
}

function carrierOf({ type, externalPhoneFields }: PhoneNumber): string {
  if (!externalPhoneFields) return type === 'native' ? 'this platform' : 'a partner';
  const { provider, terminationUri, transport } = externalPhoneFields;
  return `${provider}, ${terminationUri} (${transport})`;
}
