import type { ReactNode } from 'react';
import { ActionButton, Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { useToast } from '../ui/toasts.tsx';
import { Authors } from './authors.tsx';
import { Entrances } from './entrances.tsx';
import { Unreachable } from './unreachable.tsx';
import { useIsUnreachable } from './use-entrances.ts';

interface GoLiveDialogProps {
  /** The flow or conversation. */
  readonly id: string;
  /** The version to make live. */
  readonly version: number;
  /** The version that callers meet now; undefined if it is not known. */
  readonly live: number | undefined;
  /** Who made the versions since the live one. */
  readonly authors?: readonly string[];
  /** Why the version cannot go live; undefined if nothing is known that keeps it. */
  readonly refusal?: string | undefined;
  /** What keeps the version from going live, with the way to change that. */
  readonly obstacles?: ReactNode;
  /** What was found out about the version. */
  readonly checks?: ReactNode;
  /** What callers will notice. */
  readonly differences: ReactNode;
  readonly isBusy: boolean;
  readonly error: Error | null;
  /** Makes the version live, and calls `onDone` once it is. */
  readonly activate: (onDone: () => void) => void;
  readonly onClose: () => void;
}

/** Shows who meets a flow or conversation and what they will notice if a version goes live, and makes it live. */
export function GoLiveDialog({
  id,
  version,
  live,
  authors = [],
  refusal,
  obstacles,
  checks,
  differences,
  isBusy,
  error,
  activate,
  onClose,
}: GoLiveDialogProps) {
  const isRollback = live !== undefined && version < live;
  const isUnreachable = useIsUnreachable(id);
  const toast = useToast();
  const confirm = () =>
    activate(() => {
      toast(isUnreachable ? <Unreachable version={version} isLive /> : `Version ${version} is live.`);
      onClose();
    });
  return (
    <Dialog
      isOpen
      onClose={onClose}
      notice={error && <ErrorNotice error={error} />}
      title={isRollback ? `Roll back to version ${version}?` : `Make version ${version} live?`}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <ActionButton needs="publish" variant="primary" refusal={refusal} isBusy={isBusy} onClick={confirm}>
            {isRollback ? 'Roll back' : 'Make live'}
          </ActionButton>
        </>
      }
    >
      {isUnreachable ? (
        <p>
          <Unreachable version={version} isLive={false} /> You can go back at any time.
        </p>
      ) : (
        <p>
          {live !== undefined && `Callers meet version ${live} now. `}
          From their next call on, {live === undefined ? 'callers' : 'they'} meet version {version}. You can
          go back at any time.
        </p>
      )}
      {authors.length > 0 && (
        <p>
          Made since then by <Authors names={authors} />.
        </p>
      )}
      {refusal !== undefined && <p role="status">{refusal}</p>}
      {obstacles}
      {checks}
      {!isUnreachable && <h3>Where they meet it</h3>}
      <Entrances id={id} />
      <h3>What changes for them</h3>
      {differences}
    </Dialog>
  );
}
