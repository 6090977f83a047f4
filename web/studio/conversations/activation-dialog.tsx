import { useState } from 'react';
import type { Input } from '../../api/client.ts';
import { useChange } from '../../api/use-operation.ts';
import type { Conversation } from '../../versions/conversation.ts';
import { DifferenceList } from '../../versions/difference-list.tsx';
import { GoLiveDialog } from '../../versions/go-live-dialog.tsx';
import { authorsSince } from '../../versions/rejection.ts';
import { useVersions } from '../../versions/use-versions.ts';
import { InheritedRejections } from '../rejection/inherited-rejections.tsx';
import { useActivationRefusal } from './use-activation-refusal.ts';
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
