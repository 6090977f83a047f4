import { useChange, useOperation } from '../api/use-operation.ts';
import { ActionButton, Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { ErrorNotice } from '../components/error-notice.tsx';
import { QueryView } from '../components/query-view.tsx';
import { useToast } from '../components/toasts.tsx';
import type { Conversation } from './tabs.ts';

interface ActivationDialogProps {
  readonly conversation: Conversation;
  /** The version to make live. */
  readonly version: number;
  readonly onClose: () => void;
}

/** Shows what callers will notice if a version goes live, and makes it live. */
export function ActivationDialog({ conversation, version, onClose }: ActivationDialogProps) {
  const { id, activeVersion } = conversation;
  const isRollback = version < activeVersion;
  const difference = useOperation('diff_designs', { id, n: version, against: activeVersion });
  const activate = useChange('activate_conversation_version');
  const toast = useToast();
  const confirm = () =>
    activate.mutate(
      { id, n: version },
      {
        onSuccess: () => {
          toast(`Version ${version} is live.`);
          onClose();
        },
      },
    );
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
        Callers meet version {activeVersion} now. From their next call on, they meet version {version}.
      </p>
      <h3>What changes for them</h3>
      <QueryView query={difference} what="the differences">
        {({ summary }) =>
          summary.length === 0 ? (
            <p>Nothing: both versions say and do the same.</p>
          ) : (
            <ul>
              {summary.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          )
        }
      </QueryView>
      {activate.error && <ErrorNotice error={activate.error} />}
    </Dialog>
  );
}
