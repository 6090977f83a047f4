import type { ReactNode } from 'react';
import classes from './checkbox.module.css';

interface CheckboxProps {
  readonly isChecked: boolean;
  /** Why it cannot be changed now. */
  readonly refusal?: string | undefined;
  readonly onChange: (isChecked: boolean) => void;
  readonly children: ReactNode;
}

/** Something to switch on or off, with its label. If it cannot be changed, it says why below. */
export function Checkbox({ isChecked, refusal, onChange, children }: CheckboxProps) {
  return (
    <label className={classes.checkbox}>
      <input
        type="checkbox"
        checked={isChecked}
        disabled={refusal !== undefined}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span>
        {children}
        {refusal !== undefined && <span className={classes.refusal}>{refusal}</span>}
      </span>
    </label>
  );
}
