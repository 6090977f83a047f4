import type { InputHTMLAttributes, TextareaHTMLAttributes } from 'react';
import { Field } from './field.tsx';

interface TextProps {
  readonly label: string;
  readonly value: string;
  /** What is wrong with the value. */
  readonly error?: string | undefined;
  readonly onChange: (value: string) => void;
}

type Without<Attributes> = Omit<Attributes, 'onChange' | 'className' | keyof TextProps>;

/** A line of text. */
export function TextField({
  label,
  error,
  onChange,
  ...rest
}: TextProps & Without<InputHTMLAttributes<HTMLInputElement>>) {
  return (
    <Field label={label} error={error}>
      {(attributes) => <input {...rest} {...attributes} onChange={(event) => onChange(event.target.value)} />}
    </Field>
  );
}

/** Several lines of text. */
export function TextArea({
  label,
  error,
  onChange,
  ...rest
}: TextProps & Without<TextareaHTMLAttributes<HTMLTextAreaElement>>) {
  return (
    <Field label={label} error={error}>
      {(attributes) => (
        <textarea {...rest} {...attributes} onChange={(event) => onChange(event.target.value)} />
      )}
    </Field>
  );
}
