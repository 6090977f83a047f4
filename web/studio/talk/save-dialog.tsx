import { type FormEvent, useId, useState } from 'react';
import { Link } from 'wouter';
import type { Input } from '../../api/client.ts';
import type { Design } from '../../api/operations.ts';
import { useChange, useOperation } from '../../api/use-operation.ts';
import { ActionButton, Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { TextField } from '../../ui/text-field.tsx';
import type { Conversation } from '../../versions/conversation.ts';
import { expectationInWords, joinedPath } from '../calls/played-call.ts';
import classes from './talk.module.css';
import { type Call, scriptOf } from './use-call.ts';

type SavedExpectation = NonNullable<
  NonNullable<Input<'save_scenarios'>['scenarios']>[number]['expect']
>[number];

interface SaveDialogProps {
  readonly conversation: Conversation;
  readonly version: number;
  readonly design: Design;
  readonly call: Call;
  readonly onClose: () => void;
}

/** Makes a scenario of a call: its turns, its mocks, and what has to happen again. */
export function SaveDialog({ conversation, version, design, call, onClose }: SaveDialogProps) {
  const { id } = conversation;
  const form = useId();
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<string>();
  const offered = expectationsOf(call);
  const [left, setLeft] = useState<ReadonlySet<number>>(
    new Set(offered.flatMap(({ isUsual }, index) => (isUsual ? [] : [index]))),
  );
  const scenarios = useOperation('list_scenarios', { id, limit: 200 });
  const isTaken = scenarios.data?.scenarios.some((one) => one.name === name.trim()) ?? false;
  const save = useChange('save_scenarios');
  const [saved] = save.data?.scenarios ?? [];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === '') {
      setProblem('Give it a name.');
      return;
    }
    const expect = offered.flatMap(({ expectation }, index) => (left.has(index) ? [] : [expectation]));
    save.mutate({
      id,
      record: true,
      scenarios: [
        {
          name: name.trim(),
          caller: { script: scriptOf(call.exchanges) },
          ...(Object.keys(call.mocks).length > 0 && { mocks: call.mocks }),
          expect,
        },
      ],
    });
  };
  if (saved)
    return (
      <Dialog
        isOpen
        onClose={onClose}
        title="The scenario is saved"
        actions={
          <Button variant="primary" onClick={onClose}>
            Close
          </Button>
        }
      >
        <p>
          “{saved.name}” was played on version {save.data?.version}, the newest one.{' '}
          {saved.holds ? 'Everything that it expects holds.' : 'Not everything that it expects holds:'}
        </p>
        {!saved.holds && (
          <ul>
            {saved.failed.map(({ found, ...expectation }) => (
              <li key={JSON.stringify(expectation)}>
                {expectationInWords(design, expectation)}. Found: {found}.
              </li>
            ))}
          </ul>
        )}
        <p>
          <Link href={`/conversations/${id}/scenarios?scenario=${saved.id}`}>Show it</Link>
        </p>
      </Dialog>
    );
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Save this call as a scenario"
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <ActionButton needs="draft" type="submit" form={form} variant="primary" isBusy={save.isPending}>
            {isTaken ? 'Replace' : 'Save'}
          </ActionButton>
        </>
      }
    >
      <form id={form} className={classes.saveForm} onSubmit={submit}>
        <p>
          A scenario plays these turns again on any version, and says if something is different. It needs no
          model: what each turn means is saved with it.
        </p>
        <TextField
          label="Name"
          value={name}
          maxLength={200}
          autoComplete="off"
          placeholder="Books an appointment"
          error={problem}
          onChange={(typed) => {
            setName(typed);
            setProblem(undefined);
          }}
        />
        {isTaken && <p className={classes.muted}>A scenario has this name. Saving replaces it.</p>}
        <fieldset className={classes.mock}>
          <legend>What has to happen again</legend>
          {offered.map(({ expectation }, index) => (
            <Checkbox
              key={JSON.stringify(expectation)}
              isChecked={!left.has(index)}
              onChange={(isWanted) => {
                const next = new Set(left);
                if (isWanted) next.delete(index);
                else next.add(index);
                setLeft(next);
              }}
            >
              {expectationInWords(design, expectation)}
            </Checkbox>
          ))}
        </fieldset>
        {version !== conversation.activeVersion && (
          <p className={classes.muted}>You talked to version {version}.</p>
        )}
        {save.error && <ErrorNotice error={save.error} />}
      </form>
    </Dialog>
  );
}

/** What a call did that it can be expected to do again. Usual is what still holds after most changes of a design. */
function expectationsOf({ exchanges }: Call): { expectation: SavedExpectation; isUsual: boolean }[] {
  const reports = exchanges.map(({ report }) => report);
  const last = reports.at(-1);
  const place = joinedPath(reports.map(({ path }) => path)).findLast(({ step }) => step !== undefined);
  const reason = last?.ended?.reason as NonNullable<SavedExpectation['ends']>['reason'] | undefined;
  const requested = [...new Set(reports.flatMap(({ requests }) => requests.map(({ node }) => node)))];
  return [
    ...(reason === undefined ? [] : [{ expectation: { ends: { reason } }, isUsual: true }]),
    ...(place?.step === undefined ? [] : [{ expectation: { reaches: { step: place.step } }, isUsual: true }]),
    ...requested.map((node) => ({ expectation: { requests: { node } }, isUsual: true })),
    ...Object.entries(last?.variables ?? {}).map(([id, equals]) => ({
      expectation: { variable: { id, equals } },
      isUsual: false,
    })),
  ];
}
