import { useState } from 'react';
import { useChange, useOperation } from '../../api/use-operation.ts';
import { Badge } from '../../ui/badge.tsx';
import { ActionButton } from '../../ui/button.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { PageTurner, usePaging } from '../../ui/page-turner.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toasts.tsx';
import { labelOf, whyNotLive } from '../../versions/rejection.ts';
import { LastLive } from '../activation/last-live.tsx';
import { LiveBadge } from '../activation/live-badge.tsx';
import classes from '../activation/version-table.module.css';
import { LiftButton } from '../rejection/lift-button.tsx';
import { RejectButton } from '../rejection/reject-button.tsx';
import { RejectedBy } from '../rejection/rejected-by.tsx';
import { TakeUpButton } from '../rejection/take-up-button.tsx';
import { FlowActivationDialog } from './flow-activation-dialog.tsx';
import type { FlowTabProps, FlowVersion } from './use-flow-versions.ts';

/** Who made which version. Any of them can go live again, or become the newest draft. */
export default function FlowVersionsTab({ flow, newest, live, authored }: FlowTabProps) {
  const paging = usePaging();
  const { cursor } = paging;
  const versions = useOperation('list_flow_versions', {
    flowId: flow.id,
    limit: 10,
    details: true,
    ...(cursor !== undefined && { cursor }),
  });
  const [chosen, setChosen] = useState<FlowVersion>();
  const restore = useChange('restore_flow_version');
  const toast = useToast();
  const restoreVersion = (version: number) =>
    restore.mutate(
      { flowId: flow.id, version },
      {
        onSuccess: ({ flow: made }) =>
          made && toast(`Version ${made.version} repeats version ${made.restored}. It is a draft.`),
      },
    );
  return (
    <>
      {restore.error && <ErrorNotice error={restore.error} />}
      <QueryView query={versions} what="the versions">
        {({ versions, nextCursor }) => (
          <>
            <Table
              label="Versions"
              rows={versions}
              idOf={({ id }) => id}
              columns={[
                {
                  title: 'Version',
                  cell: ({ version, isActive, rejection, inheritedRejections }) => (
                    <>
                      Version {version} {isActive && <LiveBadge id={flow.id} />}
                      {rejection && <Badge tone="warning">rejected</Badge>}
                      {inheritedRejections && <Badge tone="warning">{labelOf(inheritedRejections)}</Badge>}
                    </>
                  ),
                },
                {
                  title: 'Made',
                  cell: ({ createdAt, author, rejection }) => (
                    <>
                      <Time value={createdAt} /> · <bdi>{author ?? 'author not recorded'}</bdi>
                      {rejection && (
                        <p className={classes.rejection}>
                          <RejectedBy rejection={rejection} />
                        </p>
                      )}
                    </>
                  ),
                },
                {
                  title: 'Live',
                  isMinor: true,
                  cell: (version) => <LastLive {...version} />,
                },
                {
                  title: 'What you can do',
                  cell: (row) => (
                    <span className={classes.actions}>
                      {!row.isActive && (
                        <>
                          <ActionButton
                            needs="publish"
                            size="small"
                            refusal={whyNotLive(row.version, row)}
                            onClick={() => setChosen(row)}
                          >
                            {live && row.version < live.version ? 'Roll back…' : 'Make live…'}
                          </ActionButton>
                          {row.inheritedRejections?.some(({ blocks }) => blocks) && !row.rejection && (
                            <LiftButton of={{ kind: 'flow', id: flow.id, version: row.version }} />
                          )}
                          {row.rejection ? (
                            <TakeUpButton of={{ kind: 'flow', id: flow.id, version: row.version }} />
                          ) : (
                            <RejectButton
                              size="small"
                              of={{ kind: 'flow', id: flow.id, version: row.version }}
                            />
                          )}
                        </>
                      )}
                      {row.version !== newest.version && (
                        <ActionButton
                          needs="draft"
                          size="small"
                          variant="quiet"
                          isBusy={restore.isPending && restore.variables.version === row.version}
                          onClick={() => restoreVersion(row.version)}
                        >
                          Restore as a draft
                        </ActionButton>
                      )}
                    </span>
                  ),
                },
              ]}
            />
            <PageTurner paging={paging} next={nextCursor} />
          </>
        )}
      </QueryView>
      {chosen && (
        <FlowActivationDialog
          live={live}
          authored={authored}
          version={chosen}
          onClose={() => setChosen(undefined)}
        />
      )}
    </>
  );
}
