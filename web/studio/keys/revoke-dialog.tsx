import type { Output } from '../api/client.ts';
import { useChange } from '../api/use-operation.ts';
import { ActionButton, Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { ErrorNotice } from '../components/error-notice.tsx';
import { Time } from '../components/time.tsx';
import { useToast } from '../components/toasts.tsx';

export type Key = Output<'list_keys'>['keys'][number];

interface RevokeDialogProps {
  readonly value: Key;
  /** True if it is the key of this session. */
  readonly isOwn: boolean;
  readonly onClose: () => void;
}

/** Says what stops if a key is revoked, and revokes it. */
export function RevokeDialog({
  value: { id, name, keyType, last4, lastUsedAt },
  isOwn,
  onClose,
}: RevokeDialogProps) {
  const revoke = useChange('revoke_key');
  const toast = useToast();
  const confirm = () =>
    revoke.mutate(
      { id },
      {
        onSuccess: () => {
          toast(`The key ${name} is revoked.`);
          onClose();
        },
      },
    );
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Revoke ${name} (…${last4})?`}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <ActionButton needs="admin" variant="danger" isBusy={revoke.isPending} onClick={confirm}>
            Revoke
          </ActionButton>
        </>
      }
    >
      <p>
        From now on, every request with this key is refused, and with the keys that were made with it. This
        cannot be undone.
      </p>
      {keyType === 'publishable' && <p>Pages that use it can no longer start a chat.</p>}
      <p>It was last used: {lastUsedAt ? <Time value={lastUsedAt} /> : 'never'}.</p>
      {isOwn && (
        <p>
          <strong>You are signed in with this key, so you will be signed out.</strong>
        </p>
      )}
      {revoke.error && <ErrorNotice error={revoke.error} />}
    </Dialog>
  );
}
