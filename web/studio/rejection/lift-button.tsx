import { ActionButton } from '../../ui/button.tsx';
import { useToast } from '../../ui/toasts.tsx';
import { useJudgement, type VersionOf } from '../../versions/rejection.ts';

/** Frees a version, and later ones, from the rejections of earlier versions. */
export function LiftButton({ of }: { of: VersionOf }) {
  const { judge, isPending } = useJudgement(of);
  const toast = useToast();
  const lift = () =>
    judge(
      { undo: true },
      {
        onSuccess: () =>
          toast(`What was rejected before no longer keeps version ${of.version} from going live.`),
        onError: ({ message }) => toast(message),
      },
    );
  return (
    <ActionButton needs="publish" size="small" isBusy={isPending} onClick={lift}>
      Lift rejection
    </ActionButton>
  );
}
