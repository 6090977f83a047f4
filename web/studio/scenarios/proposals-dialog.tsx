import { useState } from 'react';
import type { Input } from '../../api/client.ts';
import { useChange, useOperation } from '../../api/use-operation.ts';
import { ActionButton, Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { useToast } from '../../ui/toasts.tsx';
import classes from './scenarios.module.css';

type Scenario = NonNullable<Input<'save_scenarios'>['scenarios']>[number];

interface ProposalsDialogProps {
  readonly id: string;
  readonly version: number;
  /** The names that saved scenarios have. */
  readonly names: ReadonlySet<string>;
  readonly onClose: () => void;
}

/** Offers scenarios that together take every exit of a version, and keeps the chosen ones. */
export function ProposalsDialog({ id, version, names, onClose }: ProposalsDialogProps) {
  const proposals = useOperation('propose_scenarios', { id, version });
  const save = useChange('save_scenarios');
  const toast = useToast();
  const [unwanted, setUnwanted] = useState<ReadonlySet<string>>(new Set());
  const all = (proposals.data?.scenarios ?? []) as unknown as readonly Scenario[];
  const fresh = all.filter(({ name }) => !names.has(name));
  const chosen = fresh.filter(({ name }) => !unwanted.has(name));
  const keep = () =>
    save.mutate(
      { id, scenarios: [...chosen] },
      {
        onSuccess: ({ scenarios }) => {
          toast(`${scenarios.length} ${scenarios.length === 1 ? 'scenario is' : 'scenarios are'} saved.`);
          onClose();
        },
      },
    );
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Proposed scenarios"
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <ActionButton
            needs="draft"
            variant="primary"
            isBusy={save.isPending}
            refusal={chosen.length === 0 ? 'Choose at least one.' : undefined}
            onClick={keep}
          >
            {`Keep ${chosen.length}`}
          </ActionButton>
        </>
      }
    >
      <QueryView query={proposals} what="the proposals">
        {({ missed }) => (
          <>
            <p>
              Together these calls take every exit of version {version} that a call can take. They expect what
              it does now, so read them before you keep them.
            </p>
            {all.length > fresh.length && (
              <p className={classes.muted}>{all.length - fresh.length} more are saved already.</p>
            )}
            {fresh.map(({ name, caller }) => (
              <div key={name} className={classes.proposal}>
                <Checkbox
                  isChecked={!unwanted.has(name)}
                  onChange={(isWanted) => {
                    const next = new Set(unwanted);
                    if (isWanted) next.delete(name);
                    else next.add(name);
                    setUnwanted(next);
                  }}
                >
                  {name}
                </Checkbox>
                <p className={classes.script}>{(caller.script ?? []).map(turnInWords).join(' ')}</p>
              </div>
            ))}
            {missed.length > 0 && (
              <details>
                <summary>
                  {missed.length} {missed.length === 1 ? 'part' : 'parts'} that no call sees
                </summary>
                <ul>
                  {missed.map(({ part, reason }) => (
                    <li key={part}>
                      {part}: {reason}
                    </li>
                  ))}
                </ul>
              </details>
            )}
            {save.error && <ErrorNotice error={save.error} />}
          </>
        )}
      </QueryView>
    </Dialog>
  );
}

function turnInWords(turn: NonNullable<Scenario['caller']['script']>[number]): string {
  if (typeof turn === 'string') return `“${turn}”`;
  if (turn.silent) return '(silence)';
  return turn.hangUp ? '(hangs up)' : `“${turn.text ?? ''}”`;
}
