import type { Output } from '../../api/client.ts';
import { useChange } from '../../api/use-operation.ts';
import { ActionButton, Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toasts.tsx';

export type Key = Output<'list_keys'>['keys'][number];

/** A key in a few words. Nobody knows the text of a sign-in through OAuth. */
export function labelOf({ name, last4, oauthClient }: Key): string {
  return oauthClient ? name : `${name} (…${last4})`;
}

interface RevokeDialogProps {
  readonly value: Key;
  /** True if it is the key of this session. */
  readonly isOwn: boolean;
  readonly onClose: () => void;
}

/** Says what stops if a key is revoked, and revokes it. */
export function RevokeDialog({ value, isOwn, onClose }: RevokeDialogProps) {
  const { id, name, keyType, lastUsedAt, oauthClient } = value;
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
      title={`Revoke ${labelOf(value)}?`}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <ActionButton needs="admin" variant="danger" isBusy={revoke.isPending} onClick={confirm}>
            Revoke
          </ActionButton>
        </>
      }
    >
      {oauthClient ? (
        <p>
          <bdi>{oauthClient}</bdi> loses its access at once, until someone signs in again.
        </p>
      ) : (
        <p>
          From now on, every request with this key is refused, and with the keys that were made with it. This
          cannot be undone.
        </p>
      )}
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
