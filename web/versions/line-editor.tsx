import { useId, useState } from 'react';
import { ApiError } from '../api/api-error.ts';
import { useChange } from '../api/use-operation.ts';
import { ActionButton, Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { EditIcon } from '../ui/icons.tsx';
import { useToast } from '../ui/toasts.tsx';
import classes from './line-editor.module.css';
import type { Line } from './step-lines.ts';

interface LineEditorProps {
  readonly id: string;
  readonly version: number;
  readonly newest: number;
  readonly line: Line;
  /** The change is stored as this version. */
  readonly onSaved: (n: number) => void;
}

/** What somebody else has made of the line. */
interface Conflict {
  readonly newest: number;
  readonly text: string | undefined;
}

/** A line of a step, which can be changed in place. The change becomes a new version that is not live. */
export function LineEditor({ id, version, newest, line, onSaved }: LineEditorProps) {
  const [typed, setTyped] = useState<string>();
  const label = useId();
  const edit = useChange('edit_design');
  const toast = useToast();
  const conflict = conflictOf(edit.error, line.pointer);
  const stop = () => {
    setTyped(undefined);
    edit.reset();
  };
  /** Replaces the line in a version. What others have written since stays, unless it is the same line. */
  const save = (base: number) =>
    edit.mutate(
      {
        id,
        n: base,
        onConflict: 'merge',
        patch: [{ op: 'replace', path: line.pointer, value: typed }],
      },
      {
        onSuccess: ({ version }) => {
          toast(`Saved as version ${version}. Callers meet it after you make it live.`);
          stop();
          onSaved(version);
        },
      },
    );
  if (typed === undefined)
    return (
      <div className={classes.line}>
        <div className={classes.head}>
          <span className={classes.label}>{line.label}</span>
          <ActionButton
            needs="draft"
            refusal={version === newest ? undefined : 'Open the newest version to edit it.'}
            variant="quiet"
            size="small"
            icon={<EditIcon />}
            aria-label={`Edit: ${line.label}`}
            onClick={() => setTyped(line.text)}
          />
        </div>
        <p dir="auto">{line.text}</p>
      </div>
    );
  return (
    <div className={classes.line}>
      <label id={label} htmlFor={`${label}-text`} className={classes.label}>
        {line.label}
      </label>
      <textarea
        id={`${label}-text`}
        dir="auto"
        // biome-ignore lint/a11y/noAutofocus: the user has just asked to edit this line
        autoFocus
        rows={4}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') stop();
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save(version);
        }}
      />
      {conflict ? (
        <ConflictNotice
          conflict={conflict}
          isBusy={edit.isPending}
          onTheirs={() => {
            stop();
            onSaved(conflict.newest);
          }}
          onMine={() => save(conflict.newest)}
        />
      ) : (
        <>
          {edit.error && <ErrorNotice error={edit.error} />}
          <div className={classes.actions}>
            <Button
              variant="primary"
              size="small"
              isBusy={edit.isPending}
              refusal={typed === line.text ? 'Change the text first.' : undefined}
              onClick={() => save(version)}
            >
              Save as a draft
            </Button>
            <Button size="small" onClick={stop}>
              Cancel
            </Button>
          </div>
        </>
      )}
    </div>
  );
}

interface ConflictNoticeProps {
  readonly conflict: Conflict;
  readonly isBusy: boolean;
  readonly onTheirs: () => void;
  readonly onMine: () => void;
}

function ConflictNotice({ conflict: { newest, text }, isBusy, onTheirs, onMine }: ConflictNoticeProps) {
  return (
    <div role="alert" className={classes.conflict}>
      <p>
        {text === undefined
          ? `Version ${newest} no longer has this line.`
          : `Somebody has changed this line since you opened it. In version ${newest} it says:`}
      </p>
      {text !== undefined && <blockquote dir="auto">{text}</blockquote>}
      <div className={classes.actions}>
        <Button size="small" variant="primary" onClick={onTheirs}>
          Show version {newest}
        </Button>
        {text !== undefined && (
          <Button size="small" isBusy={isBusy} onClick={onMine}>
            Save mine instead
          </Button>
        )}
      </div>
    </div>
  );
}

/** Undefined unless the edit was refused because the line has changed. */
function conflictOf(error: Error | null, pointer: string): Conflict | undefined {
  if (!(error instanceof ApiError) || error.code !== 'version_conflict') return undefined;
  const { newestVersion, conflicts = [] } = error.details as {
    newestVersion: number;
    conflicts?: readonly { path: string; theirs: unknown }[];
  };
  const theirs = conflicts.find(({ path }) => path === pointer)?.theirs;
  return { newest: newestVersion, text: typeof theirs === 'string' ? theirs : undefined };
}
