import { useChange } from '../api/use-operation.ts';
import { ActionButton } from '../components/button.tsx';
import { useToast } from '../components/toasts.tsx';
import { inputOf, type VersionOf } from './rejection.ts';

/** Takes the rejection of a version back. */
export function TakeUpButton({ of }: { of: VersionOf }) {
  const undoing = useChange('reject_version');
  const toast = useToast();
  const takeUp = () =>
    undoing.mutate(
      { ...inputOf(of), undo: true },
      {
        onSuccess: () => toast(`Version ${of.version} is no longer rejected.`),
        onError: ({ message }) => toast(message),
      },
    );
  return (
    <ActionButton needs="publish" size="small" isBusy={undoing.isPending} onClick={takeUp}>
      Take up again
    </ActionButton>
  );
}
