import { type FormEvent, useId, useState } from 'react';
import { ActionButton, Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { TextArea } from '../../ui/text-field.tsx';
import { useToast } from '../../ui/toasts.tsx';
import { useJudgement, type VersionOf } from '../../versions/rejection.ts';

interface RejectButtonProps {
  readonly of: VersionOf;
  readonly size?: 'small' | 'medium';
}

/** Rejects a version that is not live, after it has asked for the reason. */
export function RejectButton({ of, size = 'medium' }: RejectButtonProps) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <ActionButton needs="publish" size={size} onClick={() => setAsking(true)}>
        Reject…
      </ActionButton>
      {isAsking && <RejectDialog of={of} onClose={() => setAsking(false)} />}
    </>
  );
}

function RejectDialog({ of, onClose }: { of: VersionOf; onClose: () => void }) {
  const form = useId();
  const [reason, setReason] = useState('');
  const { judge, isPending, error } = useJudgement(of);
  const toast = useToast();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const given = reason.trim();
    judge(given === '' ? {} : { reason: given }, {
      onSuccess: () => {
        toast(`Version ${of.version} is rejected. It no longer waits.`);
        onClose();
      },
    });
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Reject version ${of.version}?`}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <ActionButton needs="publish" type="submit" form={form} variant="danger" isBusy={isPending}>
            Reject
          </ActionButton>
        </>
      }
    >
      <form id={form} onSubmit={submit}>
        <TextArea
          label="What is wrong with it? (optional)"
          value={reason}
          onChange={setReason}
          maxLength={1000}
          rows={3}
          dir="auto"
        />
      </form>
      <p>
        The version is kept, but it no longer waits and cannot go live, nor can a later version that still
        holds what it brought. Whoever changes it next reads your reason, also an agent. You can take it up
        again at any time.
      </p>
      {error && <ErrorNotice error={error} />}
    </Dialog>
  );
}
