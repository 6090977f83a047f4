import { GoLiveDialog } from '../activation/go-live-dialog.tsx';
import { useChange } from '../api/use-operation.ts';
import { FlowDifferences } from './flow-differences.tsx';
import type { CurrentVersions, FlowVersion } from './use-flow-versions.ts';

interface FlowActivationDialogProps extends Pick<CurrentVersions, 'live'> {
  /** The version to make live. */
  readonly version: FlowVersion;
  readonly onClose: () => void;
}

/** Makes a version of a flow live, after it has shown what callers will notice. */
export function FlowActivationDialog({ live, version, onClose }: FlowActivationDialogProps) {
  const activation = useChange('activate_flow_version');
  return (
    <GoLiveDialog
      id={version.flowId}
      version={version.version}
      live={live?.version}
      differences={
        live ? (
          <FlowDifferences before={live} after={version} />
        ) : (
          <p>There is nothing to compare with: none of the newest hundred versions is live.</p>
        )
      }
      isBusy={activation.isPending}
      error={activation.error}
      activate={(onDone) => activation.mutate({ versionId: version.id }, { onSuccess: onDone })}
      onClose={onClose}
    />
  );
}
