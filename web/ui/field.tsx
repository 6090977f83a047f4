import { type ReactNode, useId } from 'react';
import classes from './field.module.css';

/** What ties an input to its label and to the reason why its value is wrong. */
interface InputAttributes {
  readonly id: string;
  readonly 'aria-invalid': true | undefined;
  readonly 'aria-describedby': string | undefined;
}

interface FieldProps {
  readonly label: string;
  /** What is wrong with the value. */
  readonly error?: string | undefined;
  readonly children: (attributes: InputAttributes) => ReactNode;
}

/** An input with its label and, if something is wrong with its value, the reason. */
export function Field({ label, error, children }: FieldProps) {
  const id = useId();
  return (
    <div className={classes.field}>
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        'aria-invalid': error !== undefined || undefined,
        'aria-describedby': error === undefined ? undefined : `${id}-error`,
      })}
      {error !== undefined && (
        <p id={`${id}-error`} role="alert" className={classes.error}>
          {error}
        </p>
      )}
    </div>
  );
}
