import { GoLiveDialog } from '../activation/go-live-dialog.tsx';
import type { Input } from '../api/client.ts';
import { useChange } from '../api/use-operation.ts';
import { DifferenceList } from './difference-list.tsx';
import type { Conversation } from './tabs.ts';
import { VersionChecks } from './version-checks.tsx';

interface ActivationDialogProps {
  readonly conversation: Conversation;
  /** The version to make live. */
  readonly version: number;
  readonly onClose: () => void;
}

/** Makes a version of a conversation live, after it has shown what callers will notice. */
export function ActivationDialog({ conversation, version, onClose }: ActivationDialogProps) {
  const { id, activeVersion } = conversation;
  const activation = useChange('activate_conversation_version');
  return (
    <GoLiveDialog
      id={id}
      version={version}
      live={activeVersion}
      checks={<VersionChecks id={id} version={version} />}
      differences={<DifferenceList id={id} from={activeVersion} to={version} />}
      isBusy={activation.isPending}
      error={activation.error}
      activate={(onDone) =>
        activation.mutate({ id, n: version } satisfies Input<'activate_conversation_version'>, {
          onSuccess: onDone,
        })
      }
      onClose={onClose}
    />
  );
}
