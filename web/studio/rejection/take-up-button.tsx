import { ActionButton } from '../../ui/button.tsx';
import { useToast } from '../../ui/toasts.tsx';
import { useJudgement, type VersionOf } from '../../versions/rejection.ts';

interface TakeUpButtonProps {
  readonly of: VersionOf;
  /** True if the place of the button does not say which version it is. */
  readonly isNamed?: boolean;
}

/** Takes the rejection of a version back. */
export function TakeUpButton({ of, isNamed = false }: TakeUpButtonProps) {
  const { judge, isPending } = useJudgement(of);
  const toast = useToast();
  const takeUp = () =>
    judge(
      { undo: true },
      {
        onSuccess: () => toast(`Version ${of.version} is no longer rejected.`),
        onError: ({ message }) => toast(message),
      },
    );
  return (
    <ActionButton needs="publish" size="small" isBusy={isPending} onClick={takeUp}>
      {isNamed ? `Take up version ${of.version} again` : 'Take up again'}
    </ActionButton>
  );
}
