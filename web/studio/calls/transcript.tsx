import type { ReactNode } from 'react';
import type { Design } from '../../api/operations.ts';
import { classNames } from '../../ui/class-names.ts';
import { stepName } from '../../versions/step-lines.ts';
import { meaningInWords, readerInWords, type SpokenLine } from './played-call.ts';
import classes from './transcript.module.css';

interface LineItemProps {
  readonly design: Design;
  readonly line: SpokenLine;
  /** True if an expectation failed here. */
  readonly hasFailed?: boolean;
}

/** One thing that was said: by whom, at which step and, for the caller, what it was taken for. */
export function LineItem({ design, line, hasFailed = false }: LineItemProps) {
  const { who, text, step, understoodBy } = line;
  const meaning = meaningInWords(design, line);
  return (
    <li className={classNames(classes.line, classes[who], hasFailed && classes.failed)}>
      <p className={classes.who}>
        {who === 'agent' ? 'Agent' : 'Caller'}
        {step !== null && (
          <>
            {' · '}
            <bdi>{stepName(design, step)}</bdi>
          </>
        )}
      </p>
      <p className={classes.text} dir="auto">
        {text}
      </p>
      {meaning !== undefined && (
        <p className={classes.note}>
          Understood as <bdi>{meaning}</bdi>
          {understoodBy && `, ${readerInWords(understoodBy)}`}
        </p>
      )}
      {hasFailed && <p className={classes.failure}>An expectation failed here.</p>}
    </li>
  );
}

/** Something that happened without words. */
export function Happening({ children }: { children: ReactNode }) {
  return <li className={classes.happening}>{children}</li>;
}

/** A call as a list of what was said. */
export function Transcript({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ol className={classes.transcript} aria-label={label}>
      {children}
    </ol>
  );
}
