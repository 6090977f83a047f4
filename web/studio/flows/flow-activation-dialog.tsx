import { useChange } from '../api/use-operation.ts';
import { ActionButton, Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { ErrorNotice } from '../components/error-notice.tsx';
import { useToast } from '../components/toasts.tsx';
import { FlowDifferences } from './flow-differences.tsx';
import type { CurrentVersions, FlowVersion } from './use-flow-versions.ts';

interface FlowActivationDialogProps extends Pick<CurrentVersions, 'live'> {
  /** The version to make live. */
  readonly version: FlowVersion;
  readonly onClose: () => void;
}

/** Shows what callers will notice if a version of a flow goes live, and makes it live. */
export function FlowActivationDialog({ live, version, onClose }: FlowActivationDialogProps) {
  const isRollback = live !== undefined && version.version < live.version;
  const activate = useChange('activate_flow_version');
  const toast = useToast();
  const confirm = () =>
    activate.mutate(
      { versionId: version.id },
      {
        onSuccess: () => {
          toast(`Version ${version.version} is live.`);
          onClose();
        },
      },
    );
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={
        isRollback ? `Roll back to version ${version.version}?` : `Make version ${version.version} live?`
      }
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
        Callers meet {live ? `version ${live.version}` : 'no version'} now. From their next call on, they meet
        version {version.version}.
      </p>
      {live && (
        <>
          <h3>What changes for them</h3>
          <FlowDifferences before={live} after={version} />
        </>
      )}
      {activate.error && <ErrorNotice error={activate.error} />}
    </Dialog>
  );
}
