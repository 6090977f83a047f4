import type { Input } from '../api/client.ts';
import { useChange, useOperation } from '../api/use-operation.ts';
import { ActionButton, Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { ErrorNotice } from '../components/error-notice.tsx';
import { MarkedText } from '../components/marked-text.tsx';
import { QueryView } from '../components/query-view.tsx';
import { useToast } from '../components/toasts.tsx';
import { useSession } from '../session/session.ts';
import classes from './activation-dialog.module.css';
import type { Conversation } from './tabs.ts';

interface ActivationDialogProps {
  readonly conversation: Conversation;
  /** The version to make live. */
  readonly version: number;
  readonly onClose: () => void;
}

/** Shows who meets a conversation and what they will notice if a version goes live, and makes it live. */
export function ActivationDialog({ conversation, version, onClose }: ActivationDialogProps) {
  const { id, activeVersion } = conversation;
  const isRollback = version < activeVersion;
  const difference = useOperation('diff_designs', { id, n: version, against: activeVersion });
  const activate = useChange('activate_conversation_version');
  const toast = useToast();
  const confirm = () =>
    activate.mutate({ id, n: version } satisfies Input<'activate_conversation_version'>, {
      onSuccess: () => {
        toast(`Version ${version} is live.`);
        onClose();
      },
    });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={isRollback ? `Roll back to version ${version}?` : `Make version ${version} live?`}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <ActionButton needs="publish" variant="primary" isBusy={activate.isPending} onClick={confirm}>
            {isRollback ? 'Roll back' : 'Make live'}
          </ActionButton>
        </>
      }
    >
      <p>
        Callers meet version {activeVersion} now. From their next call on, they meet version {version}. You
        can go back at any time.
      </p>
      <h3>What changes for them</h3>
      <QueryView query={difference} what="the differences">
        {({ summary }) =>
          summary.length === 0 ? (
            <p>Nothing: both versions say and do the same.</p>
          ) : (
            <ul className={classes.list}>
              {summary.map((line) => (
                <li key={line}>
                  <MarkedText text={line} />
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
      <h3>Where they meet it</h3>
      <Entrances id={id} />
      {activate.error && <ErrorNotice error={activate.error} />}
    </Dialog>
  );
}

/** The most that one page of a list returns. */
const limit = 100;

/** The phone numbers and web agents that lead to a conversation. */
function Entrances({ id }: { id: string }) {
  const { projectId } = useSession();
  const numbers = useOperation('list_phone_numbers', { projectId, limit });
  const agents = useOperation('list_web_agents', { projectId, limit });
  return (
    <QueryView query={numbers} what="the phone numbers">
      {({ phoneNumbers, nextCursor: moreNumbers }) => (
        <QueryView query={agents} what="the web agents">
          {({ webAgents, nextCursor: moreAgents }) => {
            const entrances = [
              ...phoneNumbers
                .filter(({ handler }) => handler?.id === id)
                .map((one) => ({
                  ...one,
                  place: `${one.number} (${one.name})`,
                  isOff: one.status === 'disabled',
                })),
              ...webAgents
                .filter(({ conversationId }) => conversationId === id)
                .map((one) => ({ ...one, place: `Website: ${one.name}`, isOff: one.status === 'disabled' })),
            ];
            return (
              <>
                {entrances.length === 0 ? (
                  <p>No phone number and no web agent leads here yet, so nobody meets it.</p>
                ) : (
                  <ul className={classes.list}>
                    {entrances.map((entrance) => (
                      <li key={entrance.id}>
                        {entrance.place}
                        {entrance.isOff && ', which is switched off'}
                      </li>
                    ))}
                  </ul>
                )}
                {(moreNumbers ?? moreAgents) !== undefined && (
                  <p>Only the newest {limit} numbers and web agents were checked.</p>
                )}
              </>
            );
          }}
        </QueryView>
      )}
    </QueryView>
  );
}
