import { useState } from 'react';
import { GoLiveDialog } from '../activation/go-live-dialog.tsx';
import type { Input } from '../api/client.ts';
import { useChange } from '../api/use-operation.ts';
import { InheritedRejections } from '../rejection/inherited-rejections.tsx';
import { authorsSince } from '../rejection/rejection.ts';
import { DifferenceList } from './difference-list.tsx';
import type { Conversation } from './tabs.ts';
import { useActivationRefusal } from './use-activation-refusal.ts';
import { useVersions } from './use-versions.ts';
import { VersionChecks } from './version-checks.tsx';

interface ActivationDialogProps {
  readonly conversation: Conversation;
  /** The version to make live. */
  readonly version: number;
  readonly onClose: () => void;
}

/** Makes a version of a conversation live, after it has shown what callers will notice. */
export function ActivationDialog({ conversation, version, onClose }: ActivationDialogProps) {
  const { id } = conversation;
  // The dialog stays until the page has read what is live now, and compares with what was live before.
  const [before] = useState(conversation.activeVersion);
  const versions = useVersions(id).data?.versions ?? [];
  const inherited = versions.find(({ n }) => n === version)?.inheritedRejections;
  const authored = versions.map(({ n, author }) => ({ number: n, author }));
  const refusal = useActivationRefusal(conversation, version);
  const activation = useChange('activate_conversation_version', { waits: true });
  return (
    <GoLiveDialog
      id={id}
      version={version}
      live={before}
      authors={authorsSince(authored, before, version)}
      // Once it is live, the dialog only waits until the page has read so.
      refusal={activation.isPending ? undefined : refusal}
      obstacles={
        inherited && <InheritedRejections of={{ kind: 'conversation', id, version }} rejections={inherited} />
      }
      checks={<VersionChecks id={id} version={version} />}
      differences={<DifferenceList id={id} from={before} to={version} />}
      isBusy={activation.isPending}
      error={activation.error}
      activate={(onDone) =>
        void activation
          .mutateAsync({ id, n: version } satisfies Input<'activate_conversation_version'>)
          // The dialog shows the error.
          .then(onDone, () => undefined)
      }
      onClose={onClose}
    />
  );
}
