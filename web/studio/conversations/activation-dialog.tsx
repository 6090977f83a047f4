import { GoLiveDialog } from '../activation/go-live-dialog.tsx';
import type { Input } from '../api/client.ts';
import { useChange, useOperation } from '../api/use-operation.ts';
import { MarkedText } from '../components/marked-text.tsx';
import { QueryView } from '../components/query-view.tsx';
import classes from './activation-dialog.module.css';
import type { Conversation } from './tabs.ts';

interface ActivationDialogProps {
  readonly conversation: Conversation;
  /** The version to make live. */
  readonly version: number;
  readonly onClose: () => void;
}

/** Makes a version of a conversation live, after it has shown what callers will notice. */
export function ActivationDialog({ conversation, version, onClose }: ActivationDialogProps) {
  const { id, activeVersion } = conversation;
  const difference = useOperation('diff_designs', { id, n: version, against: activeVersion });
  const activation = useChange('activate_conversation_version');
  return (
    <GoLiveDialog
      id={id}
      version={version}
      live={activeVersion}
      differences={
        <QueryView query={difference} what="the differences">
          {({ summary }) =>
            summary.length === 0 ? (
              <p>Nothing: both versions say and do the same.</p>
            ) : (
              <ul className={classes.list}>
                {summary.map((line) => (
                  <li key={line}>
                    <MarkedText text={line} />
                  </li>
                ))}
              </ul>
            )
          }
        </QueryView>
      }
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
