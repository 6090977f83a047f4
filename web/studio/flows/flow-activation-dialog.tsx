import { useState } from 'react';
import { useChange } from '../../api/use-operation.ts';
import { GoLiveDialog } from '../../versions/go-live-dialog.tsx';
import { authorsSince, whyNotLive } from '../../versions/rejection.ts';
import { InheritedRejections } from '../rejection/inherited-rejections.tsx';
import { FlowDifferences } from './flow-differences.tsx';
import type { CurrentVersions, FlowVersion } from './use-flow-versions.ts';

interface FlowActivationDialogProps extends Pick<CurrentVersions, 'live' | 'authored'> {
  /** The version to make live. */
  readonly version: FlowVersion;
  readonly onClose: () => void;
}

/** Makes a version of a flow live, after it has shown what callers will notice. */
export function FlowActivationDialog({ live, authored, version, onClose }: FlowActivationDialogProps) {
  // The dialog stays until the page has read what is live now, and compares with what was live before.
  const [before] = useState(live);
  const activation = useChange('activate_flow_version', { waits: true });
  return (
    <GoLiveDialog
      id={version.flowId}
      version={version.version}
      live={before?.version}
      authors={authorsSince(authored, before?.version, version.version)}
      refusal={whyNotLive(version.version, version)}
      obstacles={
        version.inheritedRejections && (
          <InheritedRejections
            of={{ kind: 'flow', id: version.flowId, version: version.version }}
            rejections={version.inheritedRejections}
          />
        )
      }
      differences={
        before ? (
          <FlowDifferences before={before} after={version} />
        ) : (
          <p>There is nothing to compare with: none of the newest hundred versions is live.</p>
        )
      }
      isBusy={activation.isPending}
      error={activation.error}
      activate={(onDone) =>
        void activation
          .mutateAsync({ versionId: version.id })
          // The dialog shows the error.
          .then(onDone, () => undefined)
      }
      onClose={onClose}
    />
  );
}
