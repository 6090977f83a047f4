import { useEffect, useRef } from 'react';
import type { Design } from '../api/operations.ts';
import { Badge } from '../ui/badge.tsx';
import { LineEditor } from './line-editor.tsx';
import { exitsOf, kindName, linesOf, type Step, stepName } from './step-lines.ts';
import classes from './step-list.module.css';

/** The version of a conversation whose lines can be changed in place. */
interface Editing {
  readonly id: string;
  readonly version: number;
  readonly newest: number;
  /** A line was changed, which made this version. */
  readonly onSaved: (n: number) => void;
}

interface StepListProps {
  readonly design: Design;
  /** Left out if the lines cannot be changed here. */
  readonly editing?: Editing;
  /** Where steps come from, in words, if they were made of something else. */
  readonly originOf?: (stepId: string) => string;
  /** The step that is open. */
  readonly selected: string | undefined;
  readonly onSelect: (step: string | undefined) => void;
}

/** Every step of a design in words: what it says, and where a call goes from there. */
export function StepList(props: StepListProps) {
  const { design, selected, onSelect } = props;
  const steps = Object.entries(design.steps);
  return (
    <section className={classes.list} aria-label="Steps">
      <h2>
        {steps.length} {steps.length === 1 ? 'step' : 'steps'}
      </h2>
      <ol>
        {steps.map(([stepId, step]) => (
          <StepItem
            key={stepId}
            {...props}
            stepId={stepId}
            step={step}
            isEntry={design.entry.stepId === stepId}
            isOpen={selected === stepId}
            onToggle={() => onSelect(selected === stepId ? undefined : stepId)}
          />
        ))}
      </ol>
      <Hooks design={design} />
    </section>
  );
}

interface StepItemProps extends StepListProps {
  readonly stepId: string;
  readonly step: Step;
  readonly isEntry: boolean;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

function StepItem({ stepId, step, isEntry, isOpen, onToggle, ...list }: StepItemProps) {
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isOpen) item.current?.scrollIntoView({ block: 'nearest' });
  }, [isOpen]);
  const lines = linesOf(stepId, step);
  const exits = exitsOf(step);
  return (
    <li ref={item} className={isOpen ? classes.open : undefined}>
      <h3>
        <button type="button" aria-expanded={isOpen} onClick={onToggle}>
          <bdi className={classes.name}>{step.name ?? stepId}</bdi>
          <span className={classes.kind}>{kindName(step.kind)}</span>
          {isEntry && <Badge>starts here</Badge>}
        </button>
      </h3>
      {!isOpen && lines[0] && (
        <p className={classes.preview} dir="auto">
          {lines[0].text}
        </p>
      )}
      {isOpen && (
        <div className={classes.details}>
          {lines.length === 0 && <p className={classes.muted}>It says nothing.</p>}
          {lines.map((line) =>
            list.editing ? (
              <LineEditor key={line.pointer} {...list.editing} line={line} />
            ) : (
              <div key={line.pointer}>
                <p className={classes.label}>{line.label}</p>
                <p className={classes.text} dir="auto">
                  {line.text}
                </p>
              </div>
            ),
          )}
          {step.kind === 'appointment' && (
            <p>
              <span className={classes.label}>In the calendar</span> {calendarActions[step.calendar.action]}
            </p>
          )}
          {list.originOf && <p className={classes.muted}>{list.originOf(stepId)}</p>}
          {step.kind === 'transfer' && (
            <p>
              <span className={classes.label}>Puts through to</span> {step.destination.value}
            </p>
          )}
          {exits.length > 0 && (
            <div>
              <p className={classes.label}>Then</p>
              <ul className={classes.exits}>
                {exits.map(({ exit, to }) => (
                  <li key={exit}>
                    <bdi>{exit}</bdi> →{' '}
                    <button type="button" className={classes.target} onClick={() => list.onSelect(to)}>
                      <bdi>{stepName(list.design, to)}</bdi>
                    </button>
                  </li>
                ))}
              </ul>
            </div>
          )}
        </div>
      )}
    </li>
  );
}

const calendarActions = {
  freeTimes: 'finds free times',
  book: 'makes an appointment',
  move: 'moves the appointment',
  cancel: 'cancels the appointment',
} as const;

const actions: Readonly<Record<string, string>> = {
  webhook: 'sends a webhook',
  fetch: 'fetches data',
  condition: 'chooses a branch',
  setVariable: 'sets a variable',
  sendSms: 'sends a text message',
  crmLookup: 'looks up the caller',
  crmWrite: 'writes to the customer records',
  calendar: 'uses the calendar',
};

/** What happens before and after the call, without the caller. */
function Hooks({ design: { hooks } }: { design: Design }) {
  const phases = [
    { title: 'Before the call', nodes: hooks?.before?.nodes },
    { title: 'After the call', nodes: hooks?.after?.nodes },
  ];
  return phases.map(
    ({ title, nodes }) =>
      nodes &&
      Object.keys(nodes).length > 0 && (
        <div key={title}>
          <h2>{title}</h2>
          <ul className={classes.hooks}>
            {Object.entries(nodes).map(([nodeId, node]) => (
              <li key={nodeId}>
                {node.name ?? nodeId}{' '}
                <span className={classes.kind}>
                  {Object.keys(node)
                    .flatMap((member) => actions[member] ?? [])
                    .join(', ')}
                </span>
              </li>
            ))}
          </ul>
        </div>
      ),
  );
}
