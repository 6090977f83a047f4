import { type TextareaHTMLAttributes, useId } from 'react';
import classes from './text-field.module.css';

interface TextAreaProps extends Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'onChange' | 'className'> {
  readonly label: string;
  readonly value: string;
  /** What is wrong with the value. */
  readonly error?: string | undefined;
  readonly onChange: (value: string) => void;
}

/** Several lines of text with their label and, if something is wrong with them, the reason. */
export function TextArea({ label, error, onChange, ...rest }: TextAreaProps) {
  const id = useId();
  return (
    <div className={classes.field}>
      <label htmlFor={id}>{label}</label>
      <textarea
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
