import { useLocation } from 'wouter';
import { useChange } from '../../api/use-operation.ts';
import { ActionButton, Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { useToast } from '../../ui/toasts.tsx';
import type { SessionRecord } from './session-words.ts';

interface SessionDeletionDialogProps {
  readonly session: SessionRecord;
  readonly onClose: () => void;
}

/** Says what is lost if a session is deleted, and deletes it. */
export function SessionDeletionDialog({ session: { id, endedAt }, onClose }: SessionDeletionDialogProps) {
  const remove = useChange('delete_session', { removes: 'get_session' });
  const toast = useToast();
  const [, navigate] = useLocation();
  const confirm = () =>
    remove.mutate(
      { sessionId: id },
      {
        onSuccess: () => {
          toast('What was said in the session is deleted.');
          navigate('/sessions');
        },
      },
    );
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Delete what was said?"
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <ActionButton needs="publish" variant="danger" isBusy={remove.isPending} onClick={confirm}>
            Delete
          </ActionButton>
        </>
      }
    >
      <p>
        Texts, path, requests and variables of this session are deleted for good, because they may be personal
        data. They do not go to the trash. Statistics still count the session.
      </p>
      {endedAt === null && (
        <p>
          <strong>The session is open: the visitor’s chat ends now.</strong>
        </p>
      )}
      {remove.error && <ErrorNotice error={remove.error} />}
    </Dialog>
  );
}
