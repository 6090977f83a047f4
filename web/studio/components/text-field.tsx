import { type InputHTMLAttributes, useId } from 'react';
import classes from './text-field.module.css';

interface TextFieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'className'> {
  readonly label: string;
  readonly value: string;
  /** What is wrong with the value. */
  readonly error?: string | undefined;
  readonly onChange: (value: string) => void;
}

/** A line of text with its label and, if something is wrong with it, the reason. */
export function TextField({ label, error, onChange, ...rest }: TextFieldProps) {
  const id = useId();
  return (
    <div className={classes.field}>
      <label htmlFor={id}>{label}</label>
      <input
        {...rest}
        id={id}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={error === undefined ? undefined : `${id}-error`}
        onChange={(event) => onChange(event.target.value)}
      />
      {error !== undefined && (
        <p id={`${id}-error`} role="alert" className={classes.error}>
          {error}
        </p>
      )}
    </div>
  );
}
